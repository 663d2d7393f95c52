//! Free calls, where sending twice costs nothing. Time is paused.

use generated_client::document::{Operation, Presence, Price, Tariff};
use generated_client::error::TransportErrorKind;
use generated_client::request::{CallOptions, Request};
use generated_client::{Credits, Method, Outcome, RetryPolicy};
use serde_json::Value;

use crate::support::scripted_client::{FREE, Fails, PAID, Responds, Script, Step, call, credits};

#[tokio::test(start_paused = true)]
async fn a_free_operation_that_was_charged_for_is_free_no_more() {
    let lost = || Responds(500, None, "");
    let script = Script::of([
        Responds(200, None, r#"{"cost": 2}"#),
        lost(),
        lost(),
        lost(),
    ]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    call(&client, &FREE).await.unwrap();
    let error = call(&client, &FREE).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::Unknown(Some(credits("2"))));
    assert_eq!(script.attempts(), 2);

    // Nor is one that the caller gives a price.
    let script = Script::of([lost(), lost(), lost()]);
    let client = script.builder().build().unwrap();
    let mut request = Request::new(&FREE);
    let mut options = CallOptions::default();
    options = options.price(credits("1"));
    request.options(&options);
    client.send::<Value>(request).await.unwrap_err();
    assert_eq!(script.attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_lost_free_call_cost_nothing_and_may_be_made_again() {
    for policy in [RetryPolicy::Standard, RetryPolicy::Never] {
        for (step, is_retryable) in [
            (Fails(TransportErrorKind::Timeout), true),
            (Fails(TransportErrorKind::Body), true),
            (Responds(500, None, ""), true),
            (Responds(408, None, r#"{"cost": 0}"#), true),
            (Responds(429, None, ""), true),
            (Responds(404, None, ""), false),
            (Responds(401, None, ""), false),
        ] {
            for budget in ["10", "0"] {
                let script = Script::of(vec![step.clone(); 3]);
                let client = script.builder().retry(policy).budget(credits(budget));
                let client = client.build().unwrap();
                let error = call(&client, &FREE).await.unwrap_err();
                assert!(!error.may_have_been_charged(), "{error:?}");
                assert_eq!(error.is_retryable(), is_retryable, "{error:?}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_for_which_nothing_is_set_aside_is_not_free_for_that() {
    let lost = || Fails(TransportErrorKind::Timeout);
    // The caller says so, of an operation with a price.
    let given = |request: &mut Request| {
        let mut options = CallOptions::default();
        options = options.price(Credits::ZERO);
        request.options(&options);
    };
    // The operation is free, and reported an unreadable charge.
    let unreadable = || Responds(200, None, r#"{"cost": "nothing"}"#);
    let table: [(&'static Operation, Vec<Step>); 2] =
        [(&PAID, vec![lost()]), (&FREE, vec![unreadable(), lost()])];
    for (operation, steps) in table {
        let calls = steps.len();
        let script = Script::of(steps);
        let client = script.builder().build().unwrap();
        for last in (0..calls).rev() {
            let mut request = Request::new(operation);
            given(&mut request);
            let outcome = match client.send::<Value>(request).await {
                Ok(response) => response.meta.outcome(),
                Err(error) => {
                    assert!(!error.is_retryable(), "{error:?}");
                    error.outcome()
                }
            };
            assert_eq!(outcome, Outcome::Unknown(None), "{} {last}", operation.id);
        }
        assert_eq!(script.attempts(), calls);
    }
}

static SOMETIMES_FREE: Operation = Operation {
    id: "sometimesFree",
    method: Method::GET,
    path: "/sometimes",
    extension: Some(&Tariff {
        prices: &[Price {
            credits: Credits::ZERO,
            when: &[("deep", Presence::Absent)],
        }],
        priced_by: &[],
        charge: Some("cost"),
    }),
    response: &generated_client::document::Shape::Any,
};

#[tokio::test(start_paused = true)]
async fn outside_of_the_conditions_of_a_free_price_a_call_is_not_free() {
    let lost = || Responds(500, None, "");
    for (deep, attempts) in [(false, 3), (true, 1)] {
        let script = Script::of([lost(), lost(), lost()]);
        let client = script.builder().build().unwrap();
        let mut request = Request::new(&SOMETIMES_FREE);
        if deep {
            request.query("deep", &1);
        }
        client.send::<Value>(request).await.unwrap_err();
        assert_eq!(script.attempts(), attempts, "{deep}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_operation_that_was_charged_for_on_other_conditions_is_not_free() {
    let lost = || Responds(500, None, "");
    let script = Script::of([
        Responds(200, None, r#"{"cost": 2}"#),
        lost(),
        lost(),
        lost(),
    ]);
    let client = script.builder().build().unwrap();
    let mut request = Request::new(&SOMETIMES_FREE);
    request.query("deep", &1);
    client.send::<Value>(request).await.unwrap();
    call(&client, &SOMETIMES_FREE).await.unwrap_err();
    assert_eq!(script.attempts(), 2);
}

static FREE_TO_TRY: Operation = Operation {
    id: "freeToTry",
    method: Method::GET,
    path: "/try",
    extension: Some(&Tariff {
        prices: &[
            Price {
                credits: Credits::ZERO,
                when: &[("preview", Presence::Present)],
            },
            Price {
                credits: Credits::from_micros(2_000_000),
                when: &[],
            },
        ],
        priced_by: &[],
        charge: Some("cost"),
    }),
    response: &generated_client::document::Shape::Any,
};

#[tokio::test(start_paused = true)]
async fn a_call_that_is_listed_as_free_of_an_operation_that_is_not_may_have_been_charged() {
    let script = Script::of([Fails(TransportErrorKind::Timeout)]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let mut request = Request::new(&FREE_TO_TRY);
    request.query("preview", &true);
    let error = client.send::<Value>(request).await.unwrap_err();
    assert_eq!(
        (error.attempts(), error.outcome()),
        (1, Outcome::Unknown(None))
    );
}
