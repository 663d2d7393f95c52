//! Prints what has changed about some companies in a week, for at most 20 credits a run:
//! `cargo run -p company-intel-sandbox --example weekly`. The oldest responses are replaced first; the rest waits for the next run.

use std::time::Duration;

use company_intel::cache::Cache;
use company_intel::prelude::Call;
use company_intel::{Client, Credits};
use company_intel_sandbox::Sandbox;
use rusqlite::Connection;

const BUDGET: Credits = Credits::new(20);
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Calls the companies again whose responses are older than a week, and prints what has changed.
async fn watch(client: &Client, list: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    let calls = list.iter();
    let calls = calls.map(|company| (*company, client.headcount_trends(*company)));
    for (company, call) in Call::due(calls, WEEK).await? {
        let earlier = call.stored().await?;
        let response = match call.send().await {
            Ok(response) => response,
            Err(error) if error.budget().is_some() => break,
            Err(error) => {
                eprintln!("{company}: {error}");
                continue;
            }
        };
        let Some(earlier) = earlier else {
            println!("{company}: stored for the first time");
            continue;
        };
        for change in response.changes_since(&earlier.body) {
            println!("{company}: {change}");
        }
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let folder = tempfile::tempdir()?;
    let responses = folder.path().join("responses.sqlite");
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .budget(BUDGET)
        .cache(Cache::open(&responses)?)
        .build()?;
    let list = ["example.com", "quarry-software.example"];
    watch(&client, &list).await?;
    // A week goes by, in which a company grows.
    Connection::open(&responses)?.execute(
        "UPDATE responses SET stored_at = stored_at - ?1, body = replace(body, '1840', '1800')",
        [8 * 24 * 60 * 60 * 1000],
    )?;
    watch(&client, &list).await
}
