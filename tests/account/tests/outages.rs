//! An unavailable store: nothing is sent unless that is allowed, and nothing is forgotten.

use std::sync::atomic::Ordering;
use std::time::Duration;

use account_tests::Server;
use account_tests::api::GET_THING;
use generated_client::Error;
use generated_client::account::{Account, Outage, RedisStore};
use generated_client::request::{CallOptions, Request};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};

use crate::support::{Service, call, client, credits, flush, sums};

#[tokio::test]
async fn without_the_store_nothing_is_sent_and_later_it_goes_on() {
    let Some(mut server) = Server::start().await.unwrap() else {
        return;
    };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    let account = Account::named("away")
        .limit(credits(10))
        .open(store)
        .await
        .unwrap();
    let (client, sent) = client(&account, Service::charges(1));
    call(&client, 1).await.unwrap();
    server.kill().unwrap();
    let error = call(&client, 1).await.unwrap_err();
    assert!(error.account_unavailable().is_some(), "{error:?}");
    assert!(
        error
            .to_string()
            .starts_with("getThing (GET /v1/thing) was not sent"),
        "{error}"
    );
    assert!(error.is_retryable() && !error.may_have_been_charged());
    assert_eq!(sent.load(Ordering::SeqCst), 1);
    server.restart().await.unwrap();
    // The connection is restored automatically.
    let again = async {
        while call(&client, 1).await.is_err() {
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(Duration::from_secs(20), again).await.unwrap();
    flush(&account).await;
    assert_eq!(
        sums(&account).await,
        ([2, 0, 0], 2),
        "what was spent before is still there"
    );
}

#[tokio::test]
async fn a_store_that_does_not_answer_counts_as_away() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    let account = Account::named("stopped")
        .limit(credits(10))
        .open(store)
        .await
        .unwrap();
    let (client, sent) = client(&account, Service::charges(1));
    server.signal("STOP").unwrap();
    let error = call(&client, 1).await.unwrap_err();
    server.signal("CONT").unwrap();
    assert!(error.account_unavailable().is_some(), "{error:?}");
    assert_eq!(sent.load(Ordering::SeqCst), 0);
    // The request did reach the slow server: its reservation is released.
    flush(&account).await;
    assert_eq!(sums(&account).await, ([0, 0, 0], 0));
}

#[tokio::test]
async fn what_a_call_cost_reaches_the_store_once_it_is_back() {
    let Some(mut server) = Server::start().await.unwrap() else {
        return;
    };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    let account = Account::named("settled")
        .limit(credits(10))
        .open(store)
        .await
        .unwrap();
    let (client, sent) = client(
        &account,
        Service::charges(3).taking(Duration::from_millis(500)),
    );
    let running = tokio::spawn(async move { call(&client, 4).await });
    while sent.load(Ordering::SeqCst) == 0 {
        sleep(Duration::from_millis(5)).await;
    }
    server.kill().unwrap();
    running
        .await
        .unwrap()
        .expect("paid bytes arrive, whatever the store does");
    server.restart().await.unwrap();
    flush(&account).await;
    assert_eq!(sums(&account).await, ([3, 0, 0], 1));
}

#[tokio::test]
async fn a_store_that_does_not_answer_holds_a_call_no_longer_than_its_deadline() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    let account = Account::named("late").limit(credits(10));
    let account = account.open(store).await.unwrap();
    let service = Service::charges(3).taking(Duration::from_millis(300));
    let (client, sent) = client(&account, service);
    let second = Duration::from_secs(1);
    let call = async || {
        let mut request = Request::new(&GET_THING);
        let mut options = CallOptions::default();
        options = options.price(credits(4));
        options.deadline = Some(second);
        request.options(&options);
        let begun = Instant::now();
        let called = client.send::<Value>(request).await;
        assert!(begun.elapsed() < second * 3 / 2, "{:?}", begun.elapsed());
        called
    };
    let stop = async {
        while sent.load(Ordering::SeqCst) == 0 {
            sleep(Duration::from_millis(5)).await;
        }
        server.signal("STOP").unwrap();
    };
    let (called, ()) = tokio::join!(call(), stop);
    called.expect("paid bytes arrive, whatever the store does");
    let error = call().await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
    server.signal("CONT").unwrap();
    flush(&account).await;
    assert_eq!(sums(&account).await, ([3, 0, 0], 1));
}

#[tokio::test]
async fn calls_can_go_on_without_the_store_which_counts_them_when_it_is_back() {
    let Some(mut server) = Server::start().await.unwrap() else {
        return;
    };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    let account = Account::named("open")
        .limit(credits(3))
        .outage(Outage::Allow);
    let account = account.open(store).await.unwrap();
    let (client, sent) = client(&account, Service::charges(2));
    call(&client, 2).await.unwrap();
    assert!(call(&client, 2).await.unwrap_err().budget().is_some());
    server.kill().unwrap();
    // Above the limit, and without a price.
    call(&client, 3).await.unwrap();
    client
        .send::<Value>(Request::new(&GET_THING))
        .await
        .unwrap();
    assert_eq!(sent.load(Ordering::SeqCst), 3);
    server.restart().await.unwrap();
    flush(&account).await;
    assert_eq!(sums(&account).await, ([6, 0, 0], 3));
    assert_eq!(account.usage().await.unwrap().strays, 2);
    // The store is not away, and the limit is used up.
    assert!(call(&client, 1).await.unwrap_err().budget().is_some());
    // Nor is one that has lost the account.
    let client_of_redis = redis::Client::open(server.url()).unwrap();
    let mut connection = client_of_redis
        .get_multiplexed_async_connection()
        .await
        .unwrap();
    let _: () = redis::cmd("FLUSHALL")
        .query_async(&mut connection)
        .await
        .unwrap();
    let error = call(&client, 1).await.unwrap_err();
    assert!(error.account_unavailable().is_some(), "{error:?}");
    assert_eq!(sent.load(Ordering::SeqCst), 3);
}

/// Settlements run on the runtime that opened the account. After its end, a cost that the account does not know is never free.
#[test]
fn an_account_outlives_the_runtime_that_opened_it() {
    let runtime = || tokio::runtime::Runtime::new().unwrap();
    let [first, later] = [runtime(), runtime()];
    let Some(server) = later.block_on(Server::start()).unwrap() else {
        return;
    };
    let account = Account::named("ended").limit(credits(100));
    let store = first.block_on(RedisStore::connect(&server.url())).unwrap();
    let account = first.block_on(account.open(store)).unwrap();
    let (client, _) = client(&account, Service::charges(2));
    first.block_on(call(&client, 2)).unwrap();
    first.block_on(flush(&account));
    drop(first);
    // Nor does its connection.
    let error = later.block_on(call(&client, 2)).unwrap_err();
    assert!(error.account_unavailable().is_some(), "{error:?}");
    assert_eq!(later.block_on(reopened(&server)), ([2, 0, 0], 1));
}

async fn reopened(server: &Server) -> ([u64; 3], u64) {
    let store = RedisStore::connect(&server.url()).await.unwrap();
    sums(&Account::named("ended").open(store).await.unwrap()).await
}
