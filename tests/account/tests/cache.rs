//! Stored responses in Redis: processes that share a store pay once for equal calls.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use account_tests::Server;
use account_tests::api::{API, GET_THING};
use generated_client::account::RedisStore;
use generated_client::cache::Cache;
use generated_client::request::Request;
use generated_client::{Bytes, Client, ClientBuilder, Error, Outcome, http};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::support::credits;

/// Returns the client of one process, whose service takes half a second and charges two credits.
async fn process(url: &str, sent: &Arc<AtomicU64>) -> Client {
    let store = RedisStore::connect(url).await.unwrap();
    let cache = Cache::in_redis(store, "things").max_age(Duration::from_secs(60));
    let count = Arc::clone(sent);
    let transport = move |_: http::Request<Bytes>| {
        count.fetch_add(1, Ordering::SeqCst);
        async move {
            sleep(Duration::from_millis(500)).await;
            Ok(http::Response::new(Bytes::from(r#"{"cost": 2}"#)))
        }
    };
    let client = ClientBuilder::new(&API, "https://example.com");
    client.transport(transport).cache(cache).build().unwrap()
}

async fn call(client: &Client) -> Outcome {
    let response = client
        .send::<Value>(Request::new(&GET_THING))
        .await
        .unwrap();
    assert_eq!(response.body["cost"], 2);
    response.outcome()
}

#[tokio::test]
async fn equal_calls_of_processes_are_billed_once() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let (url, sent) = (server.url(), Arc::default());
    let processes = [process(&url, &sent).await, process(&url, &sent).await];
    let [one, two] = &processes;
    let (a, b, c) = tokio::join!(call(one), call(two), call(two));
    let mut outcomes = [a, b, c].map(|outcome| format!("{outcome:?}"));
    outcomes.sort();
    let charged = format!("{:?}", Outcome::Charged(credits(2)));
    assert_eq!(outcomes, [charged.as_str(), "Stored", "Stored"]);
    assert_eq!(call(&process(&url, &sent).await).await, Outcome::Stored);
    assert_eq!(sent.load(Ordering::SeqCst), 1);
    let saved = processes.map(|process| process.budget().usage().saved.micros());
    assert_eq!(saved.iter().sum::<u64>(), 4_000_000);
}

#[tokio::test]
async fn nothing_is_sent_while_the_store_is_away() {
    let Some(mut server) = Server::start().await.unwrap() else {
        return;
    };
    let sent = Arc::default();
    let client = process(&server.url(), &sent).await;
    server.kill().unwrap();
    let error = client
        .send::<Value>(Request::new(&GET_THING))
        .await
        .unwrap_err();
    assert!(
        matches!(&error, Error::Refused(refused) if refused.kind() == "cache"),
        "{error}"
    );
    assert_eq!(
        (error.outcome(), sent.load(Ordering::SeqCst)),
        (Outcome::NotSent, 0)
    );
}

/// Ends during a call as `kill -9` ends a process: nothing renews its lease any more, and nothing is dropped.
fn killed(url: &str, sent: &Arc<AtomicU64>) {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(async {
        let client = Box::leak(Box::new(process(url, sent).await));
        let mut calling = Box::pin(call(client));
        let early = Duration::from_millis(250);
        timeout(early, &mut calling).await.unwrap_err();
        mem::forget(calling);
    });
    mem::forget(runtime);
}

#[tokio::test]
#[ignore = "waits for the end of a lease, ten seconds; run by .ci/run"]
async fn a_killed_process_holds_up_others_for_the_time_of_its_lease() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let (url, sent) = (server.url(), Arc::default());
    std::thread::scope(|threads| threads.spawn(|| killed(&url, &sent)).join().unwrap());
    assert_eq!(sent.load(Ordering::SeqCst), 1);
    let [one, two] = [process(&url, &sent).await, process(&url, &sent).await];
    let (a, b) = tokio::join!(call(&one), call(&two));
    let mut outcomes = [a, b].map(|outcome| format!("{outcome:?}"));
    outcomes.sort();
    let charged = format!("{:?}", Outcome::Charged(credits(2)));
    assert_eq!(outcomes, [charged.as_str(), "Stored"]);
    // That of the killed process, which may have been billed, and one for all others.
    assert_eq!(sent.load(Ordering::SeqCst), 2);
}
