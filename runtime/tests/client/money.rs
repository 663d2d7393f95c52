//! What every kind of ending does to the caller's money, and which calls are attempted again. Time is paused.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metered_client::{
    Bytes, Client, ClientBuilder, Credits, Error, Ledger, Method, Operation, Outcome, Presence,
    Price, Request, Response, RetryPolicy, TransportError, TransportErrorKind, http,
};
use serde_json::Value;
use tokio::time::Instant;

use crate::support::{API, KEY};

/// Costs two credits, or three with `many`.
static PAID: Operation = Operation {
    id: "paid",
    method: Method::GET,
    path: "/paid",
    prices: &[
        Price {
            credits: Credits::from_micros(3_000_000),
            when: &[("many", Presence::Present)],
        },
        Price {
            credits: Credits::from_micros(2_000_000),
            when: &[("odd", Presence::Absent)],
        },
    ],
    charge: Some("cost"),
};

static FREE: Operation = Operation {
    id: "free",
    method: Method::GET,
    path: "/free",
    prices: &[Price {
        credits: Credits::ZERO,
        when: &[],
    }],
    charge: Some("cost"),
};

static UNKNOWN: Operation = Operation {
    id: "unknown",
    method: Method::POST,
    path: "/unknown",
    prices: &[],
    charge: Some("cost"),
};

/// One scripted ending of an attempt.
#[derive(Clone)]
enum Step {
    Fails(TransportErrorKind),
    Answers(u16, Option<&'static str>, &'static str),
    Hangs,
}

use Step::{Answers, Fails, Hangs};

const DONE: Step = Answers(200, None, r#"{"cost": 2}"#);

/// A transport that plays its steps in order, and remembers when each was asked for.
#[derive(Clone)]
struct Script {
    steps: Arc<Mutex<VecDeque<Step>>>,
    asked: Arc<Mutex<Vec<Instant>>>,
}

impl Script {
    fn of(steps: impl IntoIterator<Item = Step>) -> Self {
        Self {
            steps: Arc::new(Mutex::new(steps.into_iter().collect())),
            asked: Arc::default(),
        }
    }

    fn builder(&self) -> ClientBuilder {
        let script = self.clone();
        let transport = move |_: http::Request<Bytes>| {
            script.asked.lock().unwrap().push(Instant::now());
            let step = script.steps.lock().unwrap().pop_front();
            async move {
                match step.expect("an attempt that is not in the script") {
                    Fails(kind) => Err(TransportError::new(kind, "scripted")),
                    Hangs => std::future::pending().await,
                    Answers(status, retry_after, body) => {
                        let mut answer = http::Response::builder().status(status);
                        if let Some(retry_after) = retry_after {
                            answer = answer.header("retry-after", retry_after);
                        }
                        Ok(answer.body(Bytes::from_static(body.as_bytes())).unwrap())
                    }
                }
            }
        };
        ClientBuilder::new(&API, "https://example.com")
            .api_key(KEY)
            .transport(transport)
    }

    fn attempts(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// Seconds between the attempts.
    fn pauses(&self) -> Vec<f64> {
        let asked = self.asked.lock().unwrap();
        asked
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).as_secs_f64())
            .collect()
    }
}

fn credits(text: &str) -> Credits {
    text.parse().unwrap()
}

async fn call(client: &Client, operation: &'static Operation) -> Result<Response<Value>, Error> {
    client.send(Request::new(operation)).await
}

/// `(spent, reserved, at risk)` of a ledger.
fn books(ledger: &Ledger) -> (Credits, Credits, Credits) {
    let usage = ledger.usage();
    (usage.spent, usage.reserved, usage.at_risk)
}

