//! Deliberate faults, seen by the client, and their cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use company_intel::{Credits, Error, Outcome};
use reqwest::Method;

use super::Server;
use crate::{Fault, Sandbox};

const CALL: &str = "headcountTrends?company=example.com";

async fn server(faults: impl IntoIterator<Item = Fault>) -> Server {
    let with = |builder: crate::Builder, fault| builder.fault("headcount_trends", fault);
    let builder = faults.into_iter().fold(Sandbox::builder(), with);
    Server::of(builder.start().await.unwrap())
}

#[tokio::test]
async fn a_status_comes_as_often_as_it_is_asked_for_and_is_not_billed() {
    let server = server([Fault::status(503).retry_after(7).times(2)]).await;
    for _ in 0..2 {
        let reply = server.get(CALL).await;
        assert_eq!(reply.status, 503);
        assert_eq!(reply.headers["retry-after"], "7");
        assert!(reply.text.contains("a fault"), "{}", reply.text);
    }
    assert_eq!(server.get("jobPosts?company=example.com").await.status, 200);
    assert_eq!(server.get(CALL).await.status, 200);
    let bill = server.sandbox.bill();
    assert_eq!((bill.calls.len(), bill.refused), (2, 2));
}

#[tokio::test]
async fn a_connection_that_closes_without_a_response_is_billed_where_that_is_said() {
    for (fault, billed) in [(Fault::reset(), 0), (Fault::reset().billed(), 1)] {
        let server = server([fault]).await;
        let error = server.client().headcount_trends("example.com").send().await;
        assert!(matches!(error, Err(Error::Transport(_))), "{error:?}");
        assert_eq!(server.sandbox.bill().calls.len(), billed);
        assert_eq!(server.get(CALL).await.status, 200);
    }
}

#[tokio::test]
async fn a_response_that_is_damaged_is_billed_and_the_client_keeps_its_bytes() {
    for fault in [
        Fault::truncated(),
        Fault::invalid(),
        Fault::html(),
        Fault::gzip(),
    ] {
        let server = server([fault.clone()]).await;
        let client = server.client();
        let call = client.headcount_trends("example.com");
        let error = call.send().await.unwrap_err();
        let body = match &error {
            Error::Transport(error) => error.partial().map(|partial| partial.body().len()),
            Error::Decode(error) => Some(error.body.len()),
            other => panic!("{fault:?}: {other:?}"),
        };
        assert!(body > Some(0), "{fault:?}: {error:?}");
        let spent = server.sandbox.bill().total();
        assert!(spent > Credits::ZERO, "{fault:?}");
        // The part that arrived may contain the cost.
        let is_known = error.outcome() == Outcome::Charged(spent);
        let is_unknown = matches!(error.outcome(), Outcome::Unknown(_));
        assert!(is_known || is_unknown, "{fault:?}: {error:?}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_a_body_may_drip() {
    let pause = Duration::from_millis(2);
    let server = server([Fault::redirect(), Fault::drip(pause), Fault::slow(pause)]).await;
    let client = server.client();
    let error = client.headcount_trends("example.com").send().await;
    assert!(matches!(error, Err(Error::Status(_))), "{error:?}");
    for times in [10, 1] {
        let start = std::time::Instant::now();
        client.headcount_trends("example.com").send().await.unwrap();
        assert!(start.elapsed() >= pause * times);
    }
}

#[tokio::test]
async fn a_call_is_billed_and_logged_though_its_client_gives_up_in_the_pause() {
    let long = Duration::from_secs(60);
    let logged = Arc::new(AtomicUsize::new(0));
    let counter = logged.clone();
    let builder = Sandbox::builder().fault("headcount_trends", Fault::slow(long));
    let builder = builder.fault("headcount_trends", Fault::status(503).delay(long));
    let builder = builder.on_call(move |_| _ = counter.fetch_add(1, Ordering::Relaxed));
    let server = Server::of(builder.start().await.unwrap());
    for (number, billed) in [(1, 1), (2, 1)] {
        let request = server.bare(Method::GET, CALL);
        let request = request.header("x-api-key", server.sandbox.api_key());
        let error = request.timeout(Duration::from_millis(500)).send().await;
        assert!(error.unwrap_err().is_timeout());
        assert_eq!(server.sandbox.bill().calls.len(), billed);
        assert_eq!(logged.load(Ordering::Relaxed), number);
    }
    assert_eq!(server.sandbox.bill().refused, 1);
    assert_eq!(server.get(CALL).await.status, 200);
}
