//! Parameters, headers and types that no document has, on calls that have one. Time is paused.

use generated_client::document::{Api, Auth, Carrier, Scheme};
use generated_client::error::TransportErrorKind;
use generated_client::money::PriceSource;
use generated_client::request::{CallOptions, Request};
use generated_client::testing::{Reply, Script};
use generated_client::{Client, ClientBuilder, Error, RetryPolicy};
use serde::Deserialize;
use serde_json::Value;
use things_client::Client as Things;
use things_client::prelude::*;
use tokio::time::Duration;

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{FREE, PAID, books, credits};
use crate::support::things::{Service, page};

fn things(replies: impl IntoIterator<Item = Reply>) -> (Script, Things) {
    let script = Script::new(replies);
    let builder = Things::builder("https://example.com").api_key(KEY);
    let client = builder.budget(credits("10")).transport(script.clone());
    (script, client.build().unwrap())
}

const ONE: &str = r#"{"cost": 2, "total": 1, "things": [7], "new": "kept"}"#;

#[tokio::test(start_paused = true)]
async fn parameters_and_headers_that_are_not_documented_are_sent() {
    let (script, client) = things([Reply::new(200, ONE)]);
    let call = client.things().limit(3);
    let call = call.extra_query("since", "a b").extra_query("since", 7);
    let call = call.header("x-trace", 1).header("X-Trace", "é?".len());
    call.send().await.unwrap();
    let sent = script.sent();
    assert_eq!(sent[0].query, "limit=3&since=a%20b&since=7");
    let traces: Vec<_> = sent[0].headers.get_all("x-trace").iter().collect();
    assert_eq!(traces, ["3"]);
}

#[tokio::test(start_paused = true)]
async fn what_the_client_sets_itself_is_refused_before_anything_is_sent() {
    let (script, client) = things([]);
    let call = || client.things().limit(3);
    #[rustfmt::skip]
    let table = [
        (call().extra_query("limit", "canary"), "things: `limit` is an argument of the call already"),
        (call().extra_query("", "canary"), "things: `` has no name"),
        (call().header("X-API-Key", "canary"), "things: `X-API-Key` is a credential header, which only the client sets"),
        (call().header("user-agent", "canary"), "things: `user-agent` is a header that the client sets itself"),
        (call().header("accept-encoding", "canary"), "things: `accept-encoding` is a header that the client sets itself"),
        (call().header("a b", "canary"), "things: `a b` is not the name of a header"),
        (call().header("x-a", "canary\n"), "things: `x-a` contains a character that is invalid in a header"),
    ];
    for (call, message) in table {
        assert!(!format!("{call:?}").contains("canary"), "{call:?}");
        let error = call.send().await.unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error:?}");
        assert_eq!(error.to_string(), message);
        assert!(!format!("{error:?}").contains("canary"), "{error:?}");
    }
    assert_eq!(script.sent().len(), 0);
    assert_eq!(client.budget().usage().calls, 0);
}

