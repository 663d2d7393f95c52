//! Calls of unknown price after another call of their operation has shown one. Time is paused.

use std::time::Duration;

use metered_client::account::{Account, InProcess};
use metered_client::document::{Operation, Tariff};
use metered_client::money::{PriceSource, SeenPrice, UnknownPrices};
use metered_client::prelude::*;
use metered_client::request::Request;
use metered_client::testing;
use metered_client::{Client, ClientBuilder, Credits, Method, Outcome};
use serde_json::Value;
use tokio::time::Instant;

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{
    After, DONE, Hangs, Responds, Script, Step, books, credits, start_request,
};

static NAMED: Operation = Operation {
    id: "named",
    method: Method::GET,
    path: "/named",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &["name"],
        charge: Some("cost"),
    }),
    response: &metered_client::document::Shape::Any,
};

fn named(name: &str) -> Request {
    let mut request = Request::new(&NAMED);
    request.query("name", &name);
    request
}

fn costs(body: &'static str) -> Step {
    Responds(200, None, body)
}

async fn send(client: &Client, name: &str) -> Credits {
    client.send::<Value>(named(name)).await.unwrap();
    client.ledger().usage().spent
}

/// Returns the seconds that fifty calls of one second take, each with another name.
async fn fifty(unknown: UnknownPrices) -> u64 {
    let one = After(1, Box::new(DONE));
    let script = Script::of(vec![one; 50]);
    let builder = script.builder().budget(credits("2000"));
    let builder = builder.max_in_flight(50).unknown_prices(unknown);
    let client = builder.build().unwrap();
    let begin = Instant::now();
    let calls: Vec<_> = (0..50)
        .map(|nth| {
            let client = client.clone();
            tokio::spawn(async move { send(&client, &format!("x{nth}")).await })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(client.ledger().usage().spent, credits("100"));
    begin.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn calls_of_unknown_price_run_at_the_same_time_once_one_has_shown_a_price() {
    assert_eq!(fifty(UnknownPrices::ReserveRest).await, 50);
    assert_eq!(fifty(UnknownPrices::default()).await, 2);
}

#[tokio::test(start_paused = true)]
async fn an_estimate_is_exceeded_once_and_raised_by_that() {
    let script = Script::of([costs(r#"{"cost": 1}"#), costs(r#"{"cost": 10}"#), Hangs]);
    let builder = script.builder().budget(credits("100"));
    let builder = builder.unknown_prices(UnknownPrices::Learn { factor: 3 });
    let client = builder.build().unwrap();
    let quoted = |name| {
        let quote = client.quote(&named(name));
        (quote.source, quote.at_most)
    };
    assert_eq!(quoted("a"), (PriceSource::Unknown, None));
    send(&client, "a").await;
    assert_eq!(quoted("b"), (PriceSource::Learned, Some(credits("3"))));
    assert_eq!(quoted("a"), (PriceSource::Observed, Some(credits("1"))));
    assert_eq!(client.ledger().usage().surprises, 0);

    send(&client, "b").await;
    assert_eq!(client.ledger().usage().surprises, 1);
    let running = start_request(&client, named("c")).await;
    assert_eq!(client.ledger().usage().reserved, credits("30"));
    running.abort();
}

/// Each budget is what is left of it when the estimate is 8.
#[tokio::test(start_paused = true)]
async fn less_than_the_estimate_is_reserved_where_less_is_left() {
    let eight = credits("8");
    for (budget, reserved) in [
        ("2.000001", "0.000001"),
        ("9", "7"),
        ("10", "8"),
        ("99", "8"),
    ] {
        let script = Script::of([DONE, After(9, Box::new(Responds(404, None, "")))]);
        let client = script.builder().budget(credits(budget)).build().unwrap();
        send(&client, "a").await;
        let running = start_request(&client, named("b")).await;
        assert_eq!(client.ledger().usage().reserved, credits(reserved));
        let error = running.await.unwrap().unwrap_err();
        // If it is lost, it may have cost the estimate.
        assert_eq!(error.outcome(), Outcome::Unknown(Some(eight)), "{budget}");
        assert_eq!(client.ledger().usage().at_risk, eight);
    }
    let script = Script::of([DONE]);
    let client = script.builder().budget(credits("2")).build().unwrap();
    send(&client, "a").await;
    let refused = client.send::<Value>(named("b")).await.unwrap_err();
    assert!(refused.budget().is_some());
}

#[tokio::test(start_paused = true)]
async fn what_was_lost_before_a_price_was_known_is_worth_that_price_once_it_is() {
    for (name, unknown, at_risk) in [
        // The same call, an estimate of another one, and no estimate.
        ("a", UnknownPrices::default(), "2"),
        ("b", UnknownPrices::default(), "8"),
        ("b", UnknownPrices::ReserveRest, "20"),
    ] {
        for is_dropped in [false, true] {
            let lost = match is_dropped {
                true => Hangs,
                false => Responds(500, None, ""),
            };
            let script = Script::of([lost, DONE]);
            let builder = script.builder().budget(credits("20"));
            let client = builder.unknown_prices(unknown).build().unwrap();
            let scope = client.scoped(credits("20"));
            let running = start_request(&scope, named("a")).await;
            match is_dropped {
                true => running.abort(),
                false => assert!(running.await.unwrap().is_err()),
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            assert_eq!(client.ledger().usage().at_risk, credits("20"));
            client.ledger().raise(credits("20"));
            send(&client, name).await;
            let after = (credits("2"), Credits::ZERO, credits(at_risk));
            assert_eq!(books(client.ledger()), after, "{name} {unknown:?}");
            assert_eq!(scope.ledger().usage().at_risk, credits(at_risk));
            let listed = client.ledger().at_risk();
            assert_eq!(listed[0].amount, Some(credits(at_risk)));
            // The provider's account says what it cost.
            assert!(scope.ledger().settle(listed[0].id, credits("3")));
            let settled = (credits("5"), Credits::ZERO, Credits::ZERO);
            assert_eq!(books(client.ledger()), settled);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn prices_that_were_seen_outlive_a_restart() {
    let script = Script::of([DONE]);
    let first = script.builder().budget(credits("10")).build().unwrap();
    send(&first, "a").await;
    let saved = serde_json::to_string(&first.prices()).unwrap();
    assert_eq!(
        saved,
        r#"[{"operation":"named","arguments":"name=a","credits":2}]"#
    );

    let prices: Vec<SeenPrice> = serde_json::from_str(&saved).unwrap();
    let later = Script::of(vec![costs(r#"{"cost": 1}"#); 8]);
    let builder = later.builder().budget(credits("100"));
    let client = builder.seen_prices(prices).build().unwrap();
    assert_eq!(client.prices(), first.prices());
    let at_most = |name| client.quote(&named(name)).at_most;
    assert_eq!(
        (at_most("a"), at_most("b")),
        (Some(credits("2")), Some(credits("8")))
    );
    for _ in 0..8 {
        assert_eq!(at_most("a"), Some(credits("2")));
        send(&client, "a").await;
    }
    assert_eq!(at_most("a"), Some(credits("1")), "it is forgotten");
}

#[tokio::test(start_paused = true)]
async fn an_account_reserves_the_estimate_too_and_tells_it_to_other_clients() {
    let process = |account: &Account, steps: Vec<Step>| -> Client {
        let script = testing::Script::new(steps.into_iter().map(testing::Reply::from));
        let builder = ClientBuilder::new(&API, "https://example.com").api_key(KEY);
        let builder = builder.transport(script).account(account.clone());
        builder.build().unwrap()
    };
    for (limit, reserved) in [("50", "8"), ("9", "7")] {
        let account = Account::named("one").limit(credits(limit));
        let account = account.open(InProcess::new()).await.unwrap();
        let first = process(&account, vec![DONE]);
        send(&first, "a").await;

        let second = process(&account, vec![Hangs, Hangs]);
        let running = start_request(&second, named("b")).await;
        let usage = account.usage().await.unwrap().usage;
        assert_eq!(usage.reserved, credits(reserved), "{limit}");
        running.abort();
    }
}
