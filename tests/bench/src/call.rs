//! A call on loopback. Only the time of the calling thread is measured.

use std::error::Error;
use std::future::Future;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use company_intel::cache::Cache;
use company_intel::document::Documented;
use company_intel::types::JobPostsResponse;
use company_intel::{Client, Credits};
use generated_client::ClientBuilder;
use generated_client::document::{Api, Auth};
use generated_client::request::Request;
use generated_client::response::Undecoded;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::clock::in_turns;
use crate::service::serve;
use crate::table::Row;
use crate::{bodies, hand, openapi_to_rust, peer};

/// The API without its interceptor, for a client without knowledge of money.
static PLAIN: Api = Api {
    auth: Auth::Header("x-api-key"),
    ..Api::new("plain", "0.0.0", "PLAIN")
};

/// About 100 KB.
const RECORDS: usize = 85;

pub fn rows(runtime: &Runtime) -> Result<Vec<Row>, Box<dyn Error>> {
    let page = bodies::jobs(RECORDS)?;
    let short = bodies::jobs(0)?;
    let mut rows = of(runtime, "a call for a page", (1, 12), page)?;
    rows.extend(of(
        runtime,
        "a call for a short response",
        (1, 60),
        short.clone(),
    )?);
    rows.extend(of(runtime, "64 of them at once", (64, 2), short)?);
    rows.extend(spoilt(runtime)?);
    Ok(rows)
}

/// Compares the clients by `at_once` concurrent calls for a body, repeated in each round.
fn of(
    runtime: &Runtime,
    what: &str,
    (at_once, repeat): (u32, u32),
    body: String,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let size = body.len();
    let base = format!("http://{}", serve(body)?);
    let metered = Client::builder(&base).api_key("key").build()?;
    let limit: Credits = "1000000000".parse()?;
    let budgeted = Client::builder(&base)
        .api_key("key")
        .budget(limit)
        .build()?;
    let stored = Client::builder(&base)
        .api_key("key")
        .cache(Cache::in_memory().max_age(Duration::MAX))
        .build()?;
    let builder = ClientBuilder::<generated_client::Client>::new(&PLAIN, &base);
    let plain = builder.api_key("key").build()?;
    let raw = reqwest::Client::new();
    let url: Arc<str> = format!("{base}/v1/company/jobs?company=example.com").into();
    let progenitor = Arc::new(peer::Client::new(&base));
    let second = openapi_to_rust::client::HttpClient::new().with_base_url(&base);
    let company: peer::types::CompanyRef = "example.com".parse()?;

    let call = |client: &Client| {
        let client = client.clone();
        async move { client.job_posts("example.com").send().await.is_ok() }
    };
    let call_plain = || {
        let plain = plain.clone();
        async move {
            let mut request = Request::new(JobPostsResponse::operation());
            request.query("company", &"example.com");
            let response = plain
                .send_with(request, Undecoded::json::<JobPostsResponse>)
                .await;
            response.is_ok_and(|response| response.raw.len() == size)
        }
    };
    let call_by_hand = || {
        let (raw, url) = (raw.clone(), url.clone());
        async move {
            let request = raw.get(&*url).header("x-api-key", "key").send();
            let Ok(response) = request.await else {
                return false;
            };
            let Ok(bytes) = response.bytes().await else {
                return false;
            };
            black_box(serde_json::from_slice::<hand::Jobs>(&bytes)).is_ok()
        }
    };
    let call_progenitor = || {
        let (progenitor, company) = (progenitor.clone(), company.clone());
        async move { black_box(progenitor.job_posts(&company, None, None).await).is_ok() }
    };
    let call_second = || {
        let second = second.clone();
        async move { black_box(second.job_posts("example.com", None, None).await).is_ok() }
    };
    let [
        ours,
        on_budget,
        from_cache,
        without_money,
        by_progenitor,
        by_second,
        by_hand,
    ] = in_turns(
        repeat,
        [
            &mut || run(runtime, at_once, || call(&metered)),
            &mut || run(runtime, at_once, || call(&budgeted)),
            &mut || run(runtime, at_once, || call(&stored)),
            &mut || run(runtime, at_once, call_plain),
            &mut || run(runtime, at_once, call_progenitor),
            &mut || run(runtime, at_once, call_second),
            &mut || run(runtime, at_once, call_by_hand),
        ],
    );
    let what = match at_once {
        1 => format!("{what}, {:.1} KB", size as f64 / 1e3),
        _ => what.to_owned(),
    };
    let rows = [
        (what.clone(), ours, Some(1.05)),
        (format!("{what}, on a budget"), on_budget, Some(1.05)),
        (format!("{what}, stored"), from_cache, None),
        (
            format!("{what}, by a plain client"),
            without_money,
            Some(1.05),
        ),
        ("progenitor's client".to_owned(), by_progenitor, None),
        ("openapi-to-rust's client".to_owned(), by_second, None),
    ];
    let rows = rows.map(|(what, time, aim)| {
        let micros = (time.as_secs_f64() - by_hand.as_secs_f64()) * 1e6 / f64::from(at_once);
        let beside = "raw reqwest and structs written by hand";
        let mut row = Row::ratio(what, time, beside, by_hand, aim);
        row.note = format!("{micros:+.1} µs a call");
        row
    });
    Ok(rows.into())
}

/// Makes concurrent calls, each of which must succeed.
fn run<F: Future<Output = bool> + Send + 'static>(
    runtime: &Runtime,
    at_once: u32,
    call: impl Fn() -> F,
) {
    let succeeded = if at_once == 1 {
        runtime.block_on(call())
    } else {
        runtime.block_on(async {
            let calls: JoinSet<_> = (0..at_once).map(|_| call()).collect();
            calls
                .join_all()
                .await
                .into_iter()
                .all(|succeeded| succeeded)
        })
    };
    assert!(succeeded, "a call of the benchmark failed");
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
