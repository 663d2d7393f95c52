//! Each row of the table of `RetryPolicy` over sockets, for calls that cost nothing, free calls of a metered API, and paid ones.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use generated_client::credentials::{Token, TokenReason};
use generated_client::document::{Api, Auth, Operation};
use generated_client::request::{Body, Payload, Request};
use generated_client::{Client, ClientBuilder, Method, RetryPolicy};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::service::{PLAIN, PLAIN_LIST};
use crate::support::api::API;
use crate::support::scripted_client::{FREE, PAID};
use crate::support::sockets::deserted;

const DOCUMENTED: &str = include_str!("../../../../core/src/request/options.rs");

/// The ending of each attempt.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// Nothing listens.
    Nobody,
    /// The service does not speak TLS.
    NoTls,
    Silence,
    Close,
    /// The response ends before its body does.
    BreakOff,
    Says(u16, &'static str),
    /// A body above the bound.
    Large,
    /// After 50 calls that were attempted three times.
    EmptyBucket,
    /// To a body from a reader.
    SpentBody,
}

use Act::{BreakOff, Close, EmptyBucket, Large, NoTls, Nobody, Says, Silence, SpentBody};

const WAIT: &str = "retry-after: 1\r\n";
const AGAIN: &str = "x-should-retry: true\r\n";
const NOT_AGAIN: &str = "x-should-retry: false\r\nretry-after: 1\r\n";
const WAIT_LONG: &str = "retry-after: 61\r\n";
/// Above the bound of the client.
const LARGE: usize = 2000;
const MOST: usize = RetryPolicy::MOST_ATTEMPTS as usize;

/// How the row begins in the table, and what brings it about.
#[rustfmt::skip]
const REPLAYS: &[(&str, &[Act])] = &[
    ("no connection, DNS or TLS failure", &[Nobody, NoTls]),
    ("429, or 503 with", &[Says(429, ""), Says(429, WAIT), Says(503, WAIT)]),
    ("401 to a token of", &[Says(401, "")]),
    ("timeout, reset, response broke off", &[Silence, Close, BreakOff]),
    ("408, 500, 502, 503, 504", &[Says(408, ""), Says(500, ""), Says(502, ""), Says(503, ""), Says(504, "")]),
    ("any other 4xx or 5xx", &[Says(409, AGAIN), Says(501, AGAIN)]),
    ("any other status", &[Says(302, AGAIN), Says(403, AGAIN), Says(404, ""), Says(409, WAIT), Says(501, "")]),
    ("a body above the size limit", &[Large]),
    ("2xx", &[Says(200, AGAIN), Says(204, WAIT)]),
    ("any of these, with `Retry-After` above 60 s", &[Says(429, WAIT_LONG), Says(503, WAIT_LONG)]),
    ("any of these, with `x-should-retry: false`", &[Says(429, NOT_AGAIN), Says(500, NOT_AGAIN), Says(503, NOT_AGAIN)]),
    ("any of these, while the retry bucket", &[EmptyBucket]),
    ("any of these, after a body", &[SpentBody]),
];

static FREE_API: Api = Api {
    auth: Auth::Bearer,
    ..PLAIN
};
static PAID_API: Api = Api {
    auth: Auth::Bearer,
    ..API
};

static PUT: Operation = Operation {
    method: Method::PUT,
    ..PLAIN_LIST
};
static DELETE: Operation = Operation {
    method: Method::DELETE,
    ..PLAIN_LIST
};
static POST: Operation = Operation {
    method: Method::POST,
    ..PLAIN_LIST
};
static PATCH: Operation = Operation {
    method: Method::PATCH,
    ..PLAIN_LIST
};
static FREE_PUT: Operation = Operation {
    method: Method::PUT,
    ..FREE
};
static FREE_POST: Operation = Operation {
    method: Method::POST,
    ..FREE
};
static PAID_PUT: Operation = Operation {
    method: Method::PUT,
    ..PAID
};
static PAID_POST: Operation = Operation {
    method: Method::POST,
    ..PAID
};

/// Calls, and whether they count as idempotent: a second request has no further effect, and costs nothing.
static CALLS: [(&Api, &Operation, bool); 11] = [
    (&FREE_API, &PLAIN_LIST, true),
    (&FREE_API, &PUT, true),
    (&FREE_API, &DELETE, true),
    (&FREE_API, &POST, false),
    (&FREE_API, &PATCH, false),
    (&PAID_API, &FREE, true),
    (&PAID_API, &FREE_PUT, true),
    (&PAID_API, &FREE_POST, false),
    (&PAID_API, &PAID, false),
    (&PAID_API, &PAID_PUT, false),
    (&PAID_API, &PAID_POST, false),
];

/// Returns the rows of the table: a result, and whether the call is attempted again.
fn rows() -> Vec<(&'static str, &'static str)> {
    let table = DOCUMENTED.split("/// |---|---|\n").nth(1).unwrap();
    let lines = table.lines().map_while(|line| line.strip_prefix("/// | "));
    let cells = lines.map(|line| line.trim_end_matches(" |").rsplit_once(" | ").unwrap());
    cells.collect()
}

