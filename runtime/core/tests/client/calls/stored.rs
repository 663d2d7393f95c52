//! Responses, outcomes and budgets that were kept, and go on in another run.

use generated_client::money::Usage;
use generated_client::testing::{Reply, Script};
use generated_client::{Budget, Credits, Error, Outcome, Response};
use things_client::Client;
use things_client::types::Page;

use crate::support::api::KEY;
use crate::support::scripted_client::{booked, books, credits};

const PAGE: &str = r#"{"cost": 2.5, "things": [1, "two", 3.0], "new": 1}"#;

#[tokio::test(start_paused = true)]
async fn stored_bytes_are_read_as_the_call_read_them() {
    let builder = Client::builder("https://example.com").api_key(KEY);
    let script = Script::new([Reply::new(200, PAGE)]);
    let client = builder.transport(script).build().unwrap();
    let fresh = client.things().send().await.unwrap();
    let stored = Response::<Page>::from_bytes(fresh.raw.clone()).unwrap();
    assert_eq!(stored.body, fresh.body);
    assert_eq!(
        (stored.body.things.len(), stored.body.things.rejects().len()),
        (2, 1)
    );
    assert_eq!(stored.drift(), fresh.drift());
    assert!(
        stored
            .drift()
            .iter()
            .any(|drift| drift.to_string().contains("/new"))
    );
    assert_eq!(stored.reported_charge(), Some(credits("2.5")));
    assert_eq!(
        (stored.meta.outcome(), stored.meta.attempts),
        (Outcome::NotSent, 0)
    );
    assert!(!stored.meta.settle(credits("1")));
}

#[test]
fn stored_bytes_that_are_no_response_are_a_decode_error_that_keeps_them() {
    let error = Response::<Page>::from_bytes("[1]").unwrap_err();
    assert!(matches!(error, Error::Decode(_)), "{error:?}");
    assert_eq!(error.body().map(|body| &**body), Some(&b"[1]"[..]));
    assert_eq!(error.outcome(), Outcome::NotSent);
    assert!(!error.is_retryable());
}

#[tokio::test]
async fn a_budget_goes_on_after_a_restart_with_all_that_may_have_been_charged() {
    let budget = Budget::of(credits("10"));
    let reserve = async |amount: &str| {
        let amount = credits(amount);
        budget.reserve(amount).await.unwrap()
    };
    reserve("1").await.charged(credits("2"));
    reserve("3").await.at_risk();
    let in_flight = reserve("1").await;
    let kept = serde_json::to_string(&budget.usage()).unwrap();
    drop(in_flight);

    let usage: Usage = serde_json::from_str(&kept).unwrap();
    let budget = Budget::resume(credits("20"), &usage);
    assert_eq!(books(&budget), (credits("2"), Credits::ZERO, credits("4")));
    let resumed = budget.usage();
    assert_eq!(
        (resumed.limit, resumed.calls, resumed.surprises),
        (Some(credits("20")), 2, 1)
    );
    let too_much = credits("14.000001");
    budget.reserve(too_much).await.unwrap_err();
    drop(budget.reserve(credits("14")).await.unwrap());

    let open = budget.at_risk();
    assert_eq!((open.len(), open[0].amount), (1, Some(credits("4"))));
    assert!(budget.settle(open[0].id, credits("3")));
    assert_eq!(books(&budget), (credits("5"), Credits::ZERO, Credits::ZERO));
}

#[tokio::test]
async fn a_budget_that_goes_on_can_be_settled_and_may_be_overdrawn() {
    let usage: Usage = serde_json::from_str(r#"{"spent": 12, "at_risk": 1}"#).unwrap();
    let budget = Budget::resume(credits("10"), &usage);
    budget.reserve(credits("0.000001")).await.unwrap_err();
    assert!(budget.settle(budget.at_risk()[0].id, credits("0")));
    assert_eq!(books(&budget), booked("12", "0", "0"));
    let nothing = Budget::resume(credits("10"), &Usage::default());
    assert_eq!(nothing.at_risk().len(), 0);
}
