//! Calls whose price is unknown: what they hold up, what they put at risk, and how a caller gets out of it. Time is paused.

use generated_client::document::{Api, Operation};
use generated_client::error::TransportErrorKind;
use generated_client::request::{CallOptions, Request};
use generated_client::testing::{self, Reply};
use generated_client::{
    Client, ClientBuilder, Credits, Error, Outcome, Response, RetryPolicy, StatusCode,
};
use serde_json::Value;

use crate::support::api::{API, KEY, builder};
use crate::support::scripted_client::{
    After, DONE, FREE, Fails, Hangs, PAID, Responds, SIZED, Script, UNKNOWN, booked, books, call,
    credits, start,
};

/// Runs two hundred calls, eight at a time, on a budget of 50. Returns `(sent, refused, billed, at risk)`. The first call is for something
/// that the service does not know, the others cost 2 each.
async fn two_hundred(
    set_up: impl Fn(ClientBuilder) -> ClientBuilder,
    price: Option<&str>,
) -> (usize, usize, Credits, Credits) {
    let unknown = Responds(404, None, r#"{"detail": "no such thing"}"#);
    let script = Script::of([unknown].into_iter().chain(vec![DONE; 199]));
    let client = set_up(script.builder().budget(credits("50")));
    let client = client.max_in_flight(8).build().unwrap();
    let mut calls = Vec::new();
    for _ in 0..200 {
        let mut request = Request::new(&UNKNOWN);
        let mut options = CallOptions::default();
        if let Some(price) = price.map(credits) {
            options = options.price(price);
        }
        request.options(&options);
        let client = client.clone();
        calls.push(tokio::spawn(
            async move { client.send::<Value>(request).await },
        ));
    }
    let mut refused = 0;
    for call in calls {
        refused += usize::from(
            call.await
                .unwrap()
                .is_err_and(|error| error.budget().is_some()),
        );
    }
    let (spent, reserved, at_risk) = books(client.budget());
    assert_eq!(reserved, Credits::ZERO);
    (script.attempts(), refused, spent, at_risk)
}

/// The calls that wait were estimated at 3 credits; while they wait, each is seen to cost 1.
#[tokio::test(start_paused = true)]
async fn a_call_that_waits_learns_the_price_that_others_have_seen() {
    let one = After(1, Box::new(Responds(200, None, r#"{"cost": 1}"#)));
    let script = Script::of(vec![one; 20]);
    let client = script.builder().budget(credits("5")).build().unwrap();
    let mut calls = Vec::new();
    for _ in 0..20 {
        calls.push(start(&client, &UNKNOWN).await);
    }
    let mut sent = 0;
    for called in calls {
        sent += usize::from(called.await.unwrap().is_ok());
    }
    assert_eq!((sent, script.attempts()), (5, 5));
    assert_eq!(client.budget().left(), Some(Credits::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_failure_puts_the_price_of_one_call_at_risk_and_stops_nothing() {
    let nothing = |builder| builder;
    // Two credits a call, and two at risk for the one: the price of the others.
    let one_at_risk = (25, 175, credits("48"), credits("2"));
    assert_eq!(two_hundred(nothing, None).await, one_at_risk);

    let unbilled = |builder: ClientBuilder| builder.unbilled([StatusCode::NOT_FOUND]);
    let all_spent = (26, 174, credits("50"), Credits::ZERO);
    assert_eq!(two_hundred(unbilled, None).await, all_spent);

    let assumed = |builder: ClientBuilder| builder.assume_price(credits("3"));
    // A stated price is never reserved in part, and stays at risk.
    let as_assumed = (24, 176, credits("46"), credits("3"));
    assert_eq!(two_hundred(assumed, None).await, as_assumed);

    let given = (25, 175, credits("48"), credits("2"));
    assert_eq!(two_hundred(nothing, Some("2")).await, given);
}

/// A first call costs 1, and those after it, all at once, 4 each: no more than the caller states.
#[tokio::test(start_paused = true)]
async fn a_price_that_was_seen_is_no_bound_where_the_caller_states_one() {
    let (four, twenty) = (credits("4"), credits("20"));
    let cheap = Responds(200, None, r#"{"cost": 1}"#);
    let dear = After(1, Box::new(Responds(200, None, r#"{"cost": 4}"#)));
    let client_wide = |builder: ClientBuilder| builder.assume_price(four);
    let of_call = |builder: ClientBuilder| builder;
    let ways: [(&dyn Fn(ClientBuilder) -> ClientBuilder, _); 2] =
        [(&client_wide, None), (&of_call, Some(four))];
    for (set_up, assumed_price) in ways {
        let script = Script::of([cheap.clone()].into_iter().chain(vec![dear.clone(); 30]));
        let client = set_up(script.builder().budget(twenty).max_in_flight(30));
        let client: Client = client.build().unwrap();
        let send = || {
            let mut request = Request::new(&UNKNOWN);
            let mut options = CallOptions::default();
            if let Some(price) = assumed_price {
                options = options.assume_price(price);
            }
            request.options(&options);
            let client = client.clone();
            async move { client.send::<Value>(request).await }
        };
        send().await.unwrap();
        let calls: Vec<_> = (0..30).map(|_| tokio::spawn(send())).collect();
        for call in calls {
            drop(call.await.unwrap());
        }
        let usage = client.budget().usage();
        assert_eq!((usage.spent, usage.surprises), (credits("17"), 0));
    }
}

/// Sends a call whose highest price is stated.
async fn send_assumed(
    client: &Client,
    operation: &'static Operation,
    price: &str,
) -> Result<Response<Value>, Error> {
    let mut request = Request::new(operation);
    request.options(&CallOptions::default().assume_price(credits(price)));
    client.send(request).await
}

static LISTS_FIVE: Api = Api {
    interceptor: Some(|| generated_client::meter(Some("cost"), Some(Credits::new(5)))),
    ..API
};

#[tokio::test(start_paused = true)]
async fn a_lost_call_has_its_stated_price_at_risk_whatever_others_cost() {
    // More than the document lists.
    let three = Responds(200, None, r#"{"cost": 3}"#);
    let script = Script::of([Fails(TransportErrorKind::Timeout), three]);
    let builder = script.builder().budget(credits("20"));
    let client = builder.retry(RetryPolicy::Never).build().unwrap();
    let error = send_assumed(&client, &PAID, "10").await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::Unknown(Some(credits("10"))));
    assert_eq!(client.budget().usage().at_risk, credits("10"));
    call(&client, &PAID).await.unwrap();
    assert_eq!(client.budget().usage().at_risk, credits("10"));

    // Less than it lists, for another operation.
    let script = testing::Script::new([(); 3].map(|()| Reply::new(500, "")));
    let client: Client = ClientBuilder::new(&LISTS_FIVE, "https://example.com")
        .api_key(KEY)
        .transport(script)
        .budget(credits("3"))
        .build()
        .unwrap();
    let calls = [(); 3].map(|()| send_assumed(&client, &UNKNOWN, "1"));
    for call in calls {
        assert!(call.await.is_err());
    }
    assert_eq!(client.budget().usage().at_risk, credits("3"));
}

#[tokio::test(start_paused = true)]
async fn what_a_call_has_at_risk_has_a_name_and_can_be_settled_while_others_run() {
    let named = |status, id: &'static str| {
        let reply = Reply::new(status, "");
        reply.header("x-request-id", id)
    };
    let script = testing::Script::new([
        named(500, "first"),
        named(500, "canary-4711"),
        named(404, "third"),
        Reply::from(Hangs),
    ]);
    let client: Client = builder(script)
        .retry(RetryPolicy::Always)
        .budget(credits("20"))
        .build()
        .unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::Unknown(Some(credits("6"))));
    let _running = start(&client, &PAID).await;
    let listed = client.budget().at_risk();
    let names: Vec<String> = listed.iter().map(|risk| risk.call.to_string()).collect();
    assert_eq!(
        names,
        [
            "paid, attempt 1, request first",
            // A service that repeats the key does not put it there.
            "paid, attempt 2, request [key]",
            "paid, attempt 3, request third"
        ]
    );
    assert!(listed.iter().all(|risk| risk.amount == Some(credits("2"))));
    assert!(
        listed
            .iter()
            .all(|risk| risk.at <= std::time::SystemTime::now())
    );

    // The provider's account says that the first one was charged.
    assert!(client.budget().settle(listed[0].id, credits("1.5")));
    assert_eq!(books(client.budget()), booked("1.5", "2", "4"));
    // The rest of the call cost nothing.
    assert!(error.settle(Credits::ZERO));
    assert!(!error.settle(Credits::ZERO));
    assert_eq!(books(client.budget()), booked("1.5", "2", "0"));
}

#[tokio::test(start_paused = true)]
async fn settling_and_raising_let_those_go_who_wait() {
    let lost = After(10, Box::new(Responds(500, None, "")));
    for is_raised in [false, true] {
        let script = Script::of([lost.clone(), DONE]);
        let builder = script.builder().budget(credits("10"));
        let client = builder.assume_price(credits("9")).build().unwrap();
        let first = start(&client, &UNKNOWN).await;
        let error = first.await.unwrap().unwrap_err();
        assert_eq!(error.outcome(), Outcome::Unknown(Some(credits("9"))));
        assert!(
            call(&client, &PAID)
                .await
                .is_err_and(|error| error.budget().is_some())
        );
        if is_raised {
            client.budget().raise(credits("5"))
        } else {
            assert!(error.settle(credits("8")))
        }
        call(&client, &PAID).await.unwrap();
    }
    // A response without a report.
    let script = Script::of([Responds(200, None, "{}"), DONE]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let response = call(&client, &UNKNOWN).await.unwrap();
    assert_eq!(client.budget().usage().at_risk, credits("3"));
    assert!(response.meta.settle(credits("1")));
    assert_eq!(books(client.budget()), booked("1", "0", "0"));
}

#[tokio::test(start_paused = true)]
async fn a_large_page_is_expected_to_cost_more_than_a_small_one() {
    let sized = |size: u64| {
        let mut request = Request::new(&SIZED);
        request.query("size", &size);
        request
    };
    let costs = |body| After(1, Box::new(Responds(200, None, body)));
    let dear = costs(r#"{"cost": 100}"#);
    let script = Script::of([costs(r#"{"cost": 1}"#)].into_iter().chain(vec![dear; 8]));
    let client = script.builder().budget(credits("25")).build().unwrap();
    client.send::<Value>(sized(1)).await.unwrap();
    let mut calls = Vec::new();
    for _ in 0..8 {
        let client = client.clone();
        calls.push(tokio::spawn(async move {
            client.send::<Value>(sized(100)).await
        }));
    }
    for call in calls {
        drop(call.await.unwrap());
    }
    // A hundred credits are expected: nothing is sent.
    assert_eq!(
        (script.attempts(), client.budget().usage().spent),
        (1, credits("1"))
    );
    assert_eq!(client.prices()[0].arguments, "size=1");
}

#[tokio::test(start_paused = true)]
async fn waiting_for_the_budget_holds_no_place_and_a_free_call_waits_for_nobody() {
    let script = Script::of([
        After(60, Box::new(DONE)),
        Responds(200, None, "{}"),
        DONE,
        DONE,
    ]);
    let client = script
        .builder()
        .max_in_flight(2)
        .budget(credits("2"))
        .build()
        .unwrap();
    let first = start(&client, &PAID).await;
    let mut waiting = Vec::new();
    for _ in 0..8 {
        waiting.push(start(&client, &PAID).await);
    }
    let begun = tokio::time::Instant::now();
    call(&client, &FREE).await.unwrap();
    assert_eq!(begun.elapsed().as_secs(), 0);
    first.await.unwrap().unwrap();
    for call in waiting {
        assert!(
            call.await
                .unwrap()
                .is_err_and(|error| error.budget().is_some())
        );
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_that_were_all_charged_are_no_surprise_when_they_are_settled() {
    let script = Script::of([(); 3].map(|()| Fails(TransportErrorKind::Timeout)));
    let builder = script.builder().budget(credits("10"));
    let client = builder.retry(RetryPolicy::Always).build().unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(client.budget().usage().at_risk, credits("6"));
    assert!(error.settle(credits("6")));
    assert!(!error.settle(credits("6")));
    let usage = client.budget().usage();
    assert_eq!((usage.spent, usage.at_risk), (credits("6"), Credits::ZERO));
    assert_eq!(usage.surprises, 0);
}
