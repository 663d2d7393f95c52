//! Attempts that an interceptor answers: nothing is sent, and nothing is paid. Time is paused.

use std::sync::Arc;

use generated_client::document::Api;
use generated_client::interceptor::{Denial, Guard, Interceptor, NextAttempt};
use generated_client::request::Request;
use generated_client::transport::BoxFuture;
use generated_client::{Bytes, Credits, Outcome, http};
use serde_json::Value;

use crate::support::api::{API, LIST};
use crate::support::scripted_client::{DONE, PAID, Responds, Script, books, call, credits};
use crate::support::things::{Service, numbers};

const NONE: Credits = Credits::ZERO;

const PAGE: &str = r#"{"cost": 2, "offset": 0, "total": 2, "things": [0, 1]}"#;

/// Answers the attempts of each call from this one on.
#[derive(Clone, Copy)]
struct Answers {
    from: u32,
    status: u16,
}

const ALL: Answers = Answers {
    from: 1,
    status: 200,
};

impl Interceptor for Answers {
    fn before<'a>(
        &'a self,
        attempt: NextAttempt<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>> {
        Box::pin(async move {
            assert_eq!(attempt.uri.host(), Some("example.com"));
            if attempt.number < self.from {
                return Ok(Box::new(()) as _);
            }
            let response = http::Response::builder().status(self.status);
            let response = response.body(Bytes::from(PAGE)).unwrap();
            Err(Denial::Answered(response))
        })
    }
}

#[tokio::test(start_paused = true)]
async fn an_answered_call_costs_nothing_even_without_a_budget_and_is_no_attempt() {
    let script = Script::of([]);
    let client = script.builder().budget(NONE).intercept(ALL);
    let client = client.build().unwrap();
    let response = call(&client, &PAID).await.unwrap();
    assert_eq!(response.body["total"], 2);
    assert_eq!(response.outcome(), Outcome::NotSent);
    assert_eq!(response.reported_charge(), None);
    assert_eq!((response.meta.attempts, script.attempts()), (0, 0));
    assert_eq!(books(client.budget()), (NONE, NONE, NONE));
    assert!(client.prices().is_empty());
}

/// The meter of a budget comes before the interceptor of this API.
static ANSWERED: Api = Api {
    interceptor: Some(|| Arc::new(ALL)),
    ..API
};

#[tokio::test(start_paused = true)]
async fn what_an_answered_attempt_has_reserved_is_released() {
    let script = Script::of([]);
    let builder = script.builder_of(&ANSWERED).budget(credits("3"));
    let client = builder.build().unwrap();
    for _ in 0..3 {
        let response = call(&client, &PAID).await.unwrap();
        assert_eq!(response.outcome(), Outcome::NotSent);
        assert_eq!(books(client.budget()), (NONE, NONE, NONE));
    }
    let nothing_left = client.scoped(credits("1"));
    let error = call(&nothing_left, &PAID).await.unwrap_err();
    assert!(error.budget().is_some(), "{error}");
}

#[tokio::test(start_paused = true)]
async fn an_answered_status_is_the_error_of_the_call() {
    for status in [404, 503] {
        let script = Script::of([]);
        let client = script.builder().intercept(Answers { from: 1, status });
        let client = client.build().unwrap();
        let error = call(&client, &PAID).await.unwrap_err();
        assert_eq!(error.status().unwrap().as_u16(), status);
        assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotSent));
        assert!(!error.is_retryable(), "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_can_be_answered_and_earlier_attempts_keep_their_outcome() {
    let script = Script::of([Responds(429, Some("1"), ""), DONE]);
    let client = script.builder().budget(credits("5"));
    let client = client.intercept(Answers { from: 2, ..ALL });
    let client = client.build().unwrap();
    let response = call(&client, &PAID).await.unwrap();
    assert_eq!((response.meta.attempts, script.attempts()), (1, 1));
    assert_eq!(response.outcome(), Outcome::Rejected);
    assert_eq!(books(client.budget()), (NONE, NONE, NONE));
}

#[tokio::test(start_paused = true)]
async fn pages_types_of_the_caller_and_streams_are_answered() {
    let service = Service::of([]);
    let client = service.builder().budget(NONE).intercept(ALL);
    let client = client.build().unwrap();
    let mut items = client.things().items();
    assert_eq!(numbers(&mut items).await, [0, 1]);
    let response = client.things().send_as::<Value>().await.unwrap();
    assert_eq!(response.body["things"], serde_json::json!([0, 1]));
    assert_eq!(books(client.budget()), (NONE, NONE, NONE));

    let client = Script::of([]).builder().intercept(ALL).build().unwrap();
    let mut stream = client.send_stream(Request::new(&LIST)).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), PAGE);
    assert!(stream.next().await.is_none());
    assert_eq!(stream.outcome(), Outcome::NotSent);
}
