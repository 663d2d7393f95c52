//! Faults of timing: abandoned calls, stale connections, rising prices, dates, deadlines.

use std::time::{Duration, Instant, SystemTime};

use company_intel::{Client, ClientBuilder, Credits, Error, Outcome, RetryPolicy};
use conformance_tests::service::{Deed, Service, Then};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::kind_of;
use crate::support::calls::KEY;

const JOBS: &str = r#"{"data": [], "credits_consumed": 4}"#;

fn paid() -> Deed {
    Deed::json(JOBS).billing("4")
}

fn hangs() -> Deed {
    Deed::sending("", Then::Hangs).billing("4")
}

fn builder(service: &Service) -> ClientBuilder<Client> {
    Client::builder(service.url()).api_key(KEY)
}

fn credits(text: &str) -> Credits {
    text.parse().unwrap()
}

/// `[spent, reserved, at risk]`
fn books(client: &Client) -> [Credits; 3] {
    let usage = client.budget().usage();
    [usage.spent, usage.reserved, usage.at_risk]
}

/// Makes a call of four credits; returns its attempts and its outcome.
async fn call(client: &Client) -> Result<(u32, Outcome), Error> {
    let response = client.job_posts("whom-i-look-at.example").send().await?;
    Ok((response.meta.attempts, response.meta.outcome()))
}

fn start(client: &Client) -> JoinHandle<Result<(u32, Outcome), Error>> {
    let client = client.clone();
    tokio::spawn(async move { call(&client).await })
}

async fn give_up<T>(call: JoinHandle<T>) {
    call.abort();
    assert!(call.await.is_err_and(|error| error.is_cancelled()));
}

