//! Replies and assertions for tests of programs. Time is paused.

use generated_client::error::TransportErrorKind;
use generated_client::testing::{Reply, Script, assert_spent};
use generated_client::{Budget, Credits, Error};
use serde_json::json;
use things_client::Client;

use crate::support::api::KEY;
use crate::support::scripted_client::credits;

fn client(replies: impl IntoIterator<Item = Reply>) -> Client {
    let builder = Client::builder("https://example.com").api_key(KEY);
    builder.transport(Script::new(replies)).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn values_and_pages_are_replies() {
    let client = client([
        Reply::json(&json!({"things": [1], "cost": 2.5})),
        Reply::page("/things", [2, 3])
            .with("/total", 3)
            .with("/cost", 1),
        Reply::page("/things", [4])
            .with("/total", 3)
            .with("/offset", 2),
        Reply::page("/groups/0/things", [1]),
    ]);
    let one = client.things().send().await.unwrap();
    assert_eq!(*one.body.things, [1]);
    assert_eq!(one.meta.headers["content-type"], "application/json");
    assert_spent(client.budget(), credits("2.5"));
    let mut items = client.things().items();
    let mut read = Vec::new();
    while let Some(item) = items.next().await {
        read.push(item.unwrap());
    }
    assert_eq!(read, [2, 3, 4]);
    // The last page reports no charge, and the highest one so far is at risk.
    assert_eq!(client.budget().usage().at_risk, credits("2.5"));
    let nested = Reply::json(&json!({"groups": [{}]})).with("/groups/0/things", [9]);
    assert!(
        format!("{nested:?}").contains(r#"{\"groups\":[{\"things\":[9]}]}"#),
        "{nested:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_member_without_a_place_makes_the_reply_fail() {
    for reply in [
        Reply::new(200, "<html>").with("/cost", 1),
        Reply::json(&json!([])).with("/0/cost", 1),
        Reply::json(&json!({"cost": 1})).with("/cost/much", 1),
        Reply::json(&json!({})).with("cost", 1),
        Reply::json(&[f64::NAN].map(|_| std::collections::BTreeMap::from([([1], 1)]))),
    ] {
        let error = client([reply]).things().send().await.unwrap_err();
        let Error::Transport(error) = error else {
            panic!("{error:?}");
        };
        assert_eq!(error.kind(), TransportErrorKind::Other);
    }
    // A failure stays one.
    let lost = Reply::fails(TransportErrorKind::Timeout).with("/cost", 1);
    let error = client([lost]).things().send().await.unwrap_err();
    assert!(
        matches!(error, Error::Transport(error) if error.kind() == TransportErrorKind::Timeout)
    );
}

#[tokio::test]
async fn an_assertion_on_spend_fails_with_what_was_spent() {
    let budget = Budget::of(credits("9"));
    let reserve = || budget.reserve(credits("3"));
    let message = |check: fn(&Budget)| {
        let budget = budget.clone();
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&budget)));
        failed
            .err()
            .map(|panic| *panic.downcast::<String>().unwrap())
    };
    assert_eq!(message(|budget| assert_spent(budget, Credits::ZERO)), None);
    reserve().await.unwrap().at_risk();
    let failed = message(|budget| assert_spent(budget, Credits::ZERO)).unwrap();
    assert!(failed.contains("3 at risk"), "{failed}");
    budget.settle(budget.at_risk()[0].id, credits("2"));
    assert!(
        message(|budget| assert_spent(budget, "1".parse().unwrap()))
            .unwrap()
            .contains("2 are spent")
    );
}
