//! How calls share a budget. Time is paused.

use std::time::Duration;

use generated_client::request::{CallOptions, Request};
use generated_client::{Budget, Credits, Error, Outcome, RetryPolicy};

use crate::support::scripted_client::{
    After, DONE, PAID, Responds, Script, booked, books, call, credits, start, start_request,
};

#[tokio::test(start_paused = true)]
async fn a_budget_without_room_sends_nothing() {
    let script = Script::of([DONE]);
    let client = script.builder().budget(credits("3.5")).build().unwrap();
    call(&client, &PAID).await.unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(error.budget().is_some(), "{error:?}");
    assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotSent));
    // A loop that tries again would spin.
    assert!(!error.is_retryable());
    assert_eq!(script.attempts(), 1);
    assert_eq!(
        error.to_string(),
        "paid (GET /paid) was not sent: the call needs 2 credits, but the budget has 1.5 of 3.5 credits left (2 spent, 0 reserved \
         for calls in flight, 0 at risk)"
    );

    // An attempt that is at risk leaves no room for the next.
    let script = Script::of([Responds(500, None, "")]);
    let client = script
        .builder()
        .retry(RetryPolicy::Always)
        .budget(credits("3"))
        .build()
        .unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(error.budget().is_some(), "{error:?}");
    assert_eq!(
        (error.attempts(), error.outcome()),
        (1, Outcome::Unknown(Some(credits("2"))))
    );
    assert!(!error.is_retryable());
    assert_eq!(
        error.to_string(),
        "paid (GET /paid) was not sent again: the call needs 2 credits, but the budget has 1 of 3 credits left (0 spent, 0 reserved \
         for calls in flight, 2 at risk); `settle` frees what was not charged, and `unbilled` names status codes that never are"
    );
}

#[tokio::test]
async fn a_budget_trusts_the_number_of_a_settlement_and_may_be_overdrawn() {
    let budget = Budget::of(credits("10"));
    budget.reserve(credits("1")).await.unwrap().at_risk();
    assert!(budget.settle(budget.at_risk()[0].id, credits("12")));
    assert_eq!(books(&budget), booked("12", "0", "0"));
    budget.reserve(credits("0.000001")).await.unwrap_err();
    budget.raise(credits("3"));
    drop(budget.reserve(credits("1")).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_scoped_client_draws_on_both_budgets() {
    let script = Script::of([DONE, DONE, DONE]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let scoped = client.scoped(credits("3"));
    call(&scoped, &PAID).await.unwrap();
    let error = call(&scoped, &PAID).await.unwrap_err();
    assert!(error.budget().is_some(), "{error:?}");
    call(&client, &PAID).await.unwrap();
    assert_eq!(client.budget().usage().spent, credits("4"));
    assert_eq!(scoped.budget().usage().spent, credits("2"));
    // Without a limit, a scope counts.
    let counting = client.scoped(None);
    call(&counting, &PAID).await.unwrap();
    let own = counting.budget().usage();
    assert_eq!((own.limit, own.spent), (None, credits("2")));
    assert_eq!(client.budget().usage().spent, credits("6"));
}

#[tokio::test(start_paused = true)]
async fn who_is_cancelled_while_waiting_leaves_places_and_budget_to_the_others() {
    for in_flight in [1, 8] {
        let script = Script::of([After(60, Box::new(DONE)), DONE]);
        let client = script
            .builder()
            .max_in_flight(in_flight)
            .budget(credits("4"))
            .build()
            .unwrap();
        let mut dear = Request::new(&PAID);
        let mut options = CallOptions::default();
        options = options.price(credits("4"));
        dear.options(&options);
        let first = start(&client, &PAID).await;
        let cancelled = start_request(&client, dear).await;
        let last = start(&client, &PAID).await;
        assert_eq!(script.attempts(), 1);
        cancelled.abort();
        cancelled.await.unwrap_err();
        last.await.unwrap().unwrap();
        first.await.unwrap().unwrap();
        assert_eq!(books(client.budget()), booked("4", "0", "0"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_parent_and_its_scoped_clients_share_places_and_never_exceed_either_budget() {
    let slow = || After(1, Box::new(DONE));
    let script = Script::of(vec![slow(); 5]);
    let client = script.builder().budget(credits("11")).build().unwrap();
    let scoped = [client.scoped(credits("5")), client.scoped(credits("100"))];
    let mut running = Vec::new();
    for _ in 0..4 {
        for client in [&client, &scoped[0], &scoped[1]] {
            running.push(start(client, &PAID).await);
        }
    }
    let mut done = 0;
    for call in running {
        done += usize::from(call.await.unwrap().is_ok());
    }
    assert_eq!((done, script.attempts()), (5, 5));
    assert_eq!(books(client.budget()), booked("10", "0", "0"));
    assert_eq!(scoped[0].budget().usage().spent, credits("4"));
}

#[tokio::test(start_paused = true)]
async fn clients_with_places_of_their_own_share_a_budget() {
    let budget = Budget::of(credits("5"));
    let slow = || After(10, Box::new(DONE));
    let scripts = [Script::of([slow(), slow()]), Script::of([slow(), slow()])];
    let mut running = Vec::new();
    for script in &scripts {
        let client = script
            .builder()
            .budget(budget.clone())
            .max_in_flight(1)
            .build()
            .unwrap();
        running.push(start(&client, &PAID).await);
        running.push(start(&client, &PAID).await);
    }
    let mut done = 0;
    for call in running {
        done += usize::from(call.await.unwrap().is_ok());
    }
    assert_eq!(done, 2);
    assert_eq!(books(&budget), (credits("4"), Credits::ZERO, Credits::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_reservation_that_somebody_else_holds_delays_a_call_and_no_longer_than_its_deadline() {
    let script = Script::of([]);
    let client = script.builder().budget(credits("2")).build().unwrap();
    let held = client.budget().reserve(credits("1")).await.unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
    assert_eq!(client.budget().usage().reserved, credits("1"));
    held.refund();
    assert_eq!(books(client.budget()), booked("0", "0", "0"));
}

#[tokio::test(start_paused = true)]
async fn cancelled_at_any_moment_a_call_is_either_refunded_or_at_risk() {
    // Sent at 0 s, pausing until 20 s, sent again, response at 30 s.
    let steps = || [Responds(503, Some("20"), ""), After(10, Box::new(DONE))];
    for (seconds, at_risk) in [(1, "0"), (19, "0"), (21, "2"), (29, "2")] {
        let script = Script::of(steps());
        let client = script.builder().budget(credits("2")).build().unwrap();
        let cancelled = tokio::time::timeout(Duration::from_secs(seconds), call(&client, &PAID));
        cancelled.await.unwrap_err();
        assert_eq!(
            books(client.budget()),
            (Credits::ZERO, Credits::ZERO, credits(at_risk)),
            "{seconds}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_the_budget_holds_back_after_attempts_that_cost_nothing_was_charged_nothing() {
    let script = Script::of([Responds(500, None, r#"{"cost": 0}"#)]);
    let client = script
        .builder()
        .retry(RetryPolicy::Always)
        .budget(credits("2"))
        .build()
        .unwrap();
    let calling = start(&client, &PAID).await;
    // Another call takes the budget during the pause.
    let ask = credits("2");
    client
        .budget()
        .reserve(ask)
        .await
        .unwrap()
        .charged(credits("2"));
    let error = calling.await.unwrap().unwrap_err();
    assert!(error.budget().is_some(), "{error:?}");
    assert_eq!(error.outcome(), Outcome::Charged(Credits::ZERO));
    assert!(!error.may_have_been_charged());
}