#[tokio::test(start_paused = true)]
async fn a_credential_is_refused_wherever_it_travels() {
    static SCHEMES: Api = Api {
        auth: Auth::Schemes {
            all: &[
                Scheme {
                    name: "key",
                    variable: "KEY",
                    carrier: Carrier::Query("key"),
                },
                Scheme {
                    name: "token",
                    variable: "TOKEN",
                    carrier: Carrier::Bearer,
                },
                Scheme {
                    name: "session",
                    variable: "SESSION",
                    carrier: Carrier::Cookie("sid"),
                },
            ],
            usual: &[&[]],
        },
        ..API
    };
    let send = |options: CallOptions| async move {
        let script = Script::new([Reply::new(200, "{}"), Reply::new(200, "{}")]);
        let builder = ClientBuilder::<Client>::new(&SCHEMES, "https://example.com");
        let client = builder.transport(script.clone()).build().unwrap();
        let mut request = Request::new(&PAID);
        request.options(&options);
        let result = client.send::<Value>(request).await;
        assert_eq!(script.sent().len(), usize::from(result.is_ok()));
        result
    };
    for change in [
        |options: &mut CallOptions| options.extras.query("key", &"mine"),
        |options: &mut CallOptions| options.extras.header("Authorization", &"mine"),
        |options: &mut CallOptions| options.extras.header("cookie", &"sid=mine"),
    ] {
        let mut options = CallOptions::default();
        change(&mut options);
        let error = send(options).await.unwrap_err();
        assert!(
            error.to_string().contains("is a credential header"),
            "{error}"
        );
    }
    let mut other = CallOptions::default();
    other.extras.query("keys", &"mine");
    other.extras.header("x-key", &"mine");
    send(other).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_undocumented_parameter_makes_the_price_unknown_and_a_header_does_not() {
    let cost = || Reply::new(200, r#"{"cost": 5, "things": []}"#);
    let (_, client) = things([cost()]);
    let known = client.things().header("x-trace", 1).quote();
    assert_eq!(known.at_most, Some(credits("2")));
    let call = || client.things().extra_query("deep", true);
    let quote = call().quote();
    // Four times the documented price of the operation.
    let eight = (PriceSource::Learned, Some(credits("8")));
    assert_eq!((quote.source, quote.at_most), eight);
    let given = call().price(credits("7")).quote();
    assert_eq!(
        (given.source, given.at_most),
        (PriceSource::Given, Some(credits("7")))
    );
    let assumed = call().assume_price(credits("6")).quote();
    assert_eq!(assumed.source, PriceSource::Assumed);

    // Its cost says nothing about calls without the parameter.
    call().send().await.unwrap();
    assert_eq!(client.things().quote().at_most, Some(credits("2")));
    assert_eq!(call().quote().source, PriceSource::Learned);
}

#[tokio::test(start_paused = true)]
async fn a_call_with_an_undocumented_parameter_has_the_dearest_price_at_risk_and_is_not_free() {
    let lost = || Reply::fails(TransportErrorKind::Timeout);
    for (price, attempts, at_risk) in [(None, 1, "3"), (Some("3"), 1, "3"), (Some("0"), 1, "0")] {
        let script = Script::new([lost(), lost(), lost()]);
        let builder: ClientBuilder = ClientBuilder::new(&API, "https://example.com");
        let builder = builder.api_key(KEY).budget(credits("10"));
        let client = builder.transport(script.clone()).build().unwrap();
        let mut options = CallOptions::default();
        if let Some(price) = price.map(credits) {
            options = options.price(price);
        }
        options.extras.query("deep", &1);
        let mut request = Request::new(&FREE);
        request.options(&options);
        client.send::<Value>(request).await.unwrap_err();
        assert_eq!(script.sent().len(), attempts, "{price:?}");
        assert_eq!(books(client.budget()).2, credits(at_risk));
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_has_a_deadline_of_its_own() {
    let busy = || Reply::new(429, "").header("retry-after", "20");
    let (script, client) = things([busy(), Reply::new(200, ONE), busy(), busy()]);
    client.things().send().await.unwrap();
    let call = client.things().deadline(Duration::from_secs(10));
    assert!(call.send().await.unwrap_err().status().is_some());
    assert_eq!(script.sent().len(), 3);
    // The pause of the refused call holds the next one.
    let raw = client.raw(generated_client::Method::GET, "/things");
    let raw = raw
        .deadline(Duration::from_secs(1))
        .retry(RetryPolicy::Never);
    let error = raw.send::<Value>().await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
}

#[derive(Debug, Deserialize, PartialEq)]
struct Mine {
    new: String,
}

#[tokio::test(start_paused = true)]
async fn a_response_is_decoded_as_a_type_of_the_caller_at_the_known_price() {
    let (_, client) = things([Reply::new(200, ONE), Reply::new(200, r#"{"cost": 2}"#)]);
    let response = client.things().send_as::<Mine>().await.unwrap();
    assert_eq!(response.body.new, "kept");
    assert_eq!(response.reported_charge(), Some(credits("2")));
    let error = client.things().send_as::<Mine>().await.unwrap_err();
    assert!(matches!(error, Error::Decode(_)), "{error:?}");
    assert_eq!(client.budget().usage().spent, credits("4"));
}

/// Returns five things, only one of which fits the document.
fn texts() -> Service {
    Service::of([
        page("0", "5", &[r#"{"n": 1.50, "more": [1]}"#, r#"{"n": 2}"#]),
        page("2", "5", &["3", r#"{"n": 4}"#]),
        page("4", "5", &[r#"{"n": 5}"#]),
    ])
}

#[derive(Debug, Deserialize)]
struct Thing {
    n: serde_json::Number,
}

#[tokio::test(start_paused = true)]
async fn items_are_read_as_a_type_of_the_caller_from_their_bytes() {
    let service = texts();
    let mut items = service.client().things().limit(2).items_as::<Thing>();
    let mut read = Vec::new();
    while let Some(item) = items.next().await {
        match item {
            Ok(thing) => read.push(thing.n.to_string()),
            Err(Error::Record(error)) => read.push(error.reject.raw.get().to_owned()),
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(read, ["1.5", "2", "3", "4", "5"]);
    assert_eq!(
        service.asked(),
        ["limit=2", "limit=2&offset=2", "limit=2&offset=4"]
    );
    assert_eq!(items.offset(), 5);
    assert_eq!(items.quote().calls, Some(0));
}

#[tokio::test(start_paused = true)]
async fn items_of_any_type_keep_the_text_of_each_record() {
    type Text = Box<serde_json::value::RawValue>;
    let client = texts().client();
    let mut items = client.things().limit(2).items_as::<Text>().take(1);
    let first = items.next().await.unwrap().unwrap();
    assert_eq!(first.get(), r#"{"n": 1.50, "more": [1]}"#);
    assert!(items.next().await.is_none());
    assert_eq!(client.budget().usage().spent, credits("2"));
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_offset_is_an_undocumented_parameter_is_refused_before_its_first_page() {
    let service = Service::of([page("5", "7", &["5", "6"])]);
    let call = service.client().things().extra_query("offset", 5);
    let error = call.pages().next().await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Argument(_)), "{error:?}");
    assert_eq!(service.asked(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn every_page_of_a_run_has_the_undocumented_parameters() {
    let service = texts();
    let call = service.client().things().extra_query("deep", 1);
    let mut items = call.items_as::<Value>();
    while let Some(item) = items.next().await {
        item.unwrap();
    }
    assert_eq!(
        service.asked(),
        ["offset=0&deep=1", "offset=2&deep=1", "offset=4&deep=1"]
    );
}