#[tokio::test(start_paused = true)]
async fn every_ending_of_a_paid_and_of_a_free_call() {
    let unknown = Outcome::Unknown(credits("2"));
    let charged = |text| Outcome::Charged(credits(text));
    let rejected = Outcome::Rejected;
    // What an attempt ends with; attempts and outcome of a paid call; attempts of a free one.
    let table: Vec<(Step, usize, Outcome, usize)> = vec![
        (Fails(TransportErrorKind::Connect), 3, Outcome::NotSent, 3),
        (Fails(TransportErrorKind::Timeout), 1, unknown, 3),
        (Fails(TransportErrorKind::Body), 1, unknown, 3),
        (Fails(TransportErrorKind::Other), 1, unknown, 3),
        (Answers(429, None, ""), 3, rejected, 3),
        (Answers(429, Some("1"), ""), 3, rejected, 3),
        (Answers(429, Some("garbage"), ""), 3, rejected, 3),
        (Answers(429, Some("3600"), ""), 1, rejected, 1),
        (Answers(429, None, r#"{"cost": 2}"#), 1, charged("2"), 1),
        (Answers(503, Some("1"), ""), 3, rejected, 3),
        (Answers(503, Some("Wed, 21 Oct 2015 07:28:00 GMT"), ""), 3, rejected, 3),
        (Answers(503, None, ""), 1, unknown, 3),
        (Answers(500, None, "<html>"), 1, unknown, 3),
        (Answers(500, None, r#"{"cost": 1.5}"#), 1, charged("1.5"), 1),
        (Answers(502, None, "<html>"), 1, unknown, 3),
        (Answers(504, None, ""), 1, unknown, 3),
        (Answers(408, None, ""), 1, unknown, 3),
        (Answers(401, None, ""), 1, rejected, 1),
        (Answers(403, Some("1"), ""), 1, rejected, 1),
        (Answers(404, None, ""), 1, unknown, 1),
        (Answers(404, None, r#"{"cost": 0}"#), 1, charged("0"), 1),
        (Answers(422, None, ""), 1, unknown, 1),
        (Answers(302, None, ""), 1, unknown, 1),
        (Answers(200, None, "not json"), 1, unknown, 1),
        (Answers(200, None, r#"{"cost": 2, "#), 1, charged("2"), 1),
    ];
    for (step, paid, outcome, free) in table {
        let name = match &step {
            Fails(kind) => format!("{kind:?}"),
            Answers(status, after, body) => format!("{status} {after:?} {body}"),
            Hangs => "hangs".to_owned(),
        };
        let script = Script::of(vec![step.clone(); 3]);
        let client = script.builder().budget(credits("10")).build().unwrap();
        let error = call(&client, &PAID).await.unwrap_err();
        assert_eq!(script.attempts(), paid, "{name}");
        assert_eq!(error.attempts() as usize, paid, "{name}");
        assert_eq!(error.outcome(), outcome, "{name}");
        let books = books(client.ledger());
        let expected = match outcome {
            Outcome::Charged(charge) => (charge, Credits::ZERO, Credits::ZERO),
            Outcome::Unknown(risk) => (Credits::ZERO, Credits::ZERO, risk),
            _ => (Credits::ZERO, Credits::ZERO, Credits::ZERO),
        };
        assert_eq!(books, expected, "{name}");
        assert_eq!(error.may_have_been_charged(), expected.0 > Credits::ZERO || expected.2 > Credits::ZERO, "{name}");

        let script = Script::of(vec![step; 3]);
        let client = script.builder().build().unwrap();
        call(&client, &FREE).await.unwrap_err();
        assert_eq!(script.attempts(), free, "free: {name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_success_spends_what_it_reports_and_without_a_report_the_price_is_at_risk() {
    let script = Script::of([DONE, Answers(200, None, "{}")]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let response = call(&client, &PAID).await.unwrap();
    assert_eq!(response.meta.credits_consumed, Some(credits("2")));
    assert_eq!(response.meta.outcome, Outcome::Charged(credits("2")));
    assert_eq!(books(client.ledger()), (credits("2"), Credits::ZERO, Credits::ZERO));
    let response = call(&client, &PAID).await.unwrap();
    assert_eq!(response.meta.outcome, Outcome::Unknown(credits("2")));
    assert_eq!(books(client.ledger()), (credits("2"), Credits::ZERO, credits("2")));
}

#[tokio::test(start_paused = true)]
async fn attempts_are_half_a_second_apart_then_twice_that_or_as_the_service_says() {
    let lost = Fails(TransportErrorKind::Connect);
    let script = Script::of([lost.clone(), lost, DONE]);
    let client = script.builder().build().unwrap();
    assert_eq!(call(&client, &PAID).await.unwrap().meta.attempts, 3);
    let pauses = script.pauses();
    assert!((0.5..=1.0).contains(&pauses[0]) && (1.0..=2.0).contains(&pauses[1]), "{pauses:?}");

    let script = Script::of([Answers(503, Some("20"), ""), DONE]);
    let client = script.builder().build().unwrap();
    call(&client, &PAID).await.unwrap();
    assert!((20.0..20.1).contains(&script.pauses()[0]), "{:?}", script.pauses());
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_is_too_long_comes_back_at_once_with_the_hint() {
    let start = Instant::now();
    let script = Script::of([Answers(503, Some("61"), "")]);
    let client = script.builder().build().unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(61)));
    assert!(error.is_retryable());
    assert_eq!(start.elapsed(), Duration::ZERO);

    // Within what may be asked for, and beyond the deadline of the call.
    let script = Script::of([Answers(503, Some("30"), "")]);
    let client = script.builder().deadline(Duration::from_secs(20)).build().unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(30)));
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_429_holds_every_call_of_the_client() {
    let script = Script::of([Answers(429, Some("10"), ""), DONE, DONE]);
    let client = script.builder().build().unwrap();
    let start = Instant::now();
    let (first, second) = tokio::join!(call(&client, &PAID), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        call(&client, &PAID).await
    });
    first.unwrap();
    second.unwrap();
    assert_eq!(start.elapsed().as_secs(), 10);

    let script = Script::of([Answers(429, Some("3600"), "")]);
    let client = script.builder().build().unwrap();
    call(&client, &PAID).await.unwrap_err();
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(matches!(error, Error::Postponed(_)), "{error:?}");
    assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotSent));
    assert!(error.retry_after().unwrap() > Duration::from_secs(3000));
    assert_eq!(script.attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn policies_of_client_and_call() {
    let twice = || Script::of([Answers(500, None, ""), DONE]);
    let script = twice();
    let client = script.builder().retry(RetryPolicy::Always).budget(credits("10")).build().unwrap();
    let response = call(&client, &PAID).await.unwrap();
    // Each attempt reserved its own price, and what the first did is still unknown.
    assert_eq!(response.meta.outcome, Outcome::Unknown(credits("4")));
    assert_eq!(books(client.ledger()), (credits("2"), Credits::ZERO, credits("2")));

    let script = Script::of([Fails(TransportErrorKind::Connect)]);
    let client = script.builder().retry(RetryPolicy::Never).build().unwrap();
    call(&client, &FREE).await.unwrap_err();
    assert_eq!(script.attempts(), 1);

    let script = twice();
    let client = script.builder().build().unwrap();
    let mut request = Request::new(&PAID);
    request.options(&metered_client::CallOptions {
        retry: Some(RetryPolicy::Always),
        ..Default::default()
    });
    client.send::<Value>(request).await.unwrap();
    assert_eq!(script.attempts(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_budget_without_room_sends_nothing() {
    let script = Script::of([DONE]);
    let client = script.builder().budget(credits("3.5")).build().unwrap();
    call(&client, &PAID).await.unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(matches!(error, Error::Budget(_)), "{error:?}");
    assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotSent));
    assert_eq!(script.attempts(), 1);

    // An attempt that is at risk leaves no room for the next.
    let script = Script::of([Answers(500, None, "")]);
    let client = script.builder().retry(RetryPolicy::Always).budget(credits("3")).build().unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(matches!(error, Error::Budget(_)), "{error:?}");
    assert_eq!((error.attempts(), error.outcome()), (1, Outcome::Unknown(credits("2"))));
    assert!(!error.is_retryable());
}

#[tokio::test(start_paused = true)]
async fn the_price_follows_the_arguments() {
    let script = Script::of([Hangs, Hangs, Hangs]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    for (parameter, reserved) in [(None, "2"), (Some("many"), "3"), (Some("odd"), "10")] {
        let mut request = Request::new(&PAID);
        if let Some(parameter) = parameter {
            request.query(parameter, &1);
        }
        let ledger = client.ledger().clone();
        let sent = tokio::time::timeout(Duration::from_secs(1), client.send::<Value>(request));
        let (outcome, during) = tokio::join!(sent, async move {
            tokio::time::sleep(Duration::from_millis(1)).await;
            ledger.usage().reserved
        });
        outcome.unwrap_err();
        assert_eq!(during, credits(reserved), "{parameter:?}");
        client.ledger().reconcile(Credits::ZERO);
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_price_reserves_all_that_is_left_until_it_is_seen() {
    let script = Script::of([Answers(200, None, r#"{"cost": 0.7}"#), Hangs]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    call(&client, &UNKNOWN).await.unwrap();
    let second = client.clone();
    let second = tokio::spawn(async move { call(&second, &UNKNOWN).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(client.ledger().usage().reserved, credits("0.7"));
    second.abort();
    second.await.unwrap_err();

    let script = Script::of([Hangs, DONE]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let first = client.clone();
    let first = tokio::spawn(async move { call(&first, &UNKNOWN).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(client.ledger().usage().reserved, credits("10"));
    // Cancelled after it was sent: nobody knows what it cost.
    first.abort();
    first.await.unwrap_err();
    assert_eq!(books(client.ledger()), (Credits::ZERO, Credits::ZERO, credits("10")));
}

#[tokio::test(start_paused = true)]
async fn a_price_that_rises_is_a_surprise_once_and_known_from_then_on() {
    let script = Script::of([Answers(200, None, r#"{"cost": 5}"#), Hangs]);
    let client = script.builder().budget(credits("20")).build().unwrap();
    call(&client, &PAID).await.unwrap();
    let usage = client.ledger().usage();
    assert_eq!((usage.spent, usage.surprises), (credits("5"), 1));
    let second = client.clone();
    let second = tokio::spawn(async move { call(&second, &PAID).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(client.ledger().usage().reserved, credits("5"));
    second.abort();
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_before_it_is_sent_costs_nothing() {
    let script = Script::of([Answers(429, Some("30"), ""), Hangs]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let sent = tokio::time::timeout(Duration::from_secs(5), call(&client, &PAID));
    sent.await.unwrap_err();
    assert_eq!(script.attempts(), 1);
    assert_eq!(books(client.ledger()), (Credits::ZERO, Credits::ZERO, Credits::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_scoped_client_draws_on_both_budgets() {
    let script = Script::of([DONE, DONE]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let scoped = client.scoped(credits("3"));
    call(&scoped, &PAID).await.unwrap();
    let error = call(&scoped, &PAID).await.unwrap_err();
    assert!(matches!(error, Error::Budget(_)), "{error:?}");
    call(&client, &PAID).await.unwrap();
    assert_eq!(client.ledger().usage().spent, credits("4"));
    assert_eq!(scoped.ledger().usage().spent, credits("2"));
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_are_in_flight_than_allowed() {
    let script = Script::of([Hangs, Hangs, Hangs]);
    let client = script.builder().max_in_flight(2).build().unwrap();
    let calls: Vec<_> = (0..3)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { call(&client, &FREE).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(script.attempts(), 2);
    calls[0].abort();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(script.attempts(), 3);
}
