//! What a client of any kind does in the cases of calls, counted by the service: a column of `docs/faults.md`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::KEY;
use crate::adapter::{self, Ended, Report, Task};
use crate::calls::{Call, CallCase, Host};
use crate::cases;
use crate::service::{Deed, Service, Then};

/// Number of adapters that run at the same time.
const AT_ONCE: usize = 16;

/// A call that an adapter made.
pub struct Played {
    case: CallCase,
    call: Call,
    report: Report,
    /// Number of requests that the service read.
    requests: usize,
    /// Whether another address got the key.
    key_elsewhere: bool,
}

/// A row of the table: a statement that is true for some of the calls that it is about.
#[derive(Debug, Clone, Copy)]
enum Statement {
    DocumentedReturned,
    OtherReturned,
    BadRecordSetAside,
    FailureReported,
    StatusKept,
    ErrorBodyKept,
    UndecodedBodyKept,
    PartialBodyKept,
    ChargeKnown,
    DeclinedRepeated,
    FreeRepeated,
    PaidRepeated,
    KeyElsewhere,
}

const ROWS: [(Statement, &str); 13] = [
    (
        Statement::DocumentedReturned,
        "A documented response is returned",
    ),
    (
        Statement::OtherReturned,
        "A response is returned although its charge or count is missing or unusable",
    ),
    (
        Statement::BadRecordSetAside,
        "A page is returned although a record does not decode",
    ),
    (Statement::FailureReported, "A failure is an error"),
    (Statement::StatusKept, "The error has the status code"),
    (
        Statement::ErrorBodyKept,
        "The error has the body of a response with an error status",
    ),
    (
        Statement::UndecodedBodyKept,
        "The error has the body of a success that does not decode",
    ),
    (
        Statement::PartialBodyKept,
        "The error has what arrived of a body that breaks off or stalls",
    ),
    (
        Statement::ChargeKnown,
        "The charge that a response states is known",
    ),
    (
        Statement::DeclinedRepeated,
        "A declined request (429, or 503 with `Retry-After`) is repeated",
    ),
    (
        Statement::FreeRepeated,
        "A free call is repeated after a timeout, a lost connection or a 5xx",
    ),
    (
        Statement::PaidRepeated,
        "A paid call is repeated although it may have been billed",
    ),
    (
        Statement::KeyElsewhere,
        "A redirect takes the key to another address",
    ),
];

impl Statement {
    /// Returns whether the statement is about a call.
    fn is_about(self, played: &Played) -> bool {
        let service = &played.case.service;
        let expected = played.case.caller.ended(played.call);
        let ends = expected.ends.as_deref();
        let is_sound = ends.is_none() && played.case.caller.paid.rejects == 0;
        let is_repeatable = ends.is_some() && expected.attempts > 1;
        match self {
            Self::DocumentedReturned => is_sound && has_numbers(&service.body()),
            Self::OtherReturned => is_sound && !has_numbers(&service.body()),
            Self::BadRecordSetAside => expected.rejects > 0,
            Self::FailureReported => ends.is_some(),
            Self::StatusKept => ends == Some("status"),
            Self::ErrorBodyKept => ends == Some("status") && !service.body().is_empty(),
            Self::UndecodedBodyKept => ends == Some("decode") && !service.body().is_empty(),
            Self::PartialBodyKept => service.status.is_some() && service.then != Then::Listens,
            Self::ChargeKnown => expected.outcome.starts_with("charged"),
            Self::DeclinedRepeated => is_repeatable && expected.outcome == "rejected",
            Self::FreeRepeated => is_repeatable && expected.outcome == "unknown 0",
            Self::PaidRepeated => {
                played.call == Call::Paid
                    && ends.is_some()
                    && expected.outcome.starts_with("unknown")
            }
            Self::KeyElsewhere => service.status.is_some_and(|status| status / 100 == 3),
        }
    }

