//! Equal calls at the same time: one is made, and the others wait for it.

use std::time::Duration;

use generated_client::cache::Cache;
use generated_client::testing::{Reply, Script, Sent};
use generated_client::{Credits, Outcome};
use serde_json::Value;

use super::{DAY, builder, client, counting, fresh, number, paid, with};
use crate::support::scripted_client::credits;

#[tokio::test(start_paused = true)]
async fn equal_calls_at_the_same_time_are_billed_once() {
    let script = counting();
    let client = builder(&script, fresh())
        .budget(Credits::new(2))
        .build()
        .unwrap();
    let calls: Vec<_> = (0..64)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.send::<Value>(paid("example.com")).await.unwrap() })
        })
        .collect();
    let mut charged = 0;
    for call in calls {
        let response = call.await.unwrap();
        assert_eq!(response.body["call"], 1);
        charged += u32::from(response.outcome() == Outcome::Charged(Credits::new(2)));
    }
    assert_eq!((script.sent().len(), charged), (1, 1));
    let usage = client.budget().usage();
    assert_eq!((usage.spent, usage.saved), (credits("2"), credits("126")));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_stored_in_memory_has_one_task() {
    let client = client(&counting(), fresh());
    let mut call = Box::pin(client.send::<Value>(paid("example.com")));
    let sent = tokio::time::timeout(Duration::from_millis(100), &mut call).await;
    assert!(sent.is_err());
    let runtime = tokio::runtime::Handle::current();
    assert_eq!(runtime.metrics().num_alive_tasks(), 1);
    call.await.unwrap();
    assert_eq!(runtime.metrics().num_alive_tasks(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_leaves_does_not_cancel_the_call_of_the_others() {
    let script = counting();
    let client = client(&script, fresh());
    let first = tokio::spawn({
        let client = client.clone();
        async move { number(&client, paid("example.com")).await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    let second = tokio::spawn({
        let client = client.clone();
        async move { client.send::<Value>(paid("example.com")).await.unwrap() }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    first.abort();
    let response = second.await.unwrap();
    assert_eq!(response.outcome(), Outcome::Stored);
    let usage = client.budget().usage();
    assert_eq!(
        (usage.spent, usage.at_risk),
        (Credits::new(2), Credits::ZERO)
    );
    assert_eq!(script.sent().len(), 1);
    // The last one that leaves cancels it, and its price is at risk at once.
    let other = paid("example.org");
    let mut last = Box::pin(client.send::<Value>(other.clone()));
    assert!(
        tokio::time::timeout(Duration::from_millis(100), &mut last)
            .await
            .is_err()
    );
    drop(last);
    assert_eq!(client.budget().usage().at_risk, Credits::new(2));
    assert_eq!(number(&client, other).await, 3);
}

#[tokio::test(start_paused = true)]
async fn after_a_failure_the_others_make_no_call_that_could_be_a_second_charge() {
    let script = Script::responding(|_: &Sent| {
        Reply::fails(generated_client::error::TransportErrorKind::Timeout).after(DAY / 1000)
    });
    let client = client(&script, fresh());
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(
                async move { client.send::<Value>(paid("example.com")).await.unwrap_err() },
            )
        })
        .collect();
    let mut unknown = 0;
    for call in calls {
        match call.await.unwrap().outcome() {
            Outcome::Unknown(_) => unknown += 1,
            outcome => assert_eq!(outcome, Outcome::NotSent),
        }
    }
    assert_eq!((script.sent().len(), unknown), (1, 1));
    assert_eq!(client.budget().usage().at_risk, Credits::new(2));
}

#[tokio::test(start_paused = true)]
async fn calls_that_were_not_sent_are_made_by_each_caller() {
    let script = counting();
    let client = client(&script, fresh());
    let poor = client.scoped(Credits::ZERO);
    let (refused, made) = tokio::join!(
        poor.send::<Value>(paid("example.com")),
        client.send::<Value>(paid("example.com")),
    );
    assert!(refused.unwrap_err().budget().is_some());
    assert_eq!(made.unwrap().outcome(), Outcome::Charged(Credits::new(2)));
}

/// A deadline ends the call as without a cache: it was sent, and may have been billed.
#[tokio::test(start_paused = true)]
async fn a_deadline_tells_what_was_sent() {
    let slow = |_: &Sent| Reply::new(200, r#"{"cost": 2}"#).after(Duration::from_secs(400));
    let script = Script::responding(slow);
    let client = client(&script, fresh());
    let short = with(|options| options.deadline = Some(Duration::from_secs(1)));
    let error = client.send::<Value>(short).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::Unknown(Some(Credits::new(2))));
    assert_eq!((error.attempts(), error.is_retryable()), (1, false));
    // Without one, a slow response is waited for.
    let response = client.send::<Value>(paid("example.org")).await.unwrap();
    assert_eq!(response.outcome(), Outcome::Charged(Credits::new(2)));
}

#[tokio::test(start_paused = true)]
async fn a_caller_with_a_short_deadline_does_not_end_the_call_of_those_that_wait() {
    let script = counting();
    let client = client(&script, fresh());
    let short = with(|options| options.deadline = Some(Duration::from_millis(500)));
    let patient = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        client.send::<Value>(paid("example.com")).await.unwrap()
    };
    let (hasty, patient) = tokio::join!(client.send::<Value>(short), patient);
    let hasty = hasty.unwrap_err();
    assert_eq!(hasty.outcome(), Outcome::Unknown(Some(Credits::new(2))));
    assert_eq!(patient.outcome(), Outcome::Stored);
    assert_eq!(script.sent().len(), 1);
    let usage = client.budget().usage();
    assert_eq!(
        (usage.spent, usage.at_risk),
        (Credits::new(2), Credits::ZERO)
    );
}

/// Nothing was sent: the client has one permit, which another call holds.
#[tokio::test(start_paused = true)]
async fn those_that_wait_start_the_call_where_its_deadline_passed_before_it_was_sent() {
    let script = counting();
    let client = builder(&script, fresh()).max_in_flight(1).build().unwrap();
    let short = with(|options| options.deadline = Some(Duration::from_millis(500)));
    let (other, hasty, patient) = tokio::join!(
        client.send::<Value>(paid("example.org")),
        client.send::<Value>(short),
        client.send::<Value>(paid("example.com")),
    );
    assert_eq!(hasty.unwrap_err().outcome(), Outcome::NotSent);
    let charged = Outcome::Charged(Credits::new(2));
    assert_eq!(
        [other.unwrap().outcome(), patient.unwrap().outcome()],
        [charged, charged]
    );
    assert_eq!(script.sent().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_detached_call_is_waited_for_after_its_caller_has_left() {
    let script = counting();
    let client = builder(&script, fresh()).detached(true).build().unwrap();
    let mut first = Box::pin(client.send::<Value>(paid("example.com")));
    let left = tokio::time::timeout(Duration::from_millis(100), &mut first).await;
    assert!(left.is_err());
    drop(first);
    assert_eq!(number(&client, paid("www.example.com")).await, 1);
    assert_eq!(number(&client, paid("example.com")).await, 1);
    assert_eq!(
        (script.sent().len(), client.budget().usage().spent),
        (1, Credits::new(2))
    );
}

#[tokio::test(start_paused = true)]
async fn those_that_wait_make_their_own_call_after_one_that_was_free() {
    let script = Script::new([
        Reply::new(404, r#"{"cost": 0}"#).after(Duration::from_secs(1)),
        Reply::new(200, r#"{"cost": 2}"#),
    ]);
    let client = client(&script, fresh());
    let (one, two) = tokio::join!(
        client.send::<Value>(paid("example.com")),
        client.send::<Value>(paid("example.com")),
    );
    assert_eq!(one.unwrap_err().status().unwrap(), 404);
    assert_eq!(two.unwrap().outcome(), Outcome::Charged(Credits::new(2)));
}

#[test]
fn a_call_that_is_dropped_outside_of_its_runtime_gives_its_lease_back() {
    let folder = std::env::temp_dir().join(format!("cache-outside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let cache = Cache::open(folder.join("responses.sqlite"))
        .unwrap()
        .max_age(DAY);
    let client = client(&counting(), cache);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut call = Box::pin(client.send::<Value>(paid("example.com")));
    let waited = runtime.block_on(async {
        tokio::time::timeout(Duration::from_millis(300), &mut call)
            .await
            .is_err()
    });
    assert!(waited);
    drop(call);
    assert_eq!(client.budget().usage().at_risk, Credits::new(2));
    drop(runtime);
    std::fs::remove_dir_all(folder).unwrap();
}
