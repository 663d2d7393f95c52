//! What the client costs beside the work that it saves: `cargo bench -p conformance-tests`.
//!
//! Everything is measured in one run, in turns, and told as a ratio: times of different runs and machines say little about each other.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark that fails should say so at once"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use company_intel::error::TransportError;
use company_intel::types::JobPostsResponse;
use company_intel::{Bytes, Client, http};
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
    let mut page: Value = serde_json::from_str(&reviewed_facts::payload("job_posts")).unwrap();
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

/// A client whose service responds at once, from memory.
fn client(response: &str) -> Client {
    let body = Bytes::from(response.to_owned());
    let transport = move |_| {
        let response = http::Response::new(body.clone());
        async { Ok::<_, TransportError>(response) }
    };
    let client = Client::builder("https://example.com").api_key("key");
    client.transport(transport).build().unwrap()
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();

    let text = page(100);
    let kilobytes = text.len() / 1000;
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
        &format!("Decoding a page of 100 records, {kilobytes} kB"),
        &[
            ("structs written by hand", by_hand),
            ("generated types", generated),
            ("serde_json::Value", value),
        ],
    );

    let bad = text.replacen("\"remote\":true", "\"remote\":\"yes\"", 1);
    assert_ne!(text, bad, "the payload has a field to spoil");
    let good_client = client(&text);
    let bad_client = client(&bad);
    let call = |client: &Client| {
        let call = client.job_posts("example.com").send();
        black_box(runtime.block_on(call).unwrap())
    };
    let drift = call(&good_client);
    let [decode, good, bad, drift] = in_turns(
        20,
        [
            &mut || {
                drop(black_box(
                    serde_json::from_str::<JobPostsResponse>(&text).unwrap(),
                ))
            },
            &mut || drop(call(&good_client)),
            &mut || drop(call(&bad_client)),
            &mut || drop(black_box(drift.drift())),
        ],
    );
    told(
        "A call for that page, with a response from memory",
        &[
            ("decoding alone", decode),
            ("the call", good),
            ("the call, one record not decoding", bad),
            ("drift of the response, computed only on request", drift),
        ],
    );

    let empty = r#"{"data": [], "credits_consumed": 0}"#;
    let small = client(empty);
    let budget = Client::builder("https://example.com").api_key("key");
    let body = Bytes::from(empty);
    let budget = budget
        .budget("1000000".parse().unwrap())
        .transport(move |_| {
            let response = http::Response::new(body.clone());
            async { Ok::<_, TransportError>(response) }
        })
        .build()
        .unwrap();
    let search = |client: &Client| {
        let call = client.company_search("example.com").send();
        black_box(runtime.block_on(call).unwrap())
    };
    let [round_trip, call, budgeted] = in_turns(
        500,
        [
            &mut || runtime.block_on(tokio::task::yield_now()),
            &mut || drop(search(&small)),
            &mut || drop(search(&budget)),
        ],
    );
    told(
        "What the attempt loop adds to a call, beside a turn of the runtime",
        &[
            ("one turn of the runtime", round_trip),
            ("a call with an empty response", call),
            ("the same, on a budget", budgeted),
        ],
    );
}
