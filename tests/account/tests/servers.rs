//! Which server is used: it is checked after each change of the connection, and left when it is a replica.

use std::time::Duration;

use account_tests::Server;
use account_tests::wire::Wire;
use metered_client::Credits;
use metered_client::account::store::{Decision, Draw, LedgerStore};
use metered_client::account::{Account, RedisStore, ReservationId, StoreError};
use tokio::time::sleep;

use crate::steps::ask;
use crate::support::{Store, credits};

const ONE: Draw = Draw::Exactly(Credits::new(1));

/// Sends a command directly.
pub(crate) async fn command(server: &Server, command: &str) {
    let client = redis::Client::open(server.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let mut words = command.split(' ');
    let mut command = redis::cmd(words.next().unwrap());
    words.for_each(|word| _ = command.arg(word));
    let _: () = command.query_async(&mut connection).await.unwrap();
}

fn account() -> metered_client::account::AccountBuilder {
    Account::named("servers").limit(credits(10_000))
}

async fn reserve(store: &RedisStore) -> Result<Decision, StoreError> {
    store
        .reserve(&ask("servers", &ReservationId::unused(), ONE))
        .await
}

/// Repeats it until it has a result.
async fn soon<T>(mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..1000 {
        if let Some(result) = attempt().await {
            return result;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("it does not happen");
}

#[tokio::test]
async fn no_reservation_reaches_a_server_before_it_is_checked() {
    let (Some(one), Some(other)) = (
        Server::start().await.unwrap(),
        Server::start().await.unwrap(),
    ) else {
        return;
    };
    for server in [&one, &other] {
        let direct = RedisStore::connect(&server.url()).await.unwrap();
        Store::Redis(direct).open(account()).await;
    }
    command(&other, "CONFIG SET maxmemory 100mb").await;
    command(&other, "CONFIG SET maxmemory-policy allkeys-lru").await;
    let error = RedisStore::connect(&other.url()).await.unwrap_err();
    assert!(error.to_string().contains("evicts keys"), "{error}");

    let wire = Wire::to(one.address()).await.unwrap();
    let store = RedisStore::connect(&wire.url()).await.unwrap();
    for _ in 0..20 {
        soon(async || reserve(&store).await.ok()).await;
        // The address leads to the other server from now on, which has the account too.
        wire.move_to(other.address());
        command(&one, "CLIENT KILL TYPE normal").await;
        // Without a pause: none is earlier than the check.
        let error = loop {
            let error = reserve(&store).await.unwrap_err().to_string();
            if error.contains("evicts keys") {
                break error;
            }
        };
        assert!(!error.contains("lost the account"), "{error}");
        wire.move_to(one.address());
    }
    command(&other, "CONFIG SET maxmemory-policy noeviction").await;
    wire.move_to(other.address());
    command(&one, "CLIENT KILL TYPE normal").await;
    let decision = soon(async || reserve(&store).await.ok()).await;
    assert!(matches!(decision, Decision::Granted(_)), "{decision:?}");
}

#[tokio::test]
async fn a_primary_that_becomes_a_replica_is_left_for_the_new_one() {
    let (Some(one), Some(other)) = (
        Server::start().await.unwrap(),
        Server::start().await.unwrap(),
    ) else {
        return;
    };
    let wire = Wire::to(one.address()).await.unwrap();
    let store = RedisStore::connect(&wire.url()).await.unwrap();
    let opened = Store::Redis(store.clone()).open(account()).await;
    let direct = RedisStore::connect(&other.url()).await.unwrap();
    Store::Redis(direct).open(account()).await;

    // The address refers to the other server from now on, and connections stay unchanged.
    let port = other.address().port();
    command(&one, &format!("REPLICAOF 127.0.0.1 {port}")).await;
    wire.move_to(other.address());
    assert!(opened.raise(credits(1)).await.is_err(), "a replica");
    soon(async || opened.raise(credits(1)).await.ok()).await;
}
