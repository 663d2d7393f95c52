//! Calls run in separate tasks: effects on callers that abandon them, forget them, or have no runtime.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use generated_client::document::Operation;
use generated_client::error::{TransportErrorKind, WaitingCause};
use generated_client::testing::{self, Reply};
use generated_client::{Client, Credits, Error, Outcome, Response, RetryPolicy, StatusCode};
use serde_json::Value;

use crate::support::api::builder;
use crate::support::scripted_client::{
    After, DONE, Hangs, PAID, Responds, Script, Step, booked, books, call, credits, start,
};
use crate::support::things::{Service, VISIT, page, visit};

#[tokio::test(start_paused = true)]
async fn streams_that_are_begun_and_not_polled_hold_up_nobody() {
    let service = Service::of(vec![page("0", "1", &["0"]); 20]);
    let client = service.builder().max_in_flight(8).build().unwrap();
    let mut begun = Vec::new();
    for _ in 0..8 {
        let mut items = client.things().items();
        let mut context = Context::from_waker(Waker::noop());
        let first = Future::poll(pin!(items.next()).as_mut(), &mut context);
        assert!(first.is_pending());
        begun.push(items);
    }
    let started = tokio::time::Instant::now();
    let mut items = client.things().items();
    items.next().await.unwrap().unwrap();
    assert_eq!(started.elapsed().as_secs(), 0);
    // Their pages have arrived, and are paid for once.
    for items in &mut begun {
        items.next().await.unwrap().unwrap();
    }
    assert_eq!(service.asked().len(), 9);
}

fn is_sent<T: Send>(_: &T) {}

#[test]
fn outside_of_a_runtime_a_call_says_so_and_sends_nothing() {
    let script = Script::of([DONE]);
    let client = script.builder().budget(credits("5")).build().unwrap();
    let mut call = pin!(call(&client, &PAID));
    is_sent(&call);
    let mut context = Context::from_waker(Waker::noop());
    let ended: Poll<Result<Response<Value>, Error>> = Future::poll(call.as_mut(), &mut context);
    let Poll::Ready(Err(error)) = ended else {
        panic!("{ended:?}");
    };
    assert!(error.to_string().contains("Tokio runtime"), "{error}");
    assert_eq!(script.attempts(), 0);
    assert_eq!(books(client.budget()), booked("0", "0", "0"));
}

