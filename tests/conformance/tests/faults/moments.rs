//! Faults of timing: calls that are dropped after they were sent, and stale connections.

use std::time::Duration;

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
