//! Allocations of a decode and of a call, which depend on no machine and no load. Times are in `tests/bench`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that panics is a test that fails"
)]

use std::collections::BTreeMap;

use allocation_counter::{AllocationInfo, measure};
use company_intel::document::{Documented, Operation, Shape};
use company_intel::error::TransportError;
use company_intel::types::{Executive, JobPostsResponse};
use company_intel::{Bytes, Client, Method, Response, http};
use generated_client::wire::{Failure, Read, Reader};
use serde::Deserialize;
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

fn decoding<T: Documented + Read>(operation: &str, records: u64) -> AllocationInfo {
    let body = Bytes::from(page(operation, records).to_string());
    measure(|| drop(Response::<T>::from_bytes(body).unwrap()))
}

#[test]
fn a_record_takes_an_allocation_for_each_text_and_list() {
    let kept = strings_and_lists(&page("job_posts", 1)["data"][0]);
    let taken =
        of_a_record(|records| decoding::<JobPostsResponse>("job_posts", records).count_total);
    assert!(taken <= kept, "{taken}; {kept} strings and lists");
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
        builder = builder.budget(budget.parse::<company_intel::Credits>().unwrap());
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
    // The task, its future, the request, the reservations and the record of the call.
    let decoding = decoding::<JobPostsResponse>("job_posts", 1).count_total;
    let beside = once.count_total - decoding;
    assert!(beside <= 22, "{beside} allocations beside the decode");
}

static ANY: Shape = Shape::Any;
static READ_ANY: Operation = Operation {
    id: "readAny",
    method: Method::GET,
    path: "/any",
    extension: None,
    response: &ANY,
};

/// A body whose form is in no document.
macro_rules! any_body {
    ($($name:ident($of:ty)),*) => {
        $(
            #[derive(Deserialize)]
            struct $name(#[allow(dead_code)] $of);

            impl Read for $name {
                fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
                    <$of>::read(reader).map(Self)
                }
            }

            impl Documented for $name {
                fn operation() -> &'static Operation {
                    &READ_ANY
                }
            }
        )*
    };
}

any_body!(
    AnyValue(Value),
    AnyMap(serde_json::Map<String, Value>),
    AnyMaps(Vec<BTreeMap<String, Value>>),
    AnyExecutives(Vec<Executive>)
);

/// Decodes `[…, …]` of as many elements as fit into this many bytes. Returns whether that succeeded, with the most memory that it took.
fn flood<T: Documented + Read>(element: &str, bytes: usize) -> (bool, u64) {
    let list = vec![element; bytes / (element.len() + 1)].join(",");
    let body = Bytes::from(if element.starts_with('"') {
        format!("{{{list}}}")
    } else {
        format!("[{list}]")
    });
    let mut read = false;
    let taken = measure(|| match Response::<T>::from_bytes(body) {
        Ok(_) => read = true,
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains("more elements than fit into"), "{message}");
            assert!(error.body().is_some_and(|raw| raw.len() > bytes / 2));
        }
    });
    (read, taken.bytes_max)
}

#[test]
fn a_body_of_any_form_takes_no_more_memory_than_stated() {
    type Flood = fn(&str, usize) -> (bool, u64);
    let names: String = (0..200_000).map(|n| format!(r#""{n}":0,"#)).collect();
    let names = names.trim_end_matches(',');
    let few = r#"{"a":[],"b":{"c":[0]}}"#;
    let floods: [(&str, Flood); 9] = [
        (r#"{"":0}"#, flood::<AnyValue>),
        ("[0]", flood::<AnyValue>),
        ("0", flood::<AnyValue>),
        (r#""":{"":{}}"#, flood::<AnyMap>),
        (names, flood::<AnyMap>),
        (r#"{"":0}"#, flood::<AnyMaps>),
        (r#"{"x":0}"#, flood::<AnyExecutives>),
        (r#"{"x":[[0],[0],[0]]}"#, flood::<AnyExecutives>),
        (few, flood::<AnyValue>),
    ];
    for (element, flood) in floods {
        let shown = element.get(..20).unwrap_or(element);
        for bytes in [100_000, 2_500_000] {
            let (read, taken) = flood(element, bytes.max(element.len() + 1));
            assert!(read || bytes > 100_000, "{shown}");
            let stated = (64 << 20) + 8 * bytes as u64;
            // What ends the decode is an error, with its message.
            let error = 1024;
            assert!(taken <= stated + error, "{shown}: {taken} bytes");
        }
    }
}