#[tokio::test]
async fn a_call_that_is_dropped_while_it_waits_sends_nothing_and_costs_nothing() {
    for (budget, places) in [("4", 8), ("100", 1)] {
        let service = Service::of([hangs()]).await;
        let builder = builder(&service).budget(credits(budget));
        let client = builder.max_in_flight(places).build().unwrap();
        let first = start(&client);
        service.has_read(1).await;
        let waiting = start(&client);
        sleep(Duration::from_millis(50)).await;
        give_up(waiting).await;
        assert_eq!(service.requests().len(), 1);
        assert_eq!(books(&client), [credits("0"), credits("4"), credits("0")]);
        give_up(first).await;
        assert_eq!(books(&client), [credits("0"), credits("0"), credits("4")]);
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_between_its_attempts_costs_nothing() {
    let service = Service::of([Deed::response(503, &[("retry-after", "30")], "")]).await;
    let client = builder(&service).budget(credits("4")).build().unwrap();
    let pausing = start(&client);
    service.has_read(1).await;
    while client.budget().usage().reserved > Credits::ZERO {
        sleep(Duration::from_millis(1)).await;
    }
    give_up(pausing).await;
    assert_eq!(books(&client), [Credits::ZERO; 3]);
}

#[tokio::test]
async fn a_call_that_is_dropped_after_it_was_sent_is_at_risk() {
    let half = "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{";
    for deed in [
        hangs(),
        Deed::sending(half, Then::Hangs).billing("4"),
        paid().after(60_000),
    ] {
        let service = Service::of([deed]).await;
        let client = builder(&service).budget(credits("10")).build().unwrap();
        let lost = start(&client);
        service.has_read(1).await;
        sleep(Duration::from_millis(20)).await;
        give_up(lost).await;
        assert_eq!(books(&client), [credits("0"), credits("0"), credits("4")]);
        assert_eq!(service.billed(), credits("4"));
    }
}

#[tokio::test]
async fn a_connection_that_is_closed_as_the_next_request_goes_out_loses_that_one() {
    for (policy, requests, spent) in [
        // The lost request used the connection of the first call, and no other followed.
        (RetryPolicy::Standard, 1, credits("4")),
        // The client cannot know that the first attempt was never read.
        (RetryPolicy::Always, 2, credits("8")),
    ] {
        let service = Service::of([paid().then(Then::ClosesUnread), paid()]).await;
        let client = builder(&service).retry(policy).build().unwrap();
        call(&client).await.unwrap();
        // Wait until the connection is known to be free.
        sleep(Duration::from_millis(100)).await;
        let (attempts, outcome) = match call(&client).await {
            Ok(ended) => ended,
            Err(error) => {
                assert_eq!(
                    (policy, &*kind_of(&error)),
                    (RetryPolicy::Standard, "other")
                );
                assert!(!error.is_retryable());
                (error.attempts(), error.outcome())
            }
        };
        assert_eq!(outcome, Outcome::Unknown(Some(spent)));
        assert_eq!([attempts as usize, service.requests().len()], [requests; 2]);
        assert_eq!(service.connections(), requests);
        assert_eq!(books(&client), [spent, Credits::ZERO, credits("4")]);
    }
}

#[tokio::test]
async fn a_connection_that_is_closed_while_it_is_idle_bills_no_call_twice() {
    let service = Service::of([paid().then(Then::Closes)]).await;
    let client = builder(&service).build().unwrap();
    for pause in (0..40).map(|call| call % 8) {
        let before = service.billed();
        let result = call(&client).await;
        let billed = service.billed().micros() - before.micros();
        match result {
            Ok(done) => assert_eq!(
                (done, billed),
                ((1, Outcome::Charged(credits("4"))), 4_000_000)
            ),
            // It reached the end of the connection.
            Err(error) => assert_eq!(
                (error.outcome(), billed),
                (Outcome::Unknown(Some(credits("4"))), 0)
            ),
        }
        sleep(Duration::from_micros(100 * pause)).await;
    }
    let usage = client.budget().usage();
    assert_eq!(service.billed(), usage.spent);
    assert!(service.connections() >= service.requests().len());
}

#[tokio::test]
async fn a_price_that_rises_is_billed_once_above_what_was_reserved_and_reserved_from_then_on() {
    let six = r#"{"data": [], "credits_consumed": 6}"#;
    let service = Service::of([paid(), Deed::json(six).billing("6")]).await;
    let client = builder(&service).budget(credits("15")).build().unwrap();
    let quoted = || client.job_posts("whom-i-look-at.example").quote().at_most;
    assert_eq!(quoted(), Some(credits("4")));
    call(&client).await.unwrap();
    call(&client).await.unwrap();
    assert_eq!(quoted(), Some(credits("6")));
    let usage = client.budget().usage();
    assert_eq!((usage.spent, usage.surprises), (credits("10"), 1));
    let error = call(&client).await.unwrap_err();
    assert!(error.budget().is_some(), "{error:?}");
    assert_eq!(
        (service.requests().len(), service.billed()),
        (2, credits("10"))
    );
}

#[tokio::test]
async fn a_date_in_the_near_future_is_waited_for() {
    let service = Service::playing(|_, before| match before {
        0 => {
            let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(4));
            Deed::response(503, &[("retry-after", &date)], "")
        }
        _ => paid(),
    })
    .await;
    let client = builder(&service).build().unwrap();
    let started = Instant::now();
    assert_eq!(
        call(&client).await.unwrap(),
        (2, Outcome::Charged(credits("4")))
    );
    // A date has no fractions of a second. A retry without one waits a second at most.
    assert!(started.elapsed() > Duration::from_millis(2500));
    assert_eq!(service.billed(), credits("4"));
}

#[tokio::test]
async fn a_429_holds_the_whole_client() {
    let service = Service::of([Deed::response(429, &[("retry-after", "3600")], "")]).await;
    let client = builder(&service).build().unwrap();
    call(&client).await.unwrap_err();
    let error = client.clone().company_search("a").send().await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
    assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotSent));
    // The pause is five minutes at most, whatever the service asks for; then one call probes.
    let hint = error.retry_after().unwrap().as_secs();
    assert!((290..=300).contains(&hint), "{hint}");
    assert_eq!(service.requests().len(), 1);
}

#[tokio::test]
async fn a_deadline_ends_an_attempt_in_flight_and_begins_none() {
    let service = Service::of([
        paid().after(2300),
        Deed::response(503, &[("retry-after", "2")], "").after(100),
    ])
    .await;
    let client = builder(&service)
        .deadline(Duration::from_secs(2))
        .build()
        .unwrap();
    let begun = Instant::now();
    let error = call(&client).await.unwrap_err();
    assert!(begun.elapsed() <= Duration::from_millis(2100));
    assert_eq!(error.outcome(), Outcome::Unknown(Some(credits("4"))));
    let error = call(&client).await.unwrap_err();
    assert_eq!(
        (error.attempts(), error.retry_after()),
        (1, Some(Duration::from_secs(2)))
    );
    assert_eq!(service.requests().len(), 2);
}

#[tokio::test]
async fn no_more_requests_are_in_flight_than_allowed() {
    let service = Service::of([hangs()]).await;
    let client = builder(&service).build().unwrap();
    let calls: Vec<_> = (0..12).map(|_| start(&client)).collect();
    service.has_read(8).await;
    sleep(Duration::from_millis(100)).await;
    assert_eq!(service.requests().len(), 8);
    for call in calls {
        give_up(call).await;
    }
}
