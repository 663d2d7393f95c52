//! Each row of the table of `RetryPolicy` is what calls do that cost nothing, free calls of a metered API, and paid ones. The cases in
//! `tests/conformance/cases/calls/` have the same ends over sockets. Time is paused.

use std::time::Duration;

use generated_client::credentials::{Token, TokenReason};
use generated_client::document::{Api, Auth, Operation};
use generated_client::error::TransportErrorKind::{Body as BodyError, Connect, Other, Timeout};
use generated_client::request::{Body, Payload, Request};
use generated_client::testing::{Reply, Script};
use generated_client::{Client, ClientBuilder, Method, RetryPolicy};
use serde_json::Value;
use tokio::time::Instant;

use crate::support::api::API;
use crate::support::scripted_client::{FREE, PAID};

const DOCUMENTED: &str = include_str!("../../../src/request/options.rs");
const MOST: usize = RetryPolicy::MOST_ATTEMPTS as usize;

/// What happens beside the replies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Beside {
    Nothing,
    /// 50 calls were attempted three times.
    EmptyBucket,
    /// The body is from a reader.
    SpentBody,
}

fn says(status: u16) -> Reply {
    Reply::new(status, "{}")
}

fn wait(status: u16) -> Reply {
    says(status).header("retry-after", "1")
}

fn again(status: u16) -> Reply {
    says(status).header("x-should-retry", "true")
}

fn not_again(status: u16) -> Reply {
    wait(status).header("x-should-retry", "false")
}

fn long(status: u16) -> Reply {
    says(status).header("retry-after", "61")
}

/// How each row begins, and the replies that bring it about.
#[rustfmt::skip]
fn replays() -> Vec<(&'static str, Vec<Reply>, Beside)> {
    use Beside::{EmptyBucket, Nothing, SpentBody};
    let lost = [Timeout, Other, BodyError].map(Reply::fails).into();
    let at_once = || vec![says(503).header("retry-after", "0")];
    vec![
        ("no connection, DNS or TLS failure", vec![Reply::fails(Connect)], Nothing),
        ("429, or 503 with", vec![says(429), wait(429), wait(503)], Nothing),
        ("401 to a token of", vec![says(401)], Nothing),
        ("timeout, reset, response broke off", lost, Nothing),
        ("408, 500, 502, 503, 504", [408, 500, 502, 503, 504].map(says).into(), Nothing),
        ("any other 4xx or 5xx", [409, 501].map(again).into(), Nothing),
        ("any other status", vec![again(302), again(403), says(404), wait(409), says(501)], Nothing),
        ("a body above the size limit", vec![Reply::new(200, " ".repeat(2000))], Nothing),
        ("2xx", vec![again(200), wait(204)], Nothing),
        ("any of these, with `Retry-After` above 60 s", [429, 503].map(long).into(), Nothing),
        ("any of these, with `x-should-retry: false`", [429, 500, 503].map(not_again).into(), Nothing),
        ("any of these, while the retry bucket", at_once(), EmptyBucket),
        ("any of these, after a body", at_once(), SpentBody),
    ]
}

static PLAIN_API: Api = Api {
    auth: Auth::Bearer,
    interceptor: None,
    ..API
};
static PAID_API: Api = Api {
    auth: Auth::Bearer,
    ..API
};

/// Calls, and whether they count as idempotent: a second request has no further effect, and costs nothing.
fn calls() -> Vec<(&'static Api, &'static Operation, bool)> {
    let of = |method: &Method, operation: &Operation| -> &'static Operation {
        let method = method.clone();
        let operation = operation.clone();
        Box::leak(Box::new(Operation {
            method,
            ..operation
        }))
    };
    let mut calls = vec![
        (&PLAIN_API, of(&Method::DELETE, &FREE), true),
        (&PLAIN_API, of(&Method::PATCH, &FREE), false),
    ];
    for method in [Method::GET, Method::PUT, Method::POST] {
        let is_idempotent = method != Method::POST;
        calls.push((&PLAIN_API, of(&method, &FREE), is_idempotent));
        calls.push((&PAID_API, of(&method, &FREE), is_idempotent));
        calls.push((&PAID_API, of(&method, &PAID), false));
    }
    calls
}

/// Returns the rows of the table: a result, and whether the call is attempted again.
fn rows() -> Vec<(&'static str, &'static str)> {
    let table = DOCUMENTED.split("/// |---|---|\n").nth(1).unwrap();
    let lines = table.lines().map_while(|line| line.strip_prefix("/// | "));
    let cells = lines.map(|line| line.trim_end_matches(" |").rsplit_once(" | ").unwrap());
    cells.collect()
}

/// Makes the call, and returns how often it was sent.
async fn sent(
    reply: &Reply,
    beside: Beside,
    api: &'static Api,
    operation: &'static Operation,
) -> usize {
    let reply = reply.clone();
    let script = Script::responding(move |_| reply.clone());
    let token = |reason: TokenReason| async move { Ok(Token::new(format!("{reason:?}"))) };
    let client: Client = ClientBuilder::new(api, "https://example.com")
        .token_provider(token)
        .max_response_bytes(1000)
        .transport(script.clone())
        .build()
        .unwrap();
    let mut before = 0;
    if beside == Beside::EmptyBucket {
        for _ in 0..50 {
            _ = client.send::<Value>(Request::new(operation)).await;
        }
        before = script.sent().len();
        assert_eq!(before, 50 * MOST);
    }
    let mut request = Request::new(operation);
    if beside == Beside::SpentBody {
        let reader = Payload::from_reader(&b"once"[..], None);
        request.body(Body::bytes("text/plain", reader));
    }
    _ = client.send::<Value>(request).await;
    script.sent().len() - before
}

#[tokio::test(start_paused = true)]
async fn each_row_of_the_table_is_as_documented() {
    let (rows, replays) = (rows(), replays());
    assert_eq!(rows.len(), replays.len(), "a replay for each row: {rows:?}");
    let calls = calls();
    for ((row, again), (begin, replies, beside)) in rows.into_iter().zip(replays) {
        assert!(row.starts_with(begin), "`{row}` is replayed as `{begin}`");
        for reply in &replies {
            for (api, operation, is_idempotent) in &calls {
                let expected = match again {
                    "yes" => MOST,
                    "if idempotent" if *is_idempotent => MOST,
                    "if idempotent" | "no" => 1,
                    "once, with another token" => 2,
                    other => panic!("`{other}` is not replayed"),
                };
                let sent = sent(reply, beside, api, operation).await;
                let Operation { method, path, .. } = operation;
                assert_eq!(sent, expected, "{row}: {reply:?}, {method} {path}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_is_as_long_as_the_service_says() {
    for status in [429, 503] {
        let start = Instant::now();
        assert_eq!(
            sent(&wait(status), Beside::Nothing, &PLAIN_API, &FREE).await,
            MOST
        );
        assert!(start.elapsed() >= Duration::from_secs(2), "{status}");
    }
}
