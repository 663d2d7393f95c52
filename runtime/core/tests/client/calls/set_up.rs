//! Settings of a client that every call of it has. Time is paused.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::testing::{Reply, Script};
use generated_client::transport::Transport;
use generated_client::{Bytes, Client, ClientBuilder, Error, http};
use serde_json::Value;

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{FREE, PAID, UNKNOWN, call, credits};

fn builder(script: &Script) -> ClientBuilder {
    let builder = ClientBuilder::new(&API, "https://example.com").api_key(KEY);
    builder.transport(script.clone())
}

#[tokio::test(start_paused = true)]
async fn default_headers_are_sent_unless_the_call_has_its_own() {
    let script = Script::new([Reply::new(200, "{}"), Reply::new(200, "{}")]);
    let client: Client = builder(&script)
        .default_header("X-Team", "one")
        .default_header("x-team", "two")
        .default_header("x-trace", "all")
        .user_agent("reports/2.1")
        .build()
        .unwrap();
    call(&client, &PAID).await.unwrap();
    let mut request = Request::new(&PAID);
    request.header("x-trace", &"mine");
    client.send::<Value>(request).await.unwrap();
    let sent = script.sent();
    assert_eq!(sent[0].headers["user-agent"], "reports/2.1");
    let of = |index: usize, name: &str| {
        let values = sent[index].headers.get_all(name).iter();
        values
            .map(|value| value.to_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (of(0, "x-team"), of(0, "x-trace")),
        (vec!["two".into()], vec!["all".into()])
    );
    assert_eq!(
        (of(1, "x-team"), of(1, "x-trace")),
        (vec!["two".into()], vec!["mine".into()])
    );
}

#[test]
fn a_default_header_that_the_client_sets_itself_is_refused() {
    for (name, value, problem) in [
        ("X-Api-Key", "canary", "is a credential header"),
        ("accept", "canary", "the client sets itself"),
        ("a b", "canary", "not the name of a header"),
        ("x-a", "canary\n", "a character"),
    ] {
        let builder = builder(&Script::new([])).default_header(name, value);
        let error = builder.build().unwrap_err();
        assert!(matches!(error, Error::Configuration(_)), "{error:?}");
        assert!(error.to_string().contains(problem), "{error}");
        assert!(
            !format!("{error} {error:?}").contains("canary"),
            "{error:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn wraps_see_every_attempt_and_the_last_one_is_the_outermost() {
    let script = Script::new([
        Reply::fails(TransportErrorKind::Connect),
        Reply::new(200, r#"{"cost": 2}"#),
    ]);
    let mark = |name: &'static str| {
        move |inner: Arc<dyn Transport>| {
            move |mut request: http::Request<Bytes>| {
                let inner = inner.clone();
                async move {
                    let seen = request.headers().get("x-seen").cloned();
                    let seen = seen.map(|seen| seen.to_str().unwrap().to_owned());
                    let seen = format!("{}{name}", seen.unwrap_or_default());
                    request
                        .headers_mut()
                        .insert("x-seen", seen.parse().unwrap());
                    inner.send(request).await
                }
            }
        }
    };
    let client = builder(&script).wrap(mark("b")).wrap(mark("a"));
    let client: Client = client.build().unwrap();
    let response = call(&client, &PAID).await.unwrap();
    assert_eq!(response.meta.attempts, 2);
    let sent = script.sent();
    let seen: Vec<_> = sent.iter().map(|sent| &sent.headers["x-seen"]).collect();
    assert_eq!(seen, ["ab", "ab"]);
    assert_eq!(client.budget().usage().spent, credits("2"));
}

#[tokio::test(start_paused = true)]
async fn a_wrap_can_respond_itself_and_its_responses_are_bounded() {
    let script = Script::new([]);
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let client: Client = builder(&script)
        .max_response_bytes(20)
        .wrap(move |_| {
            move |_: http::Request<Bytes>| {
                let before = counted.fetch_add(1, Ordering::Relaxed);
                let body = [r#"{"cost": 0}"#, r#"{"cost": 0, "much": "more"}"#];
                let body = Bytes::from(body[usize::from(before > 0)]);
                async move { Ok(http::Response::new(body)) }
            }
        })
        .build()
        .unwrap();
    assert_eq!(call(&client, &PAID).await.unwrap().body["cost"], 0);
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(
        matches!(&error, Error::Transport(error) if error.kind() == TransportErrorKind::TooLarge),
        "{error:?}"
    );
    assert_eq!((calls.load(Ordering::Relaxed), script.sent().len()), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn an_assumed_price_of_one_call_counts_before_that_of_all() {
    let client: Client = builder(&Script::new([]))
        .assume_price(credits("5"))
        .build()
        .unwrap();
    let quote = |request: &Request| client.quote(request).at_most;
    assert_eq!(quote(&Request::new(&UNKNOWN)), Some(credits("5")));
    let mut others = Request::new(&UNKNOWN);
    let mut options = generated_client::request::CallOptions::default();
    options = options.assume_price(credits("4"));
    others.options(&options);
    assert_eq!(quote(&others), Some(credits("4")));
    assert_eq!(quote(&Request::new(&PAID)), Some(credits("2")));
    assert_eq!(quote(&Request::new(&FREE)), Some(credits("0")));
    let mut odd = Request::new(&PAID);
    odd.query("odd", &1);
    assert_eq!(quote(&odd), Some(credits("5")));
}
