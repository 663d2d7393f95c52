//! The program: its output and its exit.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use std::io::{BufRead, BufReader, Read};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, Output, Stdio};

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_company-intel-sandbox"));
    command
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn output(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

/// Returns the base URL from the first line.
fn url(said: &mut impl BufRead) -> String {
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    line.trim().trim_start_matches("base URL: ").to_owned()
}

/// A running sandbox, killed if a test fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
    }
}

#[tokio::test]
async fn it_serves_logs_and_prints_the_bill_when_it_is_interrupted() {
    let arguments = ["--port", "0", "--key", "mine", "--log", "json", "--fault"];
    let arguments = [&arguments[..], &["job_posts=429"]].concat();
    let mut running = Running(program(&arguments).spawn().unwrap());
    let mut said = BufReader::new(running.0.stderr.take().unwrap());
    let url = url(&mut said);
    let client = company_intel::Client::builder(&url).api_key("mine");
    let client = client.build().unwrap();
    client.headcount_trends("example.com").send().await.unwrap();
    let jobs = client.job_posts("example.com");
    jobs.retry(company_intel::RetryPolicy::Never)
        .send()
        .await
        .unwrap_err();

    let id = running.0.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    assert!(running.0.wait().unwrap().success());
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("billed: 2.5 credits for 1 calls"), "{rest}");
    let mut log = String::new();
    running
        .0
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut log)
        .unwrap();
    let statuses: Vec<_> = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["status"].clone())
        .collect();
    assert_eq!(statuses, [200, 429]);
}

#[tokio::test]
async fn a_log_that_nobody_reads_fails_no_call() {
    let mut running = Running(program(&["--port", "0", "--key", "mine"]).spawn().unwrap());
    drop(running.0.stdout.take());
    let url = url(&mut BufReader::new(running.0.stderr.as_mut().unwrap()));
    let client = company_intel::Client::builder(&url).api_key("mine");
    let client = client.build().unwrap();
    for _ in 0..2 {
        client.headcount_trends("example.com").send().await.unwrap();
    }
}

#[test]
fn a_port_that_is_taken_ends_it_with_one_line() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = output(&["--port", &port]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains(&format!("127.0.0.1:{port}")) && said.lines().count() == 1,
        "{said}"
    );
}

#[test]
fn what_it_does_not_understand_it_says_with_the_argument() {
    for (arguments, why) in [
        (["--fault", "job_posts"], "no operation"),
        (["--fault", "job_posts=teapot"], "`teapot` is not a status"),
        (["--fault", "nwes=429"], "the document has"),
        (["--latency", "soon"], "`soon` is not a duration"),
        (["--latency", "2s..1s"], "it ends before it begins"),
        (["--budget", "much"], "--budget"),
        (["--data", "missing"], "reading the sample data in missing"),
    ] {
        let output = output(&arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && said.contains(why),
            "{arguments:?}: {said}"
        );
    }
    let help = String::from_utf8(output(&["--help"]).stdout).unwrap();
    assert!(help.contains("--fault '*=503,rate:0.1'"), "{help}");
}
