//! What the client costs beside the work that it saves: `cargo bench -p conformance-tests`.
//!
//! Everything is measured in one run, in turns, and told as a ratio: times of different runs and machines say little about each other.

#![allow(
    clippy::unwrap_used,
    reason = "a benchmark that fails should say so at once"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use company_intel::types::JobPostsResponse;
use company_intel::{Client, TransportError};
use serde::Deserialize;
use serde_json::{Value, json};

/// A page of job posts, as a person who needs it once would write it.
#[derive(Deserialize)]
#[allow(dead_code, reason = "it is decoded to be measured")]
struct Page {
    status: Option<String>,
    data: Vec<Job>,
    count: Option<i64>,
    limit: Option<i64>,
    offset: Option<i64>,
    credits_consumed: Option<f64>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "it is decoded to be measured")]
struct Job {
    job_id: Option<String>,
    company_uuid: Option<String>,
    title: Option<String>,
    source: Option<String>,
    job_url: Option<String>,
    date_posted: Option<String>,
    location: Option<String>,
    description: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    remote: Option<bool>,
    salary_min_usd: Option<f64>,
    salary_max_usd: Option<f64>,
    experience_level: Option<String>,
    key_skills: Vec<String>,
}

/// A page of so many copies of the job post in the test payloads.
fn page(records: usize) -> String {
    let mut page: Value = serde_json::from_str(include_str!("../payloads/job_posts.json")).unwrap();
    let record = page["data"][0].clone();
    page["data"] = json!(vec![record; records]);
    page.to_string()
}

const ROUNDS: usize = 30;

/// The median times of several things, which take turns so that a slow moment is slow for all of them.
fn in_turns<const N: usize>(repeat: u32, mut things: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..ROUNDS {
        for (thing, times) in things.iter_mut().zip(&mut times) {
            let start = Instant::now();
            for _ in 0..repeat {
                thing();
            }
            times.push(start.elapsed() / repeat);
        }
    }
    times.map(|mut times: Vec<Duration>| {
        times.sort();
        *times.get(ROUNDS / 2).unwrap()
    })
}

fn told(title: &str, times: &[(&str, Duration)]) {
    println!("{title}");
    let (_, first) = times.first().unwrap();
    for (name, time) in times {
        let ratio = time.as_secs_f64() / first.as_secs_f64();
        println!("  {name:<44} {ratio:>5.2}   {time:>10.1?}");
    }
    println!();
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();

    let text = page(100);
    let bad = text.replacen("\"remote\":true", "\"remote\":\"yes\"", 1);
    assert_ne!(text, bad, "the payload has a field to spoil");
    let from_memory = |text: &str| {
        let body = company_intel::Response::bytes(text);
        let transport = move |_| {
            let answer = http_response(body.clone());
            async { Ok::<_, TransportError>(answer) }
        };
        let client = Client::builder("https://example.com").api_key("key");
        client.transport(transport).build().unwrap()
    };
    let client = from_memory(&text);
    let _ = (&client, &runtime, &bad);
    let [by_hand, generated, value] = in_turns(
        20,
        [
            &mut || drop(black_box(serde_json::from_str::<Page>(&text).unwrap())),
            &mut || {
                drop(black_box(
                    serde_json::from_str::<JobPostsResponse>(&text).unwrap(),
                ))
            },
            &mut || drop(black_box(serde_json::from_str::<Value>(&text).unwrap())),
        ],
    );
    told(
        &format!("Decoding a page of 100 records ({} kB)", text.len() / 1000),
        &[
            ("structs written by hand", by_hand),
            ("generated types", generated),
            ("serde_json::Value", value),
        ],
    );
}
