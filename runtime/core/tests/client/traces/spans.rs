//! Content of traces for calls and attempts, and data that must never appear. Time is paused.

use std::time::Duration;

use generated_client::document::{Api, Operation, Tariff};
use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::testing::{self, Reply};
use generated_client::{
    Bytes, Client, ClientBuilder, Credits, Error, Method, RetryPolicy, StatusCode, http,
};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{
    After, DONE, FREE, Fails, Hangs, PAID, Responds, Script, Step, UNKNOWN, booked, books, call,
    credits, silent_panic,
};
use crate::support::span_recorder::{Fields, Recorded, Recorder};

/// Makes one call and gives back what was recorded during it.
async fn recorded(steps: Vec<Step>, operation: &'static Operation) -> Recorded {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    let client = Script::of(steps).builder().budget(credits("10")).build();
    // A call that would hang is cancelled.
    let _ = timeout(Duration::from_secs(300), call(&client.unwrap(), operation)).await;
    recorder.take()
}

fn fields<'a>(pairs: impl IntoIterator<Item = (&'static str, &'a str)>) -> Fields {
    let pairs = pairs.into_iter();
    pairs
        .map(|(name, value)| (name, value.to_owned()))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_call_is_a_span_and_each_of_its_attempts_one_below_it() {
    let steps = vec![
        Responds(503, Some("20"), ""),
        After(3, Box::new(DONE)),
        Hangs,
    ];
    let spans = recorded(steps, &PAID).await.spans;
    let names: Vec<_> = spans.iter().map(|span| (span.name, span.parent)).collect();
    assert_eq!(
        names,
        [("call", None), ("attempt", Some(0)), ("attempt", Some(0))]
    );
    let common = [
        ("operation", "paid"),
        ("http.request.method", "GET"),
        ("url.template", "/paid"),
        ("server.address", "example.com"),
        ("server.port", "443"),
    ];
    assert_eq!(spans[0].fields, fields(common));
    let attempt = common.into_iter().chain([
        ("otel.name", "GET /paid"),
        ("otel.kind", "client"),
        ("credits.reserved", "2.0"),
    ]);
    let first = attempt.clone().chain([
        ("http.response.status_code", "503"),
        ("error.type", "503"),
        ("otel.status_code", "ERROR"),
    ]);
    assert_eq!(spans[1].fields, fields(first));
    let second = attempt.chain([
        ("http.request.resend_count", "1"),
        ("http.response.status_code", "200"),
        ("credits.consumed", "2.0"),
    ]);
    assert_eq!(spans[2].fields, fields(second));
    // The pause belongs to the call alone.
    let lasted: Vec<_> = spans
        .iter()
        .map(|span| (span.ended.unwrap() - span.began).as_secs())
        .collect();
    assert_eq!(lasted, [23, 0, 3]);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_says_how_it_ended_and_what_it_did_to_the_money() {
    // The ending; status, error, consumed, at risk.
    type Said = [Option<&'static str>; 4];
    #[rustfmt::skip]
    let table: [(Step, Said); 9] = [
        (DONE, [Some("200"), None, Some("2.0"), None]),
        (Responds(200, None, "{}"), [Some("200"), None, None, Some("2.0")]),
        (Responds(404, None, r#"{"cost": 1.5}"#), [Some("404"), Some("404"), Some("1.5"), None]),
        (Responds(401, None, ""), [Some("401"), Some("401"), None, None]),
        (Fails(TransportErrorKind::Connect), [None, Some("connect"), None, None]),
        (Fails(TransportErrorKind::Timeout), [None, Some("timeout"), None, Some("2.0")]),
        (Fails(TransportErrorKind::Body), [None, Some("body"), None, Some("2.0")]),
        (Fails(TransportErrorKind::Other), [None, Some("other"), None, Some("2.0")]),
        // Cancelled: what was recorded stays.
        (Hangs, [None, None, None, None]),
    ];
    for (step, said) in table {
        let spans = recorded(vec![step; 3], &PAID).await.spans;
        let attempt = &spans[1].fields;
        let found = [
            "http.response.status_code",
            "error.type",
            "credits.consumed",
            "credits.at_risk",
        ]
        .map(|name| attempt.get(name).map(String::as_str));
        assert_eq!(found, said);
        assert_eq!(attempt["credits.reserved"], "2.0");
        let is_error = attempt.contains_key("otel.status_code");
        assert_eq!(is_error, said[1].is_some(), "{said:?}");
        assert_eq!(
            spans[0].fields.get("error.type").map(String::as_str),
            said[1]
        );
        assert!(spans.iter().all(|span| span.ended.is_some()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_says_why_it_failed_also_when_nothing_was_sent() {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    let script = Script::of([Responds(200, None, "not json"), DONE]);
    let builder = || script.builder().retry(RetryPolicy::Never);
    let broke = builder().budget(Credits::ZERO).build().unwrap();
    let late = builder().deadline(Duration::ZERO).build().unwrap();
    let client: Client = builder().build().unwrap();
    let mut refused = Request::new(&FREE);
    refused.path("name", &"value");

    client.send::<Value>(refused).await.unwrap_err();
    call(&broke, &PAID).await.unwrap_err();
    call(&late, &PAID).await.unwrap_err();
    call(&client, &PAID).await.unwrap_err();
    call(&client, &PAID).await.unwrap();
    let spans = recorder.take().spans;
    let types: Vec<_> = spans
        .iter()
        .filter(|span| span.name == "call")
        .map(|span| span.fields.get("error.type").map(String::as_str))
        .collect();
    assert_eq!(
        types,
        [
            Some("argument"),
            Some("budget"),
            Some("deadline_exceeded"),
            Some("decode"),
            None
        ]
    );
    assert_eq!(spans.len(), 5 + 2);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_said_to_be_reserved_where_nothing_is() {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    static UNPRICED: Api = Api {
        interceptor: Some(|| generated_client::meter(None, None)),
        ..API
    };
    let script = testing::Script::new([Reply::new(404, "")]);
    let builder: ClientBuilder = ClientBuilder::new(&UNPRICED, "https://example.com");
    let client = builder.api_key(KEY).transport(script).build().unwrap();
    call(&client, &UNKNOWN).await.unwrap_err();
    let spans = recorder.take().spans;
    assert!(!spans[1].fields.contains_key("credits.reserved"));
    assert!(!spans[1].fields.contains_key("credits.at_risk"));
}

static ABOUT: Operation = Operation {
    id: "about",
    method: Method::POST,
    path: "/v1/about/{whom}",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &[],
        charge: Some("cost"),
    }),
    response: &generated_client::document::Shape::Any,
};

#[tokio::test(start_paused = true)]
async fn neither_the_key_nor_an_argument_nor_an_answer_is_recorded() {
    assert!(KEY.contains("canary"));
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    let echo = |request: http::Request<Bytes>| async move {
        let body = format!("{} {request:?}", request.uri());
        let mut response = http::Response::new(Bytes::from(body));
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response
            .headers_mut()
            .insert("x-seen", "canary".parse().unwrap());
        Ok(response)
    };
    let client: Client = ClientBuilder::new(&API, "https://example.com/canary")
        .api_key(KEY)
        .transport(echo)
        .retry(RetryPolicy::Always)
        .build()
        .unwrap();
    let mut request = Request::new(&ABOUT);
    request
        .path("whom", &"canary")
        .query("canary", &"canary")
        .header("x-trace", &"canary")
        .json(&json!({"name": "canary"}));
    let error = client.send::<Value>(request).await.unwrap_err();
    assert!(matches!(error, Error::Status(_)), "{error:?}");

    let recorded = recorder.take();
    assert_eq!(recorded.spans.len(), 4);
    let spans = recorded.spans.iter().map(|span| &span.fields);
    let events = recorded.events.iter().map(|(_, fields)| fields);
    for fields in spans.clone().chain(events) {
        assert!(!format!("{fields:?}").contains("canary"), "{fields:?}");
    }
    for fields in spans {
        assert_eq!(fields["url.template"], "/v1/about/{whom}");
    }
}

#[tokio::test(start_paused = true)]
async fn trace_context_is_written_in_the_span_of_each_attempt_and_is_nothing_else() {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    let script = Script::of([Responds(503, None, ""), DONE]);
    let spans = recorder.clone();
    let builder = script.builder().trace_context(move |headers| {
        assert!(headers.is_empty(), "{headers:?}");
        let name = spans.current();
        for header in ["traceparent", "x-other"] {
            headers.insert(header, name.parse().unwrap());
        }
    });
    let client = builder.budget(credits("10")).build().unwrap();
    call(&client, &FREE).await.unwrap();
    assert_eq!(script.headers("traceparent"), ["attempt", "attempt"]);
    assert!(script.headers("x-other").is_empty());
}

/// The state of one trace says nothing of the parent in another.
#[tokio::test(start_paused = true)]
async fn the_trace_of_a_call_that_has_one_stays() {
    let script = Script::of([DONE]);
    let builder = script.builder().trace_context(|headers| {
        for header in ["traceparent", "tracestate", "baggage"] {
            headers.append(header, "program-1".parse().unwrap());
            headers.append(header, "program-2".parse().unwrap());
        }
    });
    let builder = builder.default_header("traceparent", "own");
    let client = builder.budget(credits("10")).build().unwrap();
    call(&client, &FREE).await.unwrap();
    assert_eq!(script.headers("traceparent"), ["own"]);
    assert!(script.headers("tracestate").is_empty());
    assert_eq!(script.headers("baggage"), ["program-1"]);
}

#[tokio::test(start_paused = true)]
async fn a_panic_while_trace_context_is_written_leaves_nothing_at_risk() {
    let script = Script::of([DONE]);
    let builder = script.builder().trace_context(|_| silent_panic());
    let client = builder.budget(credits("10")).build().unwrap();
    let calling = client.clone();
    let called = tokio::spawn(async move { call(&calling, &PAID).await });
    assert!(called.await.unwrap_err().is_panic());
    assert_eq!(books(client.budget()), booked("0", "0", "0"));
    assert_eq!(script.attempts(), 0);
}
