//! The scripted transport, from the view of another program's tests. Time is paused.

use std::time::Duration;

use generated_client::error::TransportErrorKind;
use generated_client::testing::{Reply, Script};
use generated_client::{Client, ClientBuilder, Error, Method, RetryPolicy};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::support::api::{API, KEY};

fn client(script: &Script) -> Client {
    ClientBuilder::new(&API, "https://example.com/base")
        .api_key(KEY)
        .transport(script.clone())
        .retry(RetryPolicy::Never)
        .build()
        .unwrap()
}

async fn get(client: &Client, path: &str) -> Result<Value, Error> {
    let response = client.raw(Method::GET, path).send::<Value>().await?;
    Ok(response.body)
}

#[tokio::test(start_paused = true)]
async fn replies_come_in_their_order_and_then_every_call_fails() {
    let script = Script::new([
        Reply::new(200, "1"),
        Reply::fails(TransportErrorKind::Connect),
        Reply::new(404, "nothing here").header("x-a", "b"),
        Reply::new(200, "2"),
    ]);
    let client = client(&script);
    assert_eq!(get(&client, "/a").await.unwrap(), 1);
    let error = get(&client, "/b").await.unwrap_err();
    assert!(matches!(&error, Error::Transport(e) if e.kind() == TransportErrorKind::Connect));
    let error = get(&client, "/c").await.unwrap_err();
    assert_eq!(error.status().unwrap(), 404);
    assert_eq!(error.headers().unwrap()["x-a"], "b");
    assert_eq!(error.body().unwrap(), "nothing here");
    assert_eq!(get(&client, "/d").await.unwrap(), 2);
    for _ in 0..2 {
        let error = get(&client, "/e").await.unwrap_err();
        let Error::Transport(error) = error else {
            panic!("{error:?}");
        };
        assert_eq!(error.kind(), TransportErrorKind::Other);
        assert_eq!(error.cause().to_string(), "the script is at its end");
    }
    assert_eq!(script.sent().len(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_closure_replies_by_what_was_sent() {
    let script = Script::responding(|sent| match sent.path.as_str() {
        "/base/slow" => Reply::new(200, "0").after(Duration::from_secs(70)),
        "/base/echo" => Reply::new(200, sent.body.clone()),
        _ => Reply::new(404, ""),
    });
    let client = client(&script);
    let start = Instant::now();
    assert_eq!(get(&client, "/slow").await.unwrap(), 0);
    assert_eq!(start.elapsed().as_secs(), 70);
    let body = json!({"a": [1]});
    let call = client.raw(Method::PUT, "/echo").json(&body);
    assert_eq!(call.send::<Value>().await.unwrap().body, body);
    get(&client, "/else").await.unwrap_err();
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_is_remembered_without_the_key() {
    let script = Script::new([Reply::new(200, ""), Reply::new(200, "")]);
    let client = client(&script);
    get(&client, "/a%20b").await.unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let call = client.raw(Method::POST, "/c").query("q", "x y").json(&7);
    call.header("x-trace", 1).send::<Value>().await.unwrap();
    let sent = script.sent();
    let [first, second] = sent.as_slice() else {
        panic!("{sent:?}");
    };
    assert_eq!((&first.method, &*first.path), (&Method::GET, "/base/a%20b"));
    assert_eq!((&*first.query, first.body.len()), ("", 0));
    assert_eq!((&second.method, &*second.path), (&Method::POST, "/base/c"));
    assert_eq!((&*second.query, &*second.body), ("q=x%20y", &b"7"[..]));
    assert_eq!(second.headers["x-trace"], "1");
    assert_eq!(second.headers["user-agent"], "example/1.2.3");
    assert!(!second.headers.contains_key("x-api-key"));
    assert_eq!((first.at.as_secs(), second.at.as_secs()), (0, 5));
    assert!(!format!("{script:?}").contains("canary"));
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_cannot_be_is_a_failed_call_and_no_panic() {
    for reply in [
        Reply::new(0, ""),
        Reply::new(1000, ""),
        Reply::new(200, "").header("a b", "c"),
        Reply::new(200, "").header("a", "\n"),
    ] {
        let error = get(&client(&Script::new([reply])), "/").await.unwrap_err();
        assert!(matches!(&error, Error::Transport(e) if e.kind() == TransportErrorKind::Other));
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_that_breaks_off_leaves_what_arrived() {
    let reply = Reply::new(203, "{\"cost\": 4, ")
        .header("x-a", "b")
        .breaks_off(TransportErrorKind::Body)
        .header("x-c", "d");
    let error = get(&client(&Script::new([reply])), "/").await.unwrap_err();
    let Error::Transport(error) = &error else {
        panic!("{error:?}");
    };
    assert_eq!(error.kind(), TransportErrorKind::Body);
    let partial = error.partial().unwrap();
    assert_eq!(partial.status(), 203);
    assert_eq!(
        (&partial.headers()["x-a"], &partial.headers()["x-c"]),
        (&"b".parse().unwrap(), &"d".parse().unwrap())
    );
    assert_eq!(partial.body(), "{\"cost\": 4, ");
}
