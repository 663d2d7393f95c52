//! Properties of all errors, for calls, streams, runs through pages and waits. Time is paused.

use std::error::Error as _;
use std::time::Duration;

use generated_client::error::{TransportError, TransportErrorKind};
use generated_client::testing::{Reply, Script};
use generated_client::{Bytes, Error, Method, RetryPolicy, http};
use things_client::Client;

use crate::support::api::KEY;

const KINDS: [TransportErrorKind; 5] = [
    TransportErrorKind::Connect,
    TransportErrorKind::Timeout,
    TransportErrorKind::Body,
    TransportErrorKind::TooLarge,
    TransportErrorKind::Other,
];

/// Returns a client whose calls all fail like this, with a cause that has a source.
fn failing(kind: TransportErrorKind) -> Client {
    let fails = move |_: http::Request<Bytes>| async move {
        let cause = std::io::Error::other("the cable was cut");
        Err::<http::Response<Bytes>, _>(TransportError::new(kind, std::io::Error::other(cause)))
    };
    let builder = Client::builder("https://example.com").api_key(KEY);
    builder.transport(fails).build().unwrap()
}

/// Returns the error of each way to make a call, with its name.
async fn all_of(kind: TransportErrorKind) -> Vec<(&'static str, Error)> {
    let client = failing(kind);
    let raw = || client.raw(Method::GET, "/things").retry(RetryPolicy::Never);
    let items = client.things().retry(RetryPolicy::Never);
    vec![
        ("call", raw().send_bytes().await.unwrap_err()),
        ("head", raw().send_stream().await.unwrap_err()),
        ("pages", items.items().next().await.unwrap().unwrap_err()),
        ("wait", client.progress("t1").wait().await.unwrap_err()),
    ]
}

#[tokio::test(start_paused = true)]
async fn a_call_a_stream_pages_and_a_wait_say_alike_whether_there_was_a_connection_and_time() {
    for kind in KINDS {
        let expected = (
            kind == TransportErrorKind::Connect,
            kind == TransportErrorKind::Timeout,
        );
        for (what, error) in all_of(kind).await {
            assert!(matches!(error.of_call(), Error::Transport(_)), "{what}");
            let found = (error.is_connect(), error.is_timeout());
            assert_eq!(found, expected, "{what}: {error:?}");
        }
        let reply = Reply::chunked(200, ["data: 1\n\n"]).breaks_off(kind);
        let builder = Client::builder("https://example.com").api_key(KEY);
        let client = builder.transport(Script::new([reply])).build().unwrap();
        let call = client.raw(Method::GET, "/things");
        let mut events = call.send_stream().await.unwrap().events();
        events.next().await.unwrap().unwrap();
        let error = events.next().await.unwrap().unwrap_err();
        assert!(matches!(error, Error::Transport(_)), "{error:?}");
        assert_eq!((error.is_connect(), error.is_timeout()), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_deadline_is_a_timeout_wherever_it_passes() {
    let client = failing(TransportErrorKind::Other);
    let call = client.raw(Method::GET, "/things").deadline(Duration::ZERO);
    let error = call.send_bytes().await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
    assert!(error.is_timeout() && !error.is_connect());

    let pending = Script::responding(|_| Reply::new(200, r#"{"cost": 2}"#));
    let builder = Client::builder("https://example.com").api_key(KEY);
    let client = builder.transport(pending).build().unwrap();
    let wait = client
        .progress("t1")
        .wait()
        .deadline(Duration::from_secs(60));
    let error = wait.await.unwrap_err();
    assert!(matches!(error, Error::Waiting(_)), "{error:?}");
    assert!(error.is_timeout() && !error.is_connect());

    let missing = Script::new([Reply::new(404, "")]);
    let builder = Client::builder("https://example.com").api_key(KEY);
    let client = builder.transport(missing).build().unwrap();
    let error = client
        .raw(Method::GET, "/things")
        .send_bytes()
        .await
        .unwrap_err();
    assert!(!error.is_timeout() && !error.is_connect());
}

#[tokio::test(start_paused = true)]
async fn no_message_repeats_a_source_and_debug_is_one_line() {
    for kind in KINDS {
        for (what, error) in all_of(kind).await {
            assert!(
                error.to_string().contains("the cable was cut"),
                "{what}: {error}"
            );
            let mut texts = vec![error.to_string()];
            let mut source = error.source();
            while let Some(error) = source {
                texts.push(error.to_string());
                source = error.source();
            }
            for (outer, inner) in texts.iter().zip(texts.iter().skip(1)) {
                assert!(!outer.contains(inner.as_str()), "{what}: {texts:?}");
            }
            let shown = format!("{error:?}");
            assert_eq!(shown.lines().count(), 1, "{what}: {shown}");
            let Error::Transport(call) = error.of_call() else {
                panic!("{what}: {shown}");
            };
            assert!(
                call.cause().is::<std::io::Error>() && call.source().is_none(),
                "{what}"
            );
        }
    }
    // Where the message has less than its source, there is one.
    let broken = Client::builder("https://example.com").api_key(KEY);
    let broken = broken.http(|http| http.user_agent("a\nb")).build();
    let error = broken.unwrap_err();
    let source = error.source().unwrap().to_string();
    assert!(!error.to_string().contains(&source), "{error}: {source}");
    assert_eq!(format!("{error:?}").lines().count(), 1);
}
