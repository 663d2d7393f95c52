//! Calls of endpoints that no document has. Time is paused.

use generated_client::document::{Operation, Tariff};
use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::{Error, Method, Outcome, RetryPolicy, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Duration, timeout};

use crate::support::api::{KEY, LIST, Log, client, responding};
use crate::support::scripted_client::{
    DONE, Fails, Hangs, Responds, Script, books, credits, settle_all,
};
use crate::support::span_recorder::Recorder;

#[tokio::test]
async fn a_raw_call_is_sent_as_it_is_given_with_the_headers_of_the_client() {
    let log = Log::default();
    let client = client(responding(&log, StatusCode::OK, "null")).unwrap();
    client
        .raw(Method::PATCH, "/v2/thing%20s:batch")
        .query("q", "a b")
        .query("q", 7)
        .header("x-trace", 42)
        .header("x-api-key", "other")
        .json(&json!({"a": 1}))
        .send::<Value>()
        .await
        .unwrap();
    let sent = &log.take()[0];
    assert_eq!(sent.method(), Method::PATCH);
    assert_eq!(
        sent.uri(),
        "https://example.com/base/v2/thing%20s:batch?q=a%20b&q=7"
    );
    assert_eq!(sent.headers()["x-api-key"], KEY);
    assert_eq!(sent.headers()["x-trace"], "42");
    assert_eq!(sent.headers()["content-type"], "application/json");
    assert_eq!(sent.body(), r#"{"a":1}"#);
}

#[tokio::test]
async fn a_link_of_a_response_is_followed_at_the_origin_of_the_client_alone() {
    let log = Log::default();
    let client = client(responding(&log, StatusCode::OK, "null")).unwrap();
    for link in [
        "https://example.com/base/v2/things?page=2&q=a%20b",
        "/base/v2/things?page=2&q=a%20b",
    ] {
        let call = client.raw(Method::GET, "/").link(link);
        call.send::<Value>().await.unwrap();
        let uri = log.take()[0].uri().to_string();
        assert_eq!(uri, "https://example.com/base/v2/things?page=2&q=a%20b");
    }
    let elsewhere = client
        .raw(Method::GET, "/")
        .link("https://elsewhere.example/canary");
    let error = elsewhere.send::<Value>().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "raw: `link` has a link to another origin, which no credentials are sent to"
    );
    assert!(log.take().is_empty());
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_before_anything_is() {
    let log = Log::default();
    let client = client(responding(&log, StatusCode::OK, "null")).unwrap();
    #[rustfmt::skip]
    let table = [
        (Method::GET, "canary", "raw: `path` does not start with `/`"),
        (Method::GET, "/canary/../x", "raw: `path` has a segment `.` or `..`"),
        (Method::POST, "/?canary", "raw: `path` contains a character that must be encoded, or that belongs in the query"),
        (Method::TRACE, "/canary", "raw: `method` is not one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, QUERY"),
    ];
    for (method, path, message) in table {
        let call = client.raw(method, path);
        let error = call.query("q", 1).send::<Value>().await.unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error:?}");
        assert_eq!(error.to_string(), message);
        assert!(!format!("{error:?}").contains("canary"), "{error:?}");
    }
    assert_eq!(log.take().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_raw_call_has_the_dearest_price_at_risk_and_its_own_is_not_remembered() {
    let script = Script::of([DONE, Hangs, Hangs]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let get = || client.raw(Method::GET, "/v2/things");

    #[derive(Deserialize)]
    struct Cost {
        cost: u8,
    }
    let response = get().send::<Cost>().await.unwrap();
    assert_eq!(response.body.cost, 2);
    assert_eq!(response.meta.outcome(), Outcome::Charged(credits("2")));
    assert_eq!(response.reported_charge(), Some(credits("2")));

    let lost = |call: generated_client::RawCall| async {
        timeout(Duration::from_secs(9), call.send::<Value>())
            .await
            .unwrap_err();
        let (_, _, at_risk) = books(client.budget());
        settle_all(client.budget());
        at_risk
    };
    assert_eq!(lost(get()).await, credits("3"));
    assert_eq!(lost(get().price(credits("0.5"))).await, credits("0.5"));
}

#[tokio::test(start_paused = true)]
async fn a_raw_call_counts_as_paid() {
    let lost = || Fails(TransportErrorKind::Timeout);
    let broken = || Fails(TransportErrorKind::Connect);
    for (step, price, policy, attempts) in [
        (lost(), "1", RetryPolicy::Standard, 1),
        (lost(), "0", RetryPolicy::Standard, 1),
        (lost(), "1", RetryPolicy::Always, 3),
        (broken(), "1", RetryPolicy::Standard, 3),
        (broken(), "1", RetryPolicy::Never, 1),
    ] {
        let script = Script::of(vec![step; 3]);
        let client = script.builder().budget(credits("10")).build().unwrap();
        let call = client.raw(Method::DELETE, "/v2/things/1");
        let call = call.price(credits(price)).retry(policy);
        let error = call.send::<Value>().await.unwrap_err();
        assert_eq!(script.attempts(), attempts, "{policy:?}");
        assert!(!error.may_have_been_charged() || !error.is_retryable());
    }
}

#[tokio::test(start_paused = true)]
async fn neither_errors_nor_spans_say_which_path_was_called() {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    let script = Script::of([Responds(404, None, "")]);
    let client = script.builder().build().unwrap();
    let call = client.raw(Method::GET, "/canary").query("canary", "canary");
    let error = call.send::<Value>().await.unwrap_err();
    assert_eq!(error.to_string(), "raw (GET) responded with 404 Not Found");
    assert_eq!(error.operation(), Some("raw"));
    for span in recorder.take().spans {
        assert!(!format!("{:?}", span.fields).contains("canary"));
        assert!(!span.fields.contains_key("url.template"));
        assert!(span.name == "call" || span.fields["otel.name"] == "GET");
    }
}

#[tokio::test(start_paused = true)]
async fn a_raw_call_waits_for_its_turn_like_any_other() {
    let script = Script::of([DONE]);
    let client = script.builder().budget(credits("2")).build().unwrap();
    let held = client.budget().reserve(credits("2"));
    let held = held.await.unwrap();
    held.charged(credits("2"));
    let call = client.raw(Method::GET, "/v2/things").price(credits("1"));
    let error = call.send::<Value>().await.unwrap_err();
    assert!(error.budget().is_some(), "{error:?}");
    assert_eq!(script.attempts(), 0);
}

#[tokio::test]
async fn the_api_says_where_an_answer_reports_its_charge_unless_the_operation_does() {
    static ELSEWHERE: Operation = operation(&Tariff {
        prices: &[],
        priced_by: &[],
        charge: Some("price"),
    });
    static SILENT: Operation = operation(&Tariff {
        prices: &[],
        priced_by: &[],
        charge: None,
    });
    const fn operation(tariff: &'static Tariff) -> Operation {
        Operation {
            id: "some",
            method: Method::GET,
            path: "/some",
            extension: Some(tariff),
            response: &generated_client::document::Shape::Any,
        }
    }
    let client = client(responding(
        &Log::default(),
        StatusCode::OK,
        r#"{"cost": 2, "price": 3}"#,
    ))
    .unwrap();
    for (operation, cost) in [(&LIST, "2"), (&ELSEWHERE, "3"), (&SILENT, "2")] {
        let response = client.send::<Value>(Request::new(operation)).await.unwrap();
        assert_eq!(response.meta.outcome(), Outcome::Charged(credits(cost)));
    }
}