#[test]
fn in_a_runtime_without_a_clock_a_call_says_so_and_sends_nothing() {
    let script = Script::of([DONE, DONE]);
    let client = script.builder().budget(credits("5")).build().unwrap();
    let mut builders = [
        tokio::runtime::Builder::new_current_thread(),
        tokio::runtime::Builder::new_multi_thread(),
    ];
    for builder in &mut builders {
        let runtime = builder.build().unwrap();
        let error = runtime.block_on(call(&client, &PAID)).unwrap_err();
        assert!(error.to_string().contains("with time and I/O"), "{error}");
        assert!(!error.may_have_been_charged());
        assert_eq!(script.attempts(), 0);
        assert_eq!(books(client.budget()), booked("0", "0", "0"));
    }
    // The client is as good as before.
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().build().unwrap();
    runtime.block_on(call(&client, &PAID)).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_detached_call_that_is_given_up_is_booked_as_what_it_cost() {
    let slow = |step: Step| After(10, Box::new(step));
    for (is_detached, step, expected) in [
        (false, DONE, ("0", "0", "2")),
        (true, DONE, ("2", "0", "0")),
        // No caller would get the result of a further attempt.
        (true, Responds(503, Some("1"), ""), ("0", "0", "0")),
    ] {
        let script = Script::of([slow(step), DONE]);
        let builder = script.builder().budget(credits("5"));
        let client = builder.detached(is_detached).build().unwrap();
        let given_up = start(&client, &PAID).await;
        given_up.abort();
        given_up.await.unwrap_err();
        tokio::time::sleep(Duration::from_secs(60)).await;
        let (spent, reserved, at_risk) = expected;
        let expected = (credits(spent), credits(reserved), credits(at_risk));
        assert_eq!(books(client.budget()), expected, "{is_detached}");
        assert_eq!(script.attempts(), 1);
    }
    // An unsent attempt is not sent once its caller is gone.
    let script = Script::of([slow(DONE), DONE]);
    let builder = script.builder().max_in_flight(1);
    let client = builder.detached(true).build().unwrap();
    let first = start(&client, &PAID).await;
    let waiting = start(&client, &PAID).await;
    waiting.abort();
    first.await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(script.attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_arrived_in_earlier_attempts_is_kept() {
    let script = testing::Script::new([
        Reply::new(200, r#"{"data": [1, 2"#)
            .header("x-part", "1")
            .breaks_off(TransportErrorKind::Body),
        Reply::new(500, r#"{"cost": 0, "detail": "busy"}"#),
        Reply::new(200, r#"{"cost": 2}"#),
    ]);
    let client: Client = builder(script).retry(RetryPolicy::Always).build().unwrap();
    let response = call(&client, &PAID).await.unwrap();
    assert_eq!(
        response.meta.outcome(),
        Outcome::Unknown(Some(credits("4")))
    );
    let [first, second] = response.meta.earlier_attempts() else {
        panic!("{response:?}");
    };
    assert_eq!(first.failure, Some(TransportErrorKind::Body));
    assert_eq!(first.status, Some(StatusCode::OK));
    assert_eq!(first.headers["x-part"], "1");
    assert_eq!(first.body, r#"{"data": [1, 2"#);
    assert_eq!(first.outcome(), Outcome::Unknown(Some(credits("2"))));
    assert_eq!(second.failure, None);
    assert_eq!(second.body, r#"{"cost": 0, "detail": "busy"}"#);
    assert_eq!(second.outcome(), Outcome::Charged(Credits::ZERO));
    assert!(!format!("{first:?}").contains("data"));

    // The error itself describes its last attempt.
    let script = testing::Script::new([
        Reply::new(200, r#"{"cost": 3, "x"#).breaks_off(TransportErrorKind::Timeout)
    ]);
    let client: Client = builder(script).budget(credits("9")).build().unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::Charged(credits("3")));
    assert_eq!(error.status(), Some(StatusCode::OK));
    assert_eq!(error.body().unwrap(), r#"{"cost": 3, "x"#);
    assert!(error.earlier_attempts().is_empty());
    assert_eq!(client.budget().usage().spent, credits("3"));
}

#[test]
fn a_response_is_decoded_also_where_there_is_no_runtime_any_more() {
    let body = format!(r#"{{"cost": 2, "text": "{}"}}"#, "x".repeat(1_000_000));
    let script = testing::Script::new([Reply::new(200, body)]);
    let client: Client = builder(script).build().unwrap();
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().build().unwrap();
    let mut call = Box::pin(call(&client, &PAID));
    let mut context = Context::from_waker(Waker::noop());
    {
        let _inside = runtime.enter();
        assert!(call.as_mut().poll(&mut context).is_pending());
    }
    let ended = (0..1000).find_map(|_| {
        runtime.block_on(async { tokio::time::sleep(Duration::from_millis(10)).await });
        match call.as_mut().poll(&mut context) {
            Poll::Ready(ended) => Some(ended.unwrap()),
            Poll::Pending => None,
        }
    });
    let text = ended.unwrap().body["text"].as_str().map(str::len);
    assert_eq!(text, Some(1_000_000));
}

/// Begins a call in a runtime, shuts the runtime down a little later, and polls the call outside.
fn outlives_its_runtime(client: &Client, operation: &'static Operation) -> Error {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().build().unwrap();
    let mut call = Box::pin(call(client, operation));
    let mut context = Context::from_waker(Waker::noop());
    {
        let _inside = runtime.enter();
        assert!(call.as_mut().poll(&mut context).is_pending());
    }
    runtime.block_on(async { tokio::time::sleep(Duration::from_millis(50)).await });
    drop(runtime);
    match call.as_mut().poll(&mut context) {
        Poll::Ready(ended) => ended.unwrap_err(),
        Poll::Pending => panic!("the call goes on"),
    }
}

#[test]
fn a_call_that_ends_with_its_runtime_says_what_it_may_have_cost() {
    for (retry, first, attempts, at_most) in [
        (RetryPolicy::Standard, Hangs, 1, Some("2")),
        // In the pause before the next attempt.
        (RetryPolicy::Standard, Responds(429, None, ""), 1, None),
        (RetryPolicy::Always, Responds(500, None, ""), 1, Some("2")),
    ] {
        let script = Script::of([first]);
        let builder = script.builder().budget(credits("5")).retry(retry);
        let client = builder.build().unwrap();
        let error = outlives_its_runtime(&client, &PAID);
        assert_eq!(error.attempts(), attempts, "{error:?}");
        let outcome = at_most.map_or(Outcome::Rejected, |most| {
            Outcome::Unknown(Some(credits(most)))
        });
        assert_eq!(error.outcome(), outcome);
        assert_eq!(error.is_retryable(), at_most.is_none());
        let at_risk = client.budget().usage().at_risk;
        assert_eq!(at_risk, credits(at_most.unwrap_or("0")));
        assert_eq!(error.settle(Credits::ZERO), at_most.is_some());
        assert_eq!(client.budget().usage().at_risk, Credits::ZERO);
    }
    // It waits for the budget.
    let script = Script::of([]);
    let client = script.builder().budget(credits("3")).build().unwrap();
    let mut held = Box::pin(client.budget().reserve(credits("2")));
    let held = held.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    let error = outlives_its_runtime(&client, &PAID);
    assert!(matches!(error, Error::Configuration(_)), "{error:?}");
    assert_eq!(error.outcome(), Outcome::NotSent);
    assert_eq!(client.budget().usage().reserved, credits("2"));
    drop(held);
}

#[test]
fn a_wait_that_is_polled_outside_of_a_runtime_ends_with_an_error() {
    let service = Service::of([visit(), visit()]);
    let client = service.builder().build().unwrap();
    let mut polls = client.visit(VISIT).wait().polls();
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().build().unwrap();
    runtime.block_on(polls.next()).unwrap().unwrap();
    let next = pin!(polls.next()).poll(&mut Context::from_waker(Waker::noop()));
    let Poll::Ready(Some(Err(Error::Waiting(error)))) = next else {
        panic!("{next:?}");
    };
    assert!(matches!(
        error.cause,
        WaitingCause::Call(Error::Configuration(_))
    ));
    assert!(error.last.is_some());
}
