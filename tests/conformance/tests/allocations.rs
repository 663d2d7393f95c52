//! Allocations of a decode and of a call, which depend on no machine and no load. Times are in `tests/bench`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that panics is a test that fails"
)]

use allocation_counter::{AllocationInfo, measure};
use company_intel::document::Documented;
use company_intel::error::TransportError;
use company_intel::prelude::*;
use company_intel::types::{JobPostsResponse, NewsResponse};
use company_intel::{Bytes, Client, Response, http};
use serde_json::Value;

/// Number of records of the page that is compared with a page of one record.
const MANY: u64 = 257;

/// Returns a page of `records` copies of the record of the reviewed payload.
fn page(operation: &str, records: u64) -> Value {
    let mut page: Value = serde_json::from_str(&reviewed_facts::payload(operation)).unwrap();
    let mut record = page["data"][0].clone();
    // The type's own form: another form would be kept beside it.
    if let Some(tag) = record.pointer("/tags/0").cloned() {
        record["primary_tag"] = tag;
    }
    page["data"] = (0..records).map(|_| record.clone()).collect();
    page
}

/// Returns the allocations per additional record.
fn of_a_record(of: impl Fn(u64) -> u64) -> u64 {
    (of(MANY) - of(1)) / (MANY - 1)
}

/// Counts the non-empty strings and lists in a value. Each needs an allocation.
fn strings_and_lists(value: &Value) -> u64 {
    match value {
        Value::String(text) => u64::from(!text.is_empty()),
        Value::Array(list) => {
            u64::from(!list.is_empty()) + list.iter().map(strings_and_lists).sum::<u64>()
        }
        Value::Object(members) => members.values().map(strings_and_lists).sum(),
        _ => 0,
    }
}

fn decoding<T: Documented>(operation: &str, records: u64) -> AllocationInfo {
    let body = Bytes::from(page(operation, records).to_string());
    measure(|| drop(Response::<T>::from_bytes(body).unwrap()))
}

#[test]
fn a_record_takes_an_allocation_for_each_text_and_list() {
    fn check<T: Documented>(operation: &str) {
        let kept = strings_and_lists(&page(operation, 1)["data"][0]);
        let taken = of_a_record(|records| decoding::<T>(operation, records).count_total);
        assert!(
            taken <= kept,
            "{operation}: {taken}; {kept} strings and lists"
        );
    }
    check::<JobPostsResponse>("job_posts");
    check::<NewsResponse>("news");
}

/// Measures the third call of a client, to a service that responds at once.
fn call(records: u64, budget: Option<&str>) -> AllocationInfo {
    let body = Bytes::from(page("job_posts", records).to_string());
    let mut builder = Client::builder("https://api.example")
        .api_key("key")
        .transport(move |_| {
            let body = body.clone();
            async { Ok::<_, TransportError>(http::Response::new(body)) }
        });
    if let Some(budget) = budget {
        builder = builder.budget(budget.parse().unwrap());
    }
    let client = builder.build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().unwrap();
    let call = || {
        let call = client.job_posts("example.com").send();
        measure(|| drop(runtime.block_on(call).unwrap()))
    };
    call();
    call();
    call()
}

#[test]
fn a_call_takes_what_its_decode_takes_and_the_same_for_any_page_and_budget() {
    let once = call(1, None);
    for budget in [None, Some("1000")] {
        let more = |of: fn(&AllocationInfo) -> u64| {
            let decoding = |records| of(&decoding::<JobPostsResponse>("job_posts", records));
            let call = |records| of(&call(records, budget));
            assert_eq!(call(MANY) - call(1), decoding(MANY) - decoding(1));
        };
        more(|info| info.count_total);
        // A body is copied only by its decode.
        more(|info| info.bytes_total);
        assert_eq!(call(1, budget).count_total, once.count_total);
    }
    // The task, its future, the request, the reservation and the record of the call.
    let decoding = decoding::<JobPostsResponse>("job_posts", 1).count_total;
    let beside = once.count_total - decoding;
    assert!(beside <= 33, "{beside} allocations beside the decode");
}
