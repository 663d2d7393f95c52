//! Billing status of calls, and retries. `tests/conformance/cases/calls/` has every kind of ending. Time is paused.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use generated_client::error::TransportErrorKind;
use generated_client::request::{CallOptions, Request};
use generated_client::{Bytes, Client, Credits, Outcome, RetryPolicy, http};
use serde_json::Value;

use crate::support::api::builder;
use crate::support::scripted_client::{
    DONE, FREE, Fails, PAID, Responds, Script, UNKNOWN, booked, books, call, credits, silent_panic,
    start,
};

#[tokio::test(start_paused = true)]
async fn retries_of_a_service_that_only_fails_end_and_begin_again_with_its_successes() {
    let failures = vec![Responds(500, None, ""); 1000];
    let script = Script::of(failures);
    let client = script.builder().build().unwrap();
    for _ in 0..200 {
        call(&client, &FREE).await.unwrap_err();
    }
    // 100 retries for 500 tokens.
    assert_eq!(script.attempts(), 300);

    let fills = vec![Responds(200, None, "{}"); 5];
    let fails = vec![Responds(500, None, ""); 4];
    let script = Script::of([vec![Responds(500, None, ""); 300], fills, fails].concat());
    let client = script.builder().build().unwrap();
    for _ in 0..200 {
        call(&client, &FREE).await.unwrap_err();
    }
    for _ in 0..5 {
        call(&client, &FREE).await.unwrap();
    }
    let error = call(&client, &FREE).await.unwrap_err();
    assert_eq!((error.attempts(), error.is_retryable()), (2, true));
    let error = call(&client, &FREE).await.unwrap_err();
    assert_eq!(error.attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_report_that_nobody_can_read_puts_the_price_at_risk_and_is_repeated_under_no_policy() {
    for body in [
        r#"{"cost": "two"}"#,
        r#"{"cost": -2}"#,
        r#"{"cost": 99999999999999999999}"#,
        r#"{"cost": "two", "cost": 1}"#,
    ] {
        for status in [200, 429, 500] {
            let script = Script::of([Responds(status, None, body)]);
            let client = script
                .builder()
                .retry(RetryPolicy::Always)
                .budget(credits("10"))
                .build()
                .unwrap();
            let outcome = match call(&client, &PAID).await {
                Ok(response) => {
                    assert_eq!(response.reported_charge(), None);
                    response.meta.outcome()
                }
                Err(error) => {
                    assert!(!error.is_retryable(), "{status} {body}");
                    error.outcome()
                }
            };
            let unknown = Outcome::Unknown(Some(credits("2")));
            assert_eq!(outcome, unknown, "{status} {body}");
            let expected = (Credits::ZERO, Credits::ZERO, credits("2"));
            assert_eq!(books(client.budget()), expected, "{status} {body}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_transport_that_panics_leaves_the_price_at_risk_and_its_place_to_the_next() {
    for at_once in [true, false] {
        let calls = Arc::new(AtomicUsize::new(0));
        let transport = move |_: http::Request<Bytes>| {
            let is_first = calls.fetch_add(1, Ordering::Relaxed) == 0;
            if is_first && at_once {
                silent_panic();
            }
            async move {
                if is_first {
                    silent_panic();
                }
                Ok(http::Response::new(Bytes::from_static(br#"{"cost": 2}"#)))
            }
        };
        let client: Client = builder(transport)
            .max_in_flight(1)
            .budget(credits("10"))
            .build()
            .unwrap();
        let panicked = start(&client, &PAID).await.await.unwrap_err();
        assert!(panicked.is_panic());
        assert_eq!(books(client.budget()), booked("0", "0", "2"));
        call(&client, &PAID).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_call_without_budget_may_have_been_charged() {
    let script = Script::of([Fails(TransportErrorKind::Timeout)]);
    let client = script.builder().build().unwrap();
    let error = call(&client, &UNKNOWN).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::Unknown(Some(credits("3"))));
    assert!(error.may_have_been_charged());
    assert!(!error.is_retryable());

    // The cost of the first attempt stays unknown, whatever the second one reports.
    let script = Script::of([Fails(TransportErrorKind::Timeout), DONE]);
    let client = script.builder().retry(RetryPolicy::Always).build().unwrap();
    let response = call(&client, &UNKNOWN).await.unwrap();
    let both = Outcome::Unknown(Some(credits("5")));
    assert_eq!(response.meta.outcome(), both);
}

#[tokio::test(start_paused = true)]
async fn an_amount_near_the_largest_is_booked_without_overflow() {
    let most = r#"{"cost": 18446744073709}"#;
    let script = Script::of([Responds(500, None, most), Responds(200, None, most), DONE]);
    let client = script
        .builder()
        .budget(credits("18446744073709.551615"))
        .build()
        .unwrap();
    call(&client, &PAID).await.unwrap_err();
    // Known by now to cost more than is left.
    assert!(call(&client, &PAID).await.unwrap_err().budget().is_some());
    let mut request = Request::new(&PAID);
    let mut options = CallOptions::default();
    options = options.price(Credits::ZERO);
    request.options(&options);
    client.send::<Value>(request).await.unwrap();
    let usage = client.budget().usage();
    assert_eq!(
        (usage.spent, usage.reserved),
        (Credits::from_micros(u64::MAX), Credits::ZERO)
    );
    assert!(
        call(&client, &UNKNOWN)
            .await
            .unwrap_err()
            .budget()
            .is_some()
    );
}