    /// Returns whether it is true for a call that it is about.
    fn is_true(self, played: &Played) -> bool {
        let Played { case, report, .. } = played;
        let has_body = report.body.as_deref() == Some(&case.service.body());
        match self {
            Self::DocumentedReturned | Self::OtherReturned | Self::BadRecordSetAside => {
                report.ended == Ended::Response
            }
            Self::FailureReported => report.ended != Ended::Response,
            Self::StatusKept => report.status == case.service.status,
            Self::ErrorBodyKept | Self::UndecodedBodyKept | Self::PartialBodyKept => has_body,
            Self::ChargeKnown => {
                let cost = report.cost.map(|cost| format!("charged {cost}"));
                cost.as_ref() == Some(&case.caller.ended(played.call).outcome)
            }
            Self::DeclinedRepeated | Self::FreeRepeated | Self::PaidRepeated => played.requests > 1,
            Self::KeyElsewhere => played.key_elsewhere,
        }
    }
}

/// Returns whether the numbers of a page are numbers.
fn has_numbers(body: &str) -> bool {
    let page: Value = serde_json::from_str(body).unwrap_or_default();
    let charge = page["credits_consumed"].as_f64();
    charge.is_some_and(|charge| (0.0..1e9).contains(&charge)) && page["count"].is_u64()
}

/// Adds the members that a response has by the document, if it is a page: cases have only those that they are about.
fn complete(body: &mut String) {
    let Ok(Value::Object(mut page)) = serde_json::from_str(body) else {
        return;
    };
    if page.get("data").is_some_and(Value::is_array) {
        for (name, value) in [
            ("status", json!("success")),
            ("count", json!(0)),
            ("limit", json!(10)),
            ("offset", json!(0)),
        ] {
            page.entry(name).or_insert(value);
        }
        *body = Value::Object(page).to_string();
    }
}

/// Has an adapter make the calls of all cases.
pub async fn play(program: &[String]) -> Vec<Played> {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut playing = Vec::new();
    for case in cases::read("calls") {
        for call in [Call::Paid, Call::Free] {
            let (case, program, places): (CallCase, _, _) =
                (case.clone(), program.to_vec(), places.clone());
            playing.push(tokio::spawn(async move {
                let _place = places.acquire().await.unwrap();
                play_call(case, call, program).await
            }));
        }
    }
    let mut played = Vec::new();
    for playing in playing {
        played.push(playing.await.unwrap());
    }
    played
}

async fn play_call(mut case: CallCase, call: Call, program: Vec<String>) -> Played {
    complete(&mut case.service.body);
    let elsewhere = Service::of([Deed::json("{}")]).await;
    let host = Host::start(&case.service, call, &elsewhere.url()).await;
    let (name, parameter) = match call {
        Call::Paid => ("job_posts", "company"),
        Call::Free => ("company_search", "query"),
    };
    let is_silent = case.service.then == Then::Hangs || host.service.is_none();
    let task = Task {
        base_url: host.url.clone(),
        key: KEY.to_owned(),
        call: name.to_owned(),
        arguments: BTreeMap::from([(parameter.to_owned(), "a.example".to_owned())]),
        timeout_ms: if is_silent { 1500 } else { 20_000 },
    };
    let report = spawn_blocking(move || adapter::ask(&program, &task));
    let report = report.await.unwrap().unwrap();
    let requests = host.service.map_or(0, |service| service.requests().len());
    let got_key = elsewhere
        .requests()
        .iter()
        .any(|request| request.header("x-api-key") == [KEY]);
    Played {
        case,
        call,
        report,
        requests,
        key_elsewhere: got_key,
    }
}

/// Counts the calls for which a statement is true, and those that it is about.
fn cell(statement: Statement, played: &[Played]) -> String {
    let about: Vec<_> = played
        .iter()
        .filter(|played| statement.is_about(played))
        .collect();
    let so = about.iter().filter(|played| statement.is_true(played));
    format!("{}/{}", so.count(), about.len())
}

/// Returns the rows of the table, with a cell for each client.
pub fn rows(clients: &[Vec<Played>]) -> Vec<String> {
    let mut rows = Vec::new();
    for (statement, label) in ROWS {
        let cells: Vec<_> = clients
            .iter()
            .map(|played| cell(statement, played))
            .collect();
        rows.push(format!("| {label} | {} |", cells.join(" | ")));
    }
    rows
}
