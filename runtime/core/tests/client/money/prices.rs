//! Reservations of calls, and prices learned from their costs. Time is paused.

use std::time::Duration;

use generated_client::document::{Operation, Presence, Price, Tariff};
use generated_client::request::{CallOptions, Request};
use generated_client::{Credits, Method};
use serde_json::Value;

use crate::support::scripted_client::{
    After, DONE, Hangs, PAID, Responds, Script, UNKNOWN, booked, books, call, credits, settle_all,
    start, start_request,
};

#[tokio::test(start_paused = true)]
async fn the_price_follows_the_arguments() {
    let script = Script::of([Hangs, Hangs, Hangs]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    for (parameter, reserved) in [(None, "2"), (Some("many"), "3"), (Some("odd"), "10")] {
        let mut request = Request::new(&PAID);
        if let Some(parameter) = parameter {
            request.query(parameter, &1);
        }
        let budget = client.budget().clone();
        let sent = tokio::time::timeout(Duration::from_secs(1), client.send::<Value>(request));
        let (outcome, during) = tokio::join!(sent, async move {
            tokio::time::sleep(Duration::from_millis(1)).await;
            budget.usage().reserved
        });
        outcome.unwrap_err();
        assert_eq!(during, credits(reserved), "{parameter:?}");
        settle_all(client.budget());
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_price_reserves_an_estimate() {
    let script = Script::of([Responds(200, None, r#"{"cost": 0.7}"#), Hangs]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    call(&client, &UNKNOWN).await.unwrap();
    let second = client.clone();
    let second = tokio::spawn(async move { call(&second, &UNKNOWN).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(client.budget().usage().reserved, credits("2.8"));
    second.abort();
    second.await.unwrap_err();

    let script = Script::of([Hangs, DONE]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let first = client.clone();
    let first = tokio::spawn(async move { call(&first, &UNKNOWN).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(client.budget().usage().reserved, credits("10"));
    // Cancelled after it was sent: its cost is unknown.
    first.abort();
    first.await.unwrap_err();
    assert_eq!(books(client.budget()), booked("0", "0", "3"));
}

#[tokio::test(start_paused = true)]
async fn a_price_that_rises_is_a_surprise_once_and_known_from_then_on() {
    let script = Script::of([Responds(200, None, r#"{"cost": 5}"#), Hangs]);
    let client = script.builder().budget(credits("20")).build().unwrap();
    call(&client, &PAID).await.unwrap();
    let usage = client.budget().usage();
    assert_eq!((usage.spent, usage.surprises), (credits("5"), 1));
    let second = client.clone();
    let second = tokio::spawn(async move { call(&second, &PAID).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(client.budget().usage().reserved, credits("5"));
    second.abort();
}

static ODDLY_NAMED: Operation = Operation {
    id: "oddlyNamed",
    method: Method::GET,
    path: "/odd",
    extension: Some(&Tariff {
        prices: &[Price {
            credits: Credits::from_micros(1_000_000),
            when: &[
                ("filter[a b]", Presence::Present),
                ("x&y", Presence::Absent),
            ],
        }],
        priced_by: &[],
        charge: Some("cost"),
    }),
    response: &generated_client::document::Shape::Any,
};

#[tokio::test(start_paused = true)]
async fn conditions_hold_for_names_that_are_encoded_repeated_or_without_value() {
    for (query, reserved) in [
        (vec![("filter[a b]", "1")], "1"),
        (
            vec![("other", "1"), ("filter[a b]", "1"), ("filter[a b]", "2")],
            "1",
        ),
        (vec![("filter[a b]", "")], "1"),
        (vec![("filter[a b]", "x&y=1")], "1"),
        (vec![("filter", "[a b]=")], "4"),
        (vec![("filter[a b]", "1"), ("x&y", "")], "4"),
        (vec![], "4"),
    ] {
        let script = Script::of([Hangs]);
        let client = script.builder().budget(credits("10")).build().unwrap();
        let mut request = Request::new(&ODDLY_NAMED);
        for (name, value) in &query {
            request.query(name, value);
        }
        let running = start_request(&client, request).await;
        assert_eq!(
            client.budget().usage().reserved,
            credits(reserved),
            "{query:?}"
        );
        running.abort();
    }
}

#[tokio::test(start_paused = true)]
async fn responses_that_cost_nothing_do_not_open_an_empty_budget() {
    for status in [200, 404] {
        let costly = || Responds(200, None, r#"{"cost": 2.5}"#);
        let free = (0..8).map(|_| Responds(status, None, r#"{"cost": 0}"#));
        let later = (0..3).map(|_| After(1, Box::new(costly())));
        let script = Script::of([costly()].into_iter().chain(free).chain(later));
        let client = script.builder().budget(credits("5")).build().unwrap();
        for _ in 0..9 {
            let _ = call(&client, &UNKNOWN).await;
        }
        let one = || call(&client, &UNKNOWN);
        let _ = tokio::join!(one(), one(), one());
        assert_eq!(client.budget().usage().spent, credits("5"), "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_price_that_rises_counts_for_those_who_wait_for_the_budget() {
    let costs = |body| After(5, Box::new(Responds(200, None, body)));
    let script = Script::of([costs(r#"{"cost": 3}"#), costs(r#"{"cost": 1}"#), DONE]);
    let client = script.builder().budget(credits("6")).build().unwrap();
    let mut request = Request::new(&PAID);
    let mut options = CallOptions::default();
    options = options.price(credits("4"));
    request.options(&options);
    let first = start(&client, &PAID).await;
    let second = start_request(&client, request).await;
    let waiting = start(&client, &PAID).await;
    assert_eq!(script.attempts(), 2);
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
    // Two credits are left, and by now the third call is known to cost three.
    let error = waiting.await.unwrap().unwrap_err();
    assert!(error.budget().is_some(), "{error:?}");
    assert_eq!(script.attempts(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_price_that_is_seen_lets_those_who_wait_go_at_the_same_time() {
    let first = After(5, Box::new(Responds(200, None, r#"{"cost": 1}"#)));
    let script = Script::of([first, Hangs, Hangs, Hangs]);
    let client = script.builder().budget(credits("13")).build().unwrap();
    let mut running = Vec::new();
    for _ in 0..4 {
        running.push(start(&client, &UNKNOWN).await);
    }
    assert_eq!(script.attempts(), 1);
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(script.attempts(), 4);
    assert_eq!(books(client.budget()), booked("1", "12", "0"));
}

#[tokio::test(start_paused = true)]
async fn a_price_that_the_caller_gives_is_reserved_and_its_excess_is_a_surprise() {
    let script = Script::of([After(5, Box::new(DONE)), Hangs]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let mut request = Request::new(&UNKNOWN);
    let mut options = CallOptions::default();
    options = options.price(credits("0.5"));
    request.options(&options);
    let running = start_request(&client, request).await;
    assert_eq!(client.budget().usage().reserved, credits("0.5"));
    running.await.unwrap().unwrap();
    let usage = client.budget().usage();
    assert_eq!(
        (usage.spent, usage.reserved, usage.surprises),
        (credits("2"), Credits::ZERO, 1)
    );
    let running = start(&client, &UNKNOWN).await;
    assert_eq!(client.budget().usage().reserved, credits("8"));
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn a_scoped_client_and_its_parent_learn_prices_from_each_other() {
    let script = Script::of([DONE, Hangs, Responds(200, None, r#"{"cost": 7}"#), Hangs]);
    let client = script.builder().budget(credits("40")).build().unwrap();
    let scoped = client.scoped(credits("30"));
    call(&scoped, &UNKNOWN).await.unwrap();
    let running = start(&client, &UNKNOWN).await;
    assert_eq!(client.budget().usage().reserved, credits("8"));
    running.abort();
    running.await.unwrap_err();
    call(&client, &PAID).await.unwrap();
    let running = start(&scoped, &PAID).await;
    assert_eq!(scoped.budget().usage().reserved, credits("7"));
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn what_a_failure_costs_is_not_the_price_of_a_success() {
    for failure in [
        Responds(404, None, r#"{"cost": 0}"#),
        Responds(422, None, r#"{"cost": 0.1}"#),
        Responds(429, Some("3600"), r#"{"cost": 0}"#),
    ] {
        let script = Script::of([failure, Hangs]);
        let client = script.builder().budget(credits("10")).build().unwrap();
        let error = call(&client, &UNKNOWN).await.unwrap_err();
        if let Some(wait) = error.retry_after() {
            tokio::time::sleep(wait).await;
        }
        let left = Credits::from_micros(10_000_000 - client.budget().usage().spent.micros());
        let running = start(&client, &UNKNOWN).await;
        assert_eq!(client.budget().usage().reserved, left);
        running.abort();
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_costs_more_than_the_known_price_raises_it() {
    let script = Script::of([Responds(500, None, r#"{"cost": 5}"#), Hangs]);
    let client = script.builder().budget(credits("20")).build().unwrap();
    call(&client, &PAID).await.unwrap_err();
    assert_eq!(client.budget().usage().surprises, 1);
    let running = start(&client, &PAID).await;
    assert_eq!(client.budget().usage().reserved, credits("5"));
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn a_success_that_reports_nothing_is_not_taken_for_a_price() {
    let script = Script::of([Responds(200, None, r#"{"cost": 0}"#), Hangs]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    call(&client, &UNKNOWN).await.unwrap();
    let running = start(&client, &UNKNOWN).await;
    assert_eq!(client.budget().usage().reserved, credits("10"));
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn a_price_outside_of_the_conditions_counts_for_the_same_arguments() {
    let with = |odd: &'static str, other: u32| {
        let mut request = Request::new(&PAID);
        request.query("other", &other).query("odd", &odd);
        request
    };
    for (request, reserved) in [
        (with("20", 1), "20"),
        (with("20", 2), "20"),
        // Five times as much: 25 are expected, and all that is left is less than four times that.
        (with("100", 1), "35"),
        (with("", 1), "20"),
        (Request::new(&PAID), "2"),
    ] {
        let five = Responds(200, None, r#"{"cost": 5}"#);
        let script = Script::of([five, Hangs]);
        let client = script.builder().budget(credits("40")).build().unwrap();
        client.send::<Value>(with("20", 1)).await.unwrap();
        let running = start_request(&client, request).await;
        assert_eq!(client.budget().usage().reserved, credits(reserved));
        running.abort();
    }
}
