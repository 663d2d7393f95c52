//! Billing status of calls for every kind of ending, and retries. Time is paused.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use generated_client::error::TransportErrorKind;
use generated_client::request::{CallOptions, Request};
use generated_client::{Bytes, Client, Credits, Outcome, RetryPolicy, StatusCode, http};
use serde_json::Value;

use crate::support::api::builder;
use crate::support::scripted_client::{
    DONE, FREE, FREE_POST, Fails, PAID, Responds, Script, Step, UNKNOWN, booked, books, call,
    credits, silent_panic, start,
};

#[tokio::test(start_paused = true)]
async fn every_ending_of_a_paid_and_of_a_free_call() {
    let unknown = Outcome::Unknown(Some(credits("2")));
    let charged = |text| Outcome::Charged(credits(text));
    let rejected = Outcome::Rejected;
    // The ending of an attempt; attempts and outcome of a paid call; attempts of a free one.
    let table: Vec<(Step, usize, Outcome, usize)> = vec![
        (Fails(TransportErrorKind::Connect), 3, Outcome::NotSent, 3),
        (Fails(TransportErrorKind::Timeout), 1, unknown, 3),
        (Fails(TransportErrorKind::Body), 1, unknown, 3),
        (Fails(TransportErrorKind::Other), 1, unknown, 3),
        (Responds(429, None, ""), 3, rejected, 3),
        (Responds(429, Some("1"), ""), 3, rejected, 3),
        (Responds(429, Some("garbage"), ""), 3, rejected, 3),
        (Responds(429, Some("3600"), ""), 1, rejected, 1),
        (
            Responds(429, Some("99999999999999999999"), ""),
            1,
            rejected,
            1,
        ),
        (Responds(429, None, r#"{"cost": 2}"#), 1, charged("2"), 1),
        (
            Responds(429, None, r#"{"cost": 2, "cost": 0}"#),
            1,
            charged("2"),
            1,
        ),
        (
            Responds(429, None, r#"{"cost": 2, "cost": null}"#),
            1,
            charged("2"),
            1,
        ),
        (
            Responds(429, None, r#"{"cost": null, "data": {"cost": 2}}"#),
            3,
            rejected,
            3,
        ),
        (
            Responds(503, Some("1"), r#"{"cost": 2}"#),
            1,
            charged("2"),
            1,
        ),
        (Responds(503, Some("1"), ""), 3, rejected, 3),
        (
            Responds(503, Some("Wed, 21 Oct 2015 07:28:00 GMT"), ""),
            3,
            rejected,
            3,
        ),
        (Responds(503, None, ""), 1, unknown, 3),
        (Responds(500, None, "<html>"), 1, unknown, 3),
        (
            Responds(500, None, r#"{"cost": 1.5}"#),
            1,
            charged("1.5"),
            1,
        ),
        (Responds(502, None, "<html>"), 1, unknown, 3),
        (Responds(504, None, ""), 1, unknown, 3),
        (Responds(408, None, ""), 1, unknown, 3),
        (Responds(429, None, r#"{"cost": "2"}"#), 1, charged("2"), 1),
        (Responds(429, None, r#"{"cost": "two"}"#), 1, unknown, 1),
        (Responds(429, Some("1"), r#"{"cost": -1}"#), 1, unknown, 1),
        (Responds(429, None, r#"{"cost": 1"#), 1, unknown, 1),
        (Responds(429, None, r#"{"cost": 0}"#), 3, charged("0"), 3),
        (
            Responds(503, Some("1"), r#"{"cost": 1e999}"#),
            1,
            unknown,
            1,
        ),
        (Responds(500, None, r#"{"cost": "NaN"}"#), 1, unknown, 1),
        (Responds(401, None, r#"{"cost": true}"#), 1, unknown, 1),
        (Responds(403, None, r#"{"cost": {"of": 2}}"#), 1, unknown, 1),
        (Responds(401, None, ""), 1, rejected, 1),
        (Responds(403, Some("1"), ""), 1, rejected, 1),
        (
            Responds(401, Some("1"), r#"{"cost": 2}"#),
            1,
            charged("2"),
            1,
        ),
        (Responds(404, None, ""), 1, unknown, 1),
        (Responds(404, None, r#"{"cost": 0}"#), 1, charged("0"), 1),
        (Responds(422, None, ""), 1, unknown, 1),
        (Responds(302, None, ""), 1, unknown, 1),
        (Responds(302, None, r#"{"cost": 2}"#), 1, charged("2"), 1),
        (Responds(418, Some("1"), ""), 1, unknown, 1),
        (Responds(999, Some("1"), ""), 1, unknown, 1),
        (Responds(200, None, "not json"), 1, unknown, 1),
        (Responds(200, None, r#"{"cost": 2, "#), 1, charged("2"), 1),
    ];
    for (step, paid, outcome, free) in table {
        let name = match &step {
            Fails(kind) => format!("{kind:?}"),
            Responds(status, after, body) => format!("{status} {after:?} {body}"),
            _ => unreachable!(),
        };
        let script = Script::of(vec![step.clone(); 3]);
        let client = script.builder().budget(credits("10")).build().unwrap();
        let error = call(&client, &PAID).await.unwrap_err();
        assert_eq!(script.attempts(), paid, "{name}");
        assert_eq!(error.attempts() as usize, paid, "{name}");
        assert_eq!(error.outcome(), outcome, "{name}");
        let books = books(client.budget());
        let expected = match outcome {
            Outcome::Charged(charge) => (charge, Credits::ZERO, Credits::ZERO),
            Outcome::Unknown(Some(risk)) => (Credits::ZERO, Credits::ZERO, risk),
            _ => (Credits::ZERO, Credits::ZERO, Credits::ZERO),
        };
        assert_eq!(books, expected, "{name}");
        assert_eq!(
            error.may_have_been_charged(),
            expected.0 > Credits::ZERO || expected.2 > Credits::ZERO,
            "{name}"
        );

        let script = Script::of(vec![step.clone(); 3]);
        let client = script.builder().build().unwrap();
        call(&client, &FREE).await.unwrap_err();
        assert_eq!(script.attempts(), free, "free: {name}");

        // Again only if the service has certainly not taken it on, as with a paid call.
        let script = Script::of(vec![step; 3]);
        let client = script.builder().build().unwrap();
        call(&client, &FREE_POST).await.unwrap_err();
        assert_eq!(script.attempts(), paid, "free, not idempotent: {name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_report_that_is_cut_off_within_its_number_is_no_charge() {
    for body in [
        r#"{"cost": 1"#,
        r#"{"cost": 0."#,
        r#"{"cost": 1.0"#,
        r#"{"cost":"#,
    ] {
        let script = Script::of([Responds(200, None, body)]);
        let client = script.builder().budget(credits("20")).build().unwrap();
        let error = call(&client, &PAID).await.unwrap_err();
        assert_eq!(
            error.outcome(),
            Outcome::Unknown(Some(credits("2"))),
            "{body}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_unbilled_status_code_is_attempted_again_if_the_method_is_idempotent() {
    for (operation, attempts) in [(&PAID, 3), (&FREE, 3), (&FREE_POST, 1), (&UNKNOWN, 1)] {
        let script = Script::of(vec![Responds(502, None, ""); 3]);
        let client = script.builder().unbilled([StatusCode::BAD_GATEWAY]);
        let client = client.budget(credits("10")).build().unwrap();
        let error = call(&client, operation).await.unwrap_err();
        assert_eq!(script.attempts(), attempts, "{}", operation.id);
        assert_eq!(error.outcome(), Outcome::Rejected);
        assert_eq!(error.is_retryable(), attempts == 3);
    }
}

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
async fn a_success_spends_what_it_reports_and_without_a_report_the_price_is_at_risk() {
    let script = Script::of([DONE, Responds(200, None, "{}")]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let response = call(&client, &PAID).await.unwrap();
    assert_eq!(response.reported_charge(), Some(credits("2")));
    assert_eq!(response.meta.outcome(), Outcome::Charged(credits("2")));
    assert_eq!(books(client.budget()), booked("2", "0", "0"));
    let response = call(&client, &PAID).await.unwrap();
    assert_eq!(
        response.meta.outcome(),
        Outcome::Unknown(Some(credits("2")))
    );
    assert_eq!(books(client.budget()), booked("2", "0", "2"));
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
