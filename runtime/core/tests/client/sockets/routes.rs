//! A 429 delays the calls of its operation, or all calls if they are paid.

use std::time::{Duration, Instant};

use generated_client::document::Operation;
use generated_client::{Client, ClientBuilder, Error, Method, RetryPolicy};

use super::service::{PLAIN, PLAIN_LIST, Service, response};
use crate::support::api::{API, KEY};
use crate::support::scripted_client::{FREE, PAID, call};

static OTHER: Operation = Operation {
    id: "listOthers",
    method: Method::GET,
    path: "/v1/others",
    ..PLAIN_LIST
};

/// Gives the first operations 429 and `Retry-After: 2`, and all others a success.
async fn service() -> Service {
    Service::of(|path| match path {
        "/v1/things" | "/paid" => response(429, "retry-after: 2\r\n", b"{}"),
        _ => response(200, "", br#"{"cost": 0}"#),
    })
    .await
}

/// Calls the first, which gets a 429, then the second. Returns how long the second took.
async fn second(
    client: &Client,
    first: &'static Operation,
    second: &'static Operation,
) -> Duration {
    let error: Error = call(client, first).await.unwrap_err();
    assert_eq!(error.status().unwrap(), 429);
    let start = Instant::now();
    _ = call(client, second).await;
    start.elapsed()
}

#[tokio::test]
async fn a_429_holds_the_calls_of_its_own_operation() {
    let service = service().await;
    let builder = ClientBuilder::new(&PLAIN, &*service.url).api_key(KEY);
    let client: Client = builder.retry(RetryPolicy::Never).build().unwrap();
    let other = second(&client, &PLAIN_LIST, &OTHER).await;
    assert!(other < Duration::from_secs(1), "{other:?}");
    let own = second(&client, &PLAIN_LIST, &PLAIN_LIST).await;
    assert!(own > Duration::from_secs(1), "{own:?}");
}

#[tokio::test]
async fn where_calls_are_paid_a_429_holds_all_of_them() {
    let service = service().await;
    let builder = ClientBuilder::new(&API, &*service.url).api_key(KEY);
    let client: Client = builder.retry(RetryPolicy::Never).build().unwrap();
    let other = second(&client, &PAID, &FREE).await;
    assert!(other > Duration::from_secs(1), "{other:?}");
}
