//! Calls of unknown price after another call of their operation has shown one. Time is paused.

use std::time::Duration;

use generated_client::document::{Api, Operation, Tariff};
use generated_client::money::{Asked, PriceSource, SeenPrice};
use generated_client::request::Request;
use generated_client::testing;
use generated_client::{Client, ClientBuilder, Credits, Method, Outcome};
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
    response: &generated_client::document::Shape::Any,
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
    client.budget().usage().spent
}

/// Fifty calls of one second, each with another name.
#[tokio::test(start_paused = true)]
async fn calls_of_unknown_price_run_at_the_same_time() {
    let one = After(1, Box::new(DONE));
    let script = Script::of(vec![one; 50]);
    let builder = script.builder().budget(credits("2000"));
    let client = builder.max_in_flight(50).build().unwrap();
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
    assert_eq!(client.budget().usage().spent, credits("100"));
    assert_eq!(begin.elapsed().as_secs(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_estimate_is_exceeded_once_and_raised_by_that() {
    let script = Script::of([costs(r#"{"cost": 1}"#), costs(r#"{"cost": 10}"#), Hangs]);
    let builder = script.builder().budget(credits("100"));
    let client = builder.build().unwrap();
    let quoted = |name| {
        let quote = client.quote(&named(name));
        (quote.source, quote.at_most)
    };
    // Four times the dearest price in the document.
    assert_eq!(quoted("a"), (PriceSource::Learned, Some(credits("12"))));
    send(&client, "a").await;
    assert_eq!(quoted("b"), (PriceSource::Learned, Some(credits("4"))));
    assert_eq!(quoted("a"), (PriceSource::Observed, Some(credits("1"))));
    assert_eq!(client.budget().usage().surprises, 0);

    send(&client, "b").await;
    assert_eq!(client.budget().usage().surprises, 1);
    let running = start_request(&client, named("c")).await;
    assert_eq!(client.budget().usage().reserved, credits("40"));
    running.abort();
}

/// Two credits are expected, and the estimate is 8.
#[tokio::test(start_paused = true)]
async fn less_than_the_estimate_is_reserved_where_less_is_left_but_not_less_than_is_expected() {
    for (budget, reserved) in [("4", "2"), ("9", "7"), ("10", "8"), ("99", "8")] {
        let script = Script::of([DONE, After(9, Box::new(Responds(404, None, "")))]);
        let builder = script.builder().budget(credits("99"));
        let client = builder.build().unwrap();
        let scope = client.scoped(credits(budget));
        send(&client, "a").await;
        let held = scope.budget().reserve(credits("2")).await.unwrap();
        held.charged(credits("2"));
        let running = start_request(&scope, named("b")).await;
        assert_eq!(scope.budget().usage().reserved, credits(reserved));
        let error = running.await.unwrap().unwrap_err();
        // If it is lost, what was expected is at risk.
        let two = credits("2");
        assert_eq!(error.outcome(), Outcome::Unknown(Some(two)), "{budget}");
        assert_eq!(scope.budget().usage().at_risk, two);
    }
    let script = Script::of([DONE]);
    let client = script.builder().budget(credits("3.9")).build().unwrap();
    send(&client, "a").await;
    let refused = client.send::<Value>(named("b")).await.unwrap_err();
    let refused = refused.budget().unwrap();
    assert_eq!(refused.asked, Asked::Estimate(credits("2")));
    assert!(refused.to_string().contains("`assume_price`"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn a_lost_call_has_its_expected_price_at_risk_and_then_the_one_that_is_seen() {
    // The same call, and another one: the price of that is expected.
    for name in ["a", "b"] {
        for is_dropped in [false, true] {
            let lost = if is_dropped {
                Hangs
            } else {
                Responds(404, None, "")
            };
            let script = Script::of([lost, DONE, Responds(500, None, "")]);
            let client = script.builder().budget(credits("100")).build().unwrap();
            let scope = client.scoped(credits("90"));
            let running = start_request(&scope, named("a")).await;
            if is_dropped {
                running.abort()
            } else {
                assert!(running.await.unwrap().is_err())
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            assert_eq!(client.budget().usage().at_risk, credits("3"));
            // The next call is possible, and shows a price.
            send(&client, name).await;
            let sums = (credits("2"), Credits::ZERO, credits("2"));
            assert_eq!(books(client.budget()), sums, "{name}");
            assert_eq!(scope.budget().usage().at_risk, credits("2"));
            // So is what is lost from then on.
            client.send::<Value>(named(name)).await.unwrap_err();
            let listed = client.budget().at_risk();
            assert_eq!(listed[1].amount, Some(credits("2")), "{name}");
            // The provider's account says what it cost.
            assert!(scope.budget().settle(listed[0].id, credits("3")));
            let settled = (credits("5"), Credits::ZERO, credits("2"));
            assert_eq!(books(client.budget()), settled);
        }
    }
}

/// Two calls are in flight when the first one shows its price, and the other is dropped after that.
#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_after_its_price_was_seen_has_that_at_risk() {
    let script = Script::of([After(5, Box::new(DONE)), Hangs]);
    let client = script.builder().budget(credits("100")).build().unwrap();
    let first = start_request(&client, named("a")).await;
    let second = start_request(&client, named("a")).await;
    assert_eq!(client.budget().usage().reserved, credits("24"));
    first.await.unwrap().unwrap();
    second.abort();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let sums = (credits("2"), Credits::ZERO, credits("2"));
    assert_eq!(books(client.budget()), sums);
}

/// A line that was seen once bounds no less than one that was never seen: its calls cost 1, and then 4 each.
#[tokio::test(start_paused = true)]
async fn a_price_that_was_seen_once_is_reserved_with_the_factor() {
    let dear = After(1, Box::new(costs(r#"{"cost": 4}"#)));
    let script = Script::of([costs(r#"{"cost": 1}"#)].into_iter().chain(vec![dear; 19]));
    let builder = script.builder().budget(credits("20")).max_in_flight(19);
    let client = builder.build().unwrap();
    send(&client, "a").await;
    let calls = (0..19).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { client.send::<Value>(named("a")).await })
    });
    for call in calls.collect::<Vec<_>>() {
        drop(call.await.unwrap());
    }
    assert_eq!(client.budget().usage().spent, credits("17"));
}

/// An API whose document has no price.
#[tokio::test(start_paused = true)]
async fn a_budget_asks_for_a_price_where_none_is_known() {
    static UNPRICED: Api = Api {
        interceptor: Some(|| generated_client::meter(Some("cost"), None)),
        ..API
    };
    let reply = || testing::Reply::new(200, r#"{"cost": 2}"#);
    let lost = || testing::Reply::new(404, "");
    let builder = |replies: Vec<testing::Reply>| -> ClientBuilder {
        let builder = ClientBuilder::new(&UNPRICED, "https://example.com").api_key(KEY);
        builder.transport(testing::Script::new(replies))
    };
    let client = builder(vec![]).budget(credits("100")).build().unwrap();
    let refused = client.send::<Value>(named("a")).await.unwrap_err();
    assert_eq!(refused.budget().unwrap().asked, Asked::Unknown);
    assert!(refused.to_string().contains("`assume_price`"), "{refused}");
    // A stated price is enough.
    let stated = builder(vec![lost(), reply()]).assume_price(credits("9"));
    let client = stated.budget(credits("100")).build().unwrap();
    client.send::<Value>(named("a")).await.unwrap_err();
    send(&client, "a").await;
    let sums = |at_risk| (credits("2"), Credits::ZERO, credits(at_risk));
    assert_eq!(books(client.budget()), sums("9"));
    // Without a limit nothing is refused, and what was lost is worth the price that is seen.
    let client = builder(vec![lost(), reply()]).build().unwrap();
    let error = client.send::<Value>(named("a")).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::Unknown(None));
    assert_eq!(client.budget().at_risk()[0].amount, None);
    send(&client, "a").await;
    assert_eq!(books(client.budget()), sums("2"));
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
