//! Costs that must not grow: the memory of paging, and the time of a call beside thousands of waiting ones.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use company_intel::error::TransportError;
use company_intel::{Bytes, Client, Credits, http};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::bodies;
use crate::clock::{memory, of_thread};
use crate::table::Row;

const PAGE: u64 = 100;
const RECORDS: usize = 100_000;

pub fn rows(runtime: &Runtime) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = vec![paged(runtime, RECORDS / 10)?, paged(runtime, RECORDS)?];
    for calls in [1_000, 10_000] {
        rows.push(waiting(runtime, calls)?);
    }
    Ok(rows)
}

/// Pages through this many records, with one page in memory at a time.
fn paged(runtime: &Runtime, records: usize) -> Result<Row, Box<dyn Error>> {
    let mut page: Value = serde_json::from_str(&bodies::jobs(PAGE as usize)?)?;
    page["count"] = records.into();
    let body = serde_json::to_string(&page)?;
    let sent = Arc::new(AtomicUsize::new(0));
    let requests = sent.clone();
    let transport = move |request: http::Request<Bytes>| {
        requests.fetch_add(1, Ordering::Relaxed);
        let query = request.uri().query().unwrap_or_default();
        let offset = query
            .split('&')
            .find_map(|pair| pair.strip_prefix("offset="));
        let offset = offset.unwrap_or("0");
        let body = body.replace(bodies::FIRST, &format!("job-at-{offset}"));
        let body = body.replace("\"offset\":0", &format!("\"offset\":{offset}"));
        let response = http::Response::new(Bytes::from(body));
        async { Ok::<_, TransportError>(response) }
    };
    let client = Client::builder("https://example.com")
        .api_key("key")
        .transport(transport)
        .build()?;
    let start = of_thread();
    let mut count = 0;
    runtime.block_on(async {
        let mut items = client.job_posts("example.com").limit(PAGE).items();
        while let Some(item) = items.next().await {
            item?;
            count += 1;
        }
        Ok::<_, company_intel::Error>(())
    })?;
    let what = format!("page through {count} records");
    let note = format!(
        "{} requests; at most {} MiB in this process",
        sent.load(Ordering::Relaxed),
        memory() / 1024
    );
    Ok(Row::alone(what, of_thread() - start, note))
}

/// Makes this many concurrent calls, on a budget for a tenth of them at a time.
fn waiting(runtime: &Runtime, calls: usize) -> Result<Row, Box<dyn Error>> {
    let body = Bytes::from_static(br#"{"data": [], "credits_consumed": 0}"#);
    let in_flight = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let seen = in_flight.clone();
    let transport = move |_| {
        let (response, seen) = (http::Response::new(body.clone()), seen.clone());
        async move {
            let now = seen.0.fetch_add(1, Ordering::Relaxed) + 1;
            seen.1.fetch_max(now, Ordering::Relaxed);
            tokio::task::yield_now().await;
            seen.0.fetch_sub(1, Ordering::Relaxed);
            Ok::<_, TransportError>(response)
        }
    };
    let limit: Credits = "10".parse()?;
    let client = Client::builder("https://example.com")
        .api_key("key")
        .budget(limit)
        .transport(transport)
        .build()?;
    let start = of_thread();
    let failed = runtime.block_on(async {
        let mut tasks = JoinSet::new();
        for _ in 0..calls {
            let client = client.clone();
            tasks.spawn(async move { client.company_search("example.com").send().await.is_err() });
        }
        tasks
            .join_all()
            .await
            .into_iter()
            .filter(|failed| *failed)
            .count()
    });
    let taken = of_thread() - start;
    let note = format!(
        "{failed} failed; at most {} in flight; {:.1} µs a call",
        in_flight.1.load(Ordering::Relaxed),
        taken.as_secs_f64() * 1e6 / calls as f64
    );
    Ok(Row::alone(
        format!("{calls} calls at once on a small budget"),
        taken,
        note,
    ))
}
