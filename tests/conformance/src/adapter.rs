//! The adapter protocol, by which any client of the document can be asked to make a call: a program reads a call as one line of JSON,
//! makes it, and writes one line of JSON on how it ended. [`ours`] adapts our client.

use std::collections::BTreeMap;
use std::future::Future;
use std::io::{Error, Result, Write, stdin};
use std::process::{Command, Stdio};
use std::time::Duration;

use company_intel::{Client, Outcome, Response};
use serde::{Deserialize, Serialize};

/// A call to make.
#[derive(Debug, Serialize, Deserialize)]
pub struct Task {
    pub base_url: String,
    /// Value of the header `x-api-key`.
    pub key: String,
    /// Name of the operation: `job_posts`, which is paid, or `company_search`, which is free.
    pub call: String,
    /// Query parameters by their names.
    pub arguments: BTreeMap<String, String>,
    /// How long the client waits for the response to a request.
    pub timeout_ms: u64,
}

/// What the caller learned.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Report {
    pub ended: Ended,
    pub status: Option<u16>,
    /// The body of the response, or the part of it that the caller has.
    pub body: Option<String>,
    /// Number of requests, if the client counts them.
    pub attempts: Option<u32>,
    /// Charge in credits, if the client knows it.
    pub cost: Option<f64>,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// With a decoded response.
    Response,
    /// With an error status.
    Status,
    /// With a body that does not decode.
    Decode,
    /// Without a whole response.
    Transport,
    #[default]
    Other,
}

/// Has the program make a call.
pub fn ask(program: &[String], task: &Task) -> Result<Report> {
    let mut child = Command::new(&program[0])
        .args(&program[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let line = serde_json::to_string(task)? + "\n";
    child.stdin.take().unwrap().write_all(line.as_bytes())?;
    let output = child.wait_with_output()?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| Error::other(format!("{program:?}: {error}: {output:?}")))
}

/// Makes the call that standard input asks for. This is what the program of an adapter does.
pub fn run<F: Future<Output = Report>>(make_call: impl FnOnce(Task) -> F) -> Result<()> {
    let mut line = String::new();
    stdin().read_line(&mut line)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let report = runtime.block_on(make_call(serde_json::from_str(&line)?));
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

/// Makes a call with our client.
pub async fn ours(task: Task) -> Report {
    let timeout = Duration::from_millis(task.timeout_ms);
    let client = Client::builder(task.base_url)
        .api_key(task.key)
        .connect_timeout(timeout)
        .read_timeout(timeout)
        .build()
        .unwrap();
    match task.call.as_str() {
        "job_posts" => report(client.job_posts(&task.arguments["company"]).send().await),
        _ => report(client.company_search(&task.arguments["query"]).send().await),
    }
}

fn report<T>(result: std::result::Result<Response<T>, company_intel::Error>) -> Report {
    let outcome = match &result {
        Ok(response) => response.meta.outcome(),
        Err(error) => error.outcome(),
    };
    let cost = match outcome {
        Outcome::Charged(credits) => credits.to_string().parse().ok(),
        Outcome::NotSent | Outcome::Rejected => Some(0.0),
        _ => None,
    };
    match result {
        Ok(response) => Report {
            ended: Ended::Response,
            status: Some(response.meta.status.as_u16()),
            body: Some(String::from_utf8_lossy(&response.raw).into_owned()),
            attempts: Some(response.meta.attempts),
            cost,
        },
        Err(error) => Report {
            ended: match &error {
                company_intel::Error::Status(_) => Ended::Status,
                company_intel::Error::Decode(_) => Ended::Decode,
                company_intel::Error::Transport(_) => Ended::Transport,
                _ => Ended::Other,
            },
            status: error.status().map(|status| status.as_u16()),
            body: error
                .body()
                .map(|body| String::from_utf8_lossy(body).into_owned()),
            attempts: Some(error.attempts()),
            cost,
        },
    }
}
