//! Who decides whether a call is attempted again, and what each attempt reserves. Time is paused.

use std::time::Duration;

use generated_client::error::TransportErrorKind;
use generated_client::request::{CallOptions, Request};
use generated_client::{Outcome, RetryPolicy};
use serde_json::Value;

use crate::support::scripted_client::{
    DONE, FREE, Fails, Hangs, PAID, Responds, Script, booked, books, call, credits, start,
};

#[tokio::test(start_paused = true)]
async fn policies_of_client_and_call() {
    let twice = || Script::of([Responds(500, None, ""), DONE]);
    let script = twice();
    let client = script
        .builder()
        .retry(RetryPolicy::Always)
        .budget(credits("10"))
        .build()
        .unwrap();
    let response = call(&client, &PAID).await.unwrap();
    // Each attempt reserved its own price, and what the first did is still unknown.
    assert_eq!(
        response.meta.outcome(),
        Outcome::Unknown(Some(credits("4")))
    );
    assert_eq!(books(client.budget()), booked("2", "0", "2"));

    let script = Script::of([Fails(TransportErrorKind::Connect)]);
    let client = script.builder().retry(RetryPolicy::Never).build().unwrap();
    call(&client, &FREE).await.unwrap_err();
    assert_eq!(script.attempts(), 1);

    let script = twice();
    let client = script.builder().build().unwrap();
    let mut request = Request::new(&PAID);
    let mut options = CallOptions::default();
    options.retry = Some(RetryPolicy::Always);
    request.options(&options);
    client.send::<Value>(request).await.unwrap();
    assert_eq!(script.attempts(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_before_it_is_sent_costs_nothing() {
    let script = Script::of([Responds(429, Some("30"), ""), Hangs]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let sent = tokio::time::timeout(Duration::from_secs(5), call(&client, &PAID));
    sent.await.unwrap_err();
    assert_eq!(script.attempts(), 1);
    assert_eq!(books(client.budget()), booked("0", "0", "0"));
}

#[tokio::test(start_paused = true)]
async fn each_attempt_reserves_anew() {
    let lost = || Responds(500, None, "");
    let script = Script::of([lost(), lost(), Hangs]);
    let client = script
        .builder()
        .retry(RetryPolicy::Always)
        .budget(credits("10"))
        .build()
        .unwrap();
    let running = start(&client, &PAID).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(script.attempts(), 3);
    assert_eq!(books(client.budget()), booked("0", "2", "4"));
    running.abort();
    running.await.unwrap_err();
    assert_eq!(books(client.budget()), booked("0", "0", "6"));
}
