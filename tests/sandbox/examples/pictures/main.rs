//! Makes the pictures of `docs/pictures/` from calls of a scripted service, with the sums that the budget has:
//! `cargo run -p company-intel-sandbox --example pictures`. Time is paused.

mod budget;
mod cache;
mod pages;
mod retry;
mod svg;

use std::path::PathBuf;

use company_intel::testing::{Reply, Script};
use company_intel::types::{HeadcountResponse, JobPost};
use company_intel::{Client, Credits, Error, Outcome};

type Failed = Box<dyn std::error::Error>;

/// Returns a client of this service.
fn client(script: &Script, budget: Credits) -> Result<Client, Error> {
    let client = Client::builder("https://api.example.com").api_key("k");
    client.budget(budget).transport(script.clone()).build()
}

/// Returns a response to `headcount_trends`, with its cost.
fn headcount() -> Reply {
    Reply::json(&HeadcountResponse::default()).with("/credits_consumed", 2.5)
}

/// Returns a page of job posts, with its cost.
fn jobs(from: usize, count: usize, total: usize) -> Reply {
    let posts = (from..from + count).map(|number| {
        let mut post = JobPost::default();
        post.job_id = number.to_string();
        post
    });
    let page = Reply::page("/data", posts);
    page.with("/count", total).with("/credits_consumed", 4)
}

/// Says what the outcome was.
fn said(outcome: Outcome) -> String {
    match outcome {
        Outcome::NotSent => "not sent".to_owned(),
        Outcome::Stored => "stored: costs nothing".to_owned(),
        Outcome::Rejected => "rejected".to_owned(),
        Outcome::Charged(credits) => format!("charged {credits}"),
        Outcome::Unknown(Some(credits)) => format!("unknown, at most {credits}"),
        _ => "unknown".to_owned(),
    }
}

/// Returns how many pixels some credits are.
fn pixels(credits: Credits, of_one: u64) -> u64 {
    credits.micros() * of_one / 1_000_000
}

/// Returns the pictures, by their file.
async fn pictures() -> Result<[(&'static str, String); 4], Failed> {
    Ok([
        ("budget.svg", budget::picture().await?),
        ("cache.svg", cache::picture().await?),
        ("retry.svg", retry::picture().await?),
        ("pages.svg", pages::picture().await?),
    ])
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures")
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), Failed> {
    std::fs::create_dir_all(folder())?;
    for (file, svg) in pictures().await? {
        std::fs::write(folder().join(file), svg)?;
        println!("docs/pictures/{file}");
    }
    Ok(())
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn the_pictures_are_what_the_command_makes() {
    for (file, svg) in pictures().await.unwrap() {
        let kept = std::fs::read_to_string(folder().join(file)).unwrap_or_default();
        let is_same = kept == svg;
        assert!(
            is_same,
            "docs/pictures/{file} has to be made again: see the first lines of this file"
        );
    }
}
