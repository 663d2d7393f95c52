//! The defaults that the documentation of `ClientBuilder` and `RetryPolicy` lists are those of the code.

use std::time::Duration;

use http::{Method, StatusCode};

use super::*;
use crate::call::retry_budget::{FULL, RETRY, RETRY_AFTER_TIMEOUT, SUCCESS};
use crate::call::{engine, limiter};
use crate::document::{Operation, Shape};
use crate::transport::options::HttpOptions;
use crate::transport::redirects;

const BUILDER: &str = include_str!("../builder.rs");
const OPTIONS: &str = include_str!("../../request/options.rs");

static API: Api = Api::new("example", "1.2.3", "EXAMPLE");

/// Compares the table with these columns: each row begins with a name, and has these cells from that column on.
fn assert_table(columns: &str, column: usize, rows: &[(&str, &[String])]) {
    let (_, table) = BUILDER.split_once(columns).unwrap();
    let lines = table.lines().skip(2);
    let documented: Vec<&str> = lines.map_while(|line| line.strip_prefix("/// |")).collect();
    assert_eq!(documented.len(), rows.len(), "{columns}: rows");
    for (line, (name, cells)) in documented.into_iter().zip(rows) {
        let mut is: Vec<&str> = line.split('|').map(str::trim).collect();
        assert!(is[0].contains(name), "`{line}` is the row of `{name}`");
        is.splice(
            column..column + cells.len(),
            cells.iter().map(String::as_str),
        );
        let right = format!(" {} ", is.join(" | "));
        assert_eq!(line.trim(), right.trim(), "the row has to be the second");
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

fn mib(bytes: usize) -> String {
    format!("{} MiB", bytes >> 20)
}

#[test]
fn the_table_of_defaults_is_that_of_the_code() {
    let Settings {
        http,
        retry,
        deadline,
        in_flight,
        is_detached,
        ..
    } = Settings::new(&API, String::new());
    let most = RetryPolicy::MOST_ATTEMPTS;
    assert_eq!((most, deadline), (3, None), "`three`, and no deadline");
    let is_own = http.transport.is_none() && http.wraps.is_empty();
    assert!(is_own && http.configure.is_empty() && http.plain_hosts.is_empty());
    assert!(http.default_headers.is_empty());
    let cells = [
        (
            "retries",
            format!("[`RetryPolicy::{retry:?}`], at most three attempts"),
        ),
        (
            "deadline of a call",
            format!("{} for waits and retries", seconds(engine::DEADLINE)),
        ),
        ("calls in flight", in_flight.to_string()),
        (
            "finish calls",
            if is_detached { "yes" } else { "no" }.to_owned(),
        ),
        ("time to connect", seconds(http.timeouts.connect)),
        ("idle time", seconds(http.timeouts.read)),
        ("one attempt", seconds(http.timeouts.attempt)),
        (
            "size of a response",
            format!(
                "{}, and {} for other status codes than 2xx",
                mib(http.bounds.of(StatusCode::OK)),
                mib(http.bounds.of(StatusCode::NOT_FOUND))
            ),
        ),
        (
            "`User-Agent`",
            "name and version of the generated crate".to_owned(),
        ),
        (
            "headers of every call",
            "only `Accept` and `User-Agent`".to_owned(),
        ),
        ("plain `http`", "to this machine only".to_owned()),
        (
            "proxy",
            "`HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` of the environment; none for plain `http`"
                .to_owned(),
        ),
        ("root certificates", "those of reqwest".to_owned()),
        ("redirects", "depends on the interceptor".to_owned()),
        ("transport", "the built-in one".to_owned()),
    ];
    assert_eq!(http.user_agent, format!("{}/{}", API.name, API.version));
    let rows: Vec<_> = cells
        .iter()
        .map(|(name, cell)| (*name, std::slice::from_ref(cell)))
        .collect();
    assert_table("| setting | method | default |", 2, &rows);
}

#[test]
fn the_table_of_the_transport_is_that_of_the_code() {
    let options = [false, true].map(HttpOptions::of);
    let yes_or = |is: bool, yes: String, no: &str| if is { yes } else { no.to_owned() };
    let redirects = options.map(|one| {
        yes_or(
            one.redirects,
            format!("GET and HEAD, at most {}", redirects::MOST),
            "no",
        )
    });
    #[cfg(feature = "compression")]
    let compression = options.map(|one| one.compression);
    #[cfg(not(feature = "compression"))]
    let compression = [true, false];
    let compression = compression.map(|is| yes_or(is, "gzip, Brotli, Zstandard".to_owned(), "no"));
    let http2 =
        options.map(|one| yes_or(one.http2, "if the service offers it".to_owned(), "HTTP/1.1"));
    let idle = options.map(|one| seconds(one.idle));
    let rows: [(&str, &[String]); 4] = [
        ("follow_redirects", &redirects),
        ("compression", &compression),
        ("http2", &http2),
        ("pool_idle_timeout", &idle),
    ];
    assert_table(
        "| option | an API without an interceptor | with one | reason |",
        1,
        &rows,
    );
}

#[test]
fn the_sentences_of_the_retry_policy_have_the_numbers_of_the_code() {
    let text: String = OPTIONS
        .lines()
        .map(|line| line.trim_start_matches("/// ").to_owned() + " ")
        .collect();
    let all = [
        "GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "DELETE", "POST", "PATCH", "CONNECT",
    ];
    let idempotent = all.iter().filter(|name| {
        let method = Method::from_bytes(name.as_bytes()).unwrap();
        let operation = Operation {
            id: "",
            method,
            path: "",
            extension: None,
            response: &Shape::Any,
        };
        operation.is_idempotent()
    });
    let idempotent: Vec<&str> = idempotent.copied().collect();
    let (last, others) = idempotent.split_last().unwrap();
    let longest = seconds(limiter::LONGEST_PAUSE);
    for sentence in [
        format!("{} and {last} are idempotent", others.join(", ")),
        format!(
            "Backoff: {} × {} up to {}, plus up to 100 % jitter",
            seconds(limiter::FIRST_BACKOFF),
            limiter::BACKOFF_FACTOR,
            seconds(limiter::LONGEST_BACKOFF)
        ),
        format!("A pause above {longest} ends the call."),
        format!("with `Retry-After` above {longest}"),
        format!(
            "a bucket of {FULL} tokens: a retry takes {RETRY}, after a timeout {RETRY_AFTER_TIMEOUT}, and a success returns {SUCCESS}"
        ),
    ] {
        assert!(
            text.contains(&sentence),
            "the documentation has to say: {sentence}"
        );
    }
}
