//! A call on loopback. Only the time of the calling thread is measured.

use company_intel::prelude::*;
use std::error::Error;
use std::hint::black_box;

use company_intel::Client;
use company_intel::document::Documented;
use company_intel::types::JobPostsResponse;
use generated_client::ClientBuilder;
use generated_client::document::{Api, Auth};
use generated_client::request::Request;
use tokio::runtime::Runtime;

use crate::clock::in_turns;
use crate::service::serve;
use crate::table::Row;
use crate::{bodies, hand, openapi_to_rust, peer};

/// The API without its interceptor, for a client without knowledge of money.
static PLAIN: Api = Api {
    name: "plain",
    version: "0.0.0",
    environment: "PLAIN",
    base_url: None,
    auth: Auth::Header("x-api-key"),
    interceptor: None,
};

/// About 100 KB.
const RECORDS: usize = 85;

pub fn rows(runtime: &Runtime) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for (what, body, repeat) in [
        ("a call for a page", bodies::jobs(RECORDS)?, 12),
        ("a call for a short response", bodies::jobs(0)?, 60),
    ] {
        rows.extend(of(runtime, what, body, repeat)?);
    }
    rows.extend(spoilt(runtime)?);
    Ok(rows)
}

fn of(
    runtime: &Runtime,
    what: &str,
    body: String,
    repeat: u32,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let size = body.len();
    let base = format!("http://{}", serve(body)?);
    let metered = Client::builder(&base).api_key("key").build()?;
    let limit = "1000000000".parse()?;
    let budgeted = Client::builder(&base)
        .api_key("key")
        .budget(limit)
        .build()?;
    let builder = ClientBuilder::<generated_client::Client>::new(&PLAIN, &base);
    let plain = builder.api_key("key").build()?;
    let raw = reqwest::Client::new();
    let url = format!("{base}/v1/company/jobs?company=example.com");
    let progenitor = peer::Client::new(&base);
    let second = openapi_to_rust::client::HttpClient::new().with_base_url(&base);
    let company: peer::types::CompanyRef = "example.com".parse()?;
    let call = |client: &Client| {
        let call = client.job_posts("example.com").send();
        drop(black_box(runtime.block_on(call)));
    };
    let call_plain = || {
        let mut request = Request::new(JobPostsResponse::operation());
        request.query("company", &"example.com");
        plain.send::<JobPostsResponse>(request)
    };
    runtime.block_on(second.job_posts("example.com", None, None))?;
    runtime.block_on(metered.job_posts("example.com").send())?;
    runtime.block_on(budgeted.job_posts("example.com").send())?;
    let response =
        runtime.block_on(async { call_plain().await.map(|response| response.raw.len()) })?;
    if response != size {
        return Err(format!("{response} bytes arrived instead of {size}").into());
    }
    let [ours, on_budget, without_money, by_hand, by_peer, by_second] = in_turns(
        repeat,
        [
            &mut || call(&metered),
            &mut || call(&budgeted),
            &mut || drop(black_box(runtime.block_on(call_plain()))),
            &mut || {
                let call = async {
                    let request = raw.get(&url).header("x-api-key", "key").send();
                    let bytes = request.await.ok()?.bytes().await.ok()?;
                    serde_json::from_slice::<hand::Jobs>(&bytes).ok()
                };
                drop(black_box(runtime.block_on(call)));
            },
            &mut || {
                let call = progenitor.job_posts(&company, None, None);
                _ = black_box(runtime.block_on(call).is_ok());
            },
            &mut || {
                let call = second.job_posts("example.com", None, None);
                _ = black_box(runtime.block_on(call).is_ok());
            },
        ],
    );
    let hand_written = "raw reqwest and structs written by hand";
    let mut rows = vec![
        Row::ratio(
            format!("{what}, {:.1} KB", size as f64 / 1e3),
            ours,
            hand_written,
            by_hand,
            1.05,
        ),
        Row::ratio(
            "the same on a budget",
            on_budget,
            hand_written,
            by_hand,
            1.05,
        ),
        Row::ratio(
            "the same by a plain client",
            without_money,
            hand_written,
            by_hand,
            1.05,
        ),
        Row::ratio("progenitor's client", by_peer, hand_written, by_hand, None),
        Row::ratio(
            "openapi-to-rust's client",
            by_second,
            hand_written,
            by_hand,
            None,
        ),
    ];
    for (row, time) in rows
        .iter_mut()
        .zip([ours, on_budget, without_money, by_peer, by_second])
    {
        let micros = (time.as_secs_f64() - by_hand.as_secs_f64()) * 1e6;
        row.note = format!("{micros:+.1} µs");
    }
    Ok(rows)
}

/// Measures a page with one record that does not decode, and its drift.
fn spoilt(runtime: &Runtime) -> Result<Vec<Row>, Box<dyn Error>> {
    let good = bodies::jobs(100)?;
    let bad = good.replacen("\"job_id\":\"job-at-0-50\"", "\"job_id\":[]", 1);
    if good == bad {
        return Err("the payload has no field to spoil".into());
    }
    let client = |body| {
        let base = format!("http://{}", serve(body)?);
        Ok::<_, Box<dyn Error>>(Client::builder(&base).api_key("key").build()?)
    };
    let (good_client, bad_client) = (client(good.clone())?, client(bad)?);
    let page = runtime.block_on(good_client.job_posts("example.com").send())?;
    let rejects = runtime
        .block_on(bad_client.job_posts("example.com").send())?
        .body
        .data
        .rejects()
        .len();
    if rejects != 1 {
        return Err(format!("{rejects} records are rejected instead of one").into());
    }
    let call = |client: &Client| {
        let call = client.job_posts("example.com").send();
        drop(black_box(runtime.block_on(call)));
    };
    let decode = || {
        drop(black_box(serde_json::from_str::<
            company_intel::types::JobPostsResponse,
        >(&good)))
    };
    let [good, bad, drift, decode] = in_turns(
        8,
        [
            &mut || call(&good_client),
            &mut || call(&bad_client),
            &mut || drop(black_box(page.drift())),
            &mut || decode(),
        ],
    );
    Ok(vec![
        Row::ratio(
            "a call for 100 records of which one is bad",
            bad,
            "the same without a bad one",
            good,
            1.5,
        ),
        Row::ratio(
            "`drift()` of 100 records",
            drift,
            "decoding them",
            decode,
            2.0,
        ),
    ])
}