/// Counts the requests that it receives, and does the same to each.
async fn serve(act: Act) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let scheme = if matches!(act, NoTls) {
        "https"
    } else {
        "http"
    };
    let url = format!("{scheme}://{}", listener.local_addr().unwrap());
    let received = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&received);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(handle(act, stream, Arc::clone(&count)));
        }
    });
    (url, received)
}

async fn handle(act: Act, mut stream: TcpStream, count: Arc<AtomicUsize>) {
    let mut request = Vec::new();
    let is_whole = |request: &[u8]| match act {
        NoTls => !request.is_empty(),
        SpentBody => request.ends_with(b"\r\n0\r\n\r\n"),
        _ => request.ends_with(b"\r\n\r\n"),
    };
    while !is_whole(&request) {
        if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
            return;
        }
    }
    count.fetch_add(1, Ordering::SeqCst);
    let (status, headers, length) = match act {
        Silence => return sleep(Duration::from_secs(60)).await,
        Nobody | NoTls | Close => return,
        BreakOff => (200, "", 99),
        Large => (200, "", LARGE),
        Says(204, headers) => (204, headers, 0),
        Says(status, headers) => (status, headers, 2),
        EmptyBucket | SpentBody => (503, "retry-after: 0\r\n", 2),
    };
    let length = match status {
        204 => String::new(),
        _ => format!("content-length: {length}\r\n"),
    };
    let body = match act {
        Large => " ".repeat(LARGE),
        Says(204, _) => String::new(),
        _ => "{}".to_owned(),
    };
    let response =
        format!("HTTP/1.1 {status} Said\r\n{headers}{length}connection: close\r\n\r\n{body}");
    _ = stream.write_all(response.as_bytes()).await;
}

fn client(act: Act, api: &'static Api, url: &str) -> Client {
    let patience = if matches!(act, Silence) { 2 } else { 60 };
    let token = |reason: TokenReason| async move { Ok(Token::new(format!("{reason:?}"))) };
    ClientBuilder::new(api, url)
        .token_provider(token)
        .attempt_timeout(Duration::from_secs(patience))
        .max_response_bytes(1000)
        .max_in_flight(64)
        .build()
        .unwrap()
}

/// Makes the call, and returns how often it was sent.
async fn sent(act: Act, api: &'static Api, operation: &'static Operation) -> usize {
    if let Nobody = act {
        let (_kept, nowhere) = deserted();
        let client = client(act, api, &nowhere);
        let called = client.send::<Value>(Request::new(operation)).await;
        return called.unwrap_err().attempts() as usize;
    }
    let (url, received) = serve(act).await;
    let client = client(act, api, &url);
    if let EmptyBucket = act {
        let mut calls = JoinSet::new();
        for _ in 0..50 {
            let client = client.clone();
            calls.spawn(async move { client.send::<Value>(Request::new(operation)).await });
        }
        calls.join_all().await;
        assert_eq!(received.swap(0, Ordering::SeqCst), 50 * MOST);
    }
    let mut request = Request::new(operation);
    if let SpentBody = act {
        let reader = Payload::from_reader(&b"once"[..], None);
        request.body(Body::bytes("text/plain", reader));
    }
    let start = Instant::now();
    _ = client.send::<Value>(request).await;
    let sent = received.load(Ordering::SeqCst);
    if let Says(429 | 503, WAIT) = act {
        let waited = start.elapsed();
        assert!(waited >= Duration::from_secs(2), "{act:?}: {waited:?}");
    }
    sent
}

#[tokio::test]
async fn each_row_of_the_table_is_as_documented() {
    let rows = rows();
    assert_eq!(rows.len(), REPLAYS.len(), "a replay for each row: {rows:?}");
    let mut calls = JoinSet::new();
    for ((row, again), (begin, acts)) in rows.into_iter().zip(REPLAYS) {
        assert!(row.starts_with(begin), "`{row}` is replayed as `{begin}`");
        assert!(!acts.is_empty(), "{row}");
        for &act in *acts {
            for &(api, operation, is_repeatable) in &CALLS {
                if matches!(act, SpentBody) && operation.method == Method::GET {
                    continue;
                }
                let expected = match again {
                    "yes" => MOST,
                    "if idempotent" if is_repeatable => MOST,
                    "if idempotent" | "no" => 1,
                    "once, with another token" => 2,
                    other => panic!("`{other}` is not replayed"),
                };
                calls.spawn(async move {
                    let sent = sent(act, api, operation).await;
                    let (method, path) = (&operation.method, operation.path);
                    (sent != expected).then(|| {
                        format!("{row}: {act:?}, {method} {path}: {sent} instead of {expected}")
                    })
                });
            }
        }
    }
    let wrong: Vec<_> = calls.join_all().await.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
