//! Which server is used: it is checked after each change of the connection, and left when it is a replica.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use account_tests::Server;
use account_tests::wire::Wire;
use generated_client::Credits;
use generated_client::account::store::Decision;
use generated_client::account::{Account, AccountBuilder, RedisStore, StoreError};
use generated_client::money::AtRiskId;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::steps::ask;
use crate::support::{Store, credits};

const ONE: Credits = Credits::new(1);

/// Sends a command directly. A reply that is no string becomes an empty one.
async fn command(url: &str, command: &str) -> redis::RedisResult<String> {
    let client = redis::Client::open(url)?;
    let mut connection = client.get_multiplexed_async_connection().await?;
    let mut words = command.split(' ');
    let mut command = redis::cmd(words.next().unwrap());
    words.for_each(|word| _ = command.arg(word));
    let said: redis::Value = command.query_async(&mut connection).await?;
    Ok(redis::from_redis_value(said).unwrap_or_default())
}

fn account() -> AccountBuilder {
    Account::named("servers").limit(credits(1_000_000))
}

async fn reserve(store: &RedisStore) -> Result<Decision, StoreError> {
    store
        .reserve(&ask("servers", AtRiskId::unused(), ONE))
        .await
}

/// Repeats it until it has a result.
async fn soon<T>(mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..3000 {
        if let Some(result) = attempt().await {
            return result;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("it does not happen");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_reservation_reaches_a_server_before_it_is_checked() {
    let (Some(one), Some(other)) = (
        Server::start().await.unwrap(),
        Server::with(&[]).await.unwrap(),
    ) else {
        return;
    };
    let wire = Wire::to(one.address()).await.unwrap();
    let store = RedisStore::connect(&wire.url()).await.unwrap();
    Store(store.clone()).open(account()).await;
    // The other server has the account too, and evicts.
    let direct = RedisStore::connect(&other.url()).await.unwrap();
    let direct = Store(direct).open(account()).await;
    for setting in ["maxmemory 100mb", "maxmemory-policy allkeys-lru"] {
        let set = format!("CONFIG SET {setting}");
        command(&other.url(), &set).await.unwrap();
    }
    let error = RedisStore::connect(&other.url()).await.unwrap_err();
    assert!(error.to_string().contains("evicts keys"), "{error}");

    let counts = Arc::new([const { AtomicU64::new(0) }; 2]);
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let (store, counts) = (store.clone(), Arc::clone(&counts));
        calls.spawn(async move {
            loop {
                match reserve(&store).await {
                    Ok(_) => _ = counts[0].fetch_add(1, Ordering::SeqCst),
                    Err(error) if error.to_string().contains("evicts keys") => {
                        counts[1].fetch_add(1, Ordering::SeqCst);
                    }
                    Err(_) => {}
                }
            }
        });
    }
    let more = async |place: usize| {
        let before = counts[place].load(Ordering::SeqCst);
        soon(async || (counts[place].load(Ordering::SeqCst) > before).then_some(())).await;
    };
    for _ in 0..20 {
        for (from, to, result) in [(&one, &other, 1), (&other, &one, 0)] {
            // The address leads elsewhere from now on.
            wire.move_to(to.address());
            for kind in ["normal", "pubsub"] {
                let kill = format!("CLIENT KILL TYPE {kind}");
                command(&from.url(), &kill).await.unwrap();
            }
            more(result).await;
        }
    }
    calls.shutdown().await;
    let usage = soon(async || direct.usage().await.ok()).await.usage;
    assert_eq!(usage.reserved, Credits::ZERO, "{usage:?}");
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
    let opened = Store(store.clone()).open(account()).await;
    let direct = RedisStore::connect(&other.url()).await.unwrap();
    Store(direct).open(account()).await;

    // The address refers to the other server from now on, and connections stay unchanged.
    let port = other.address().port();
    let replicate = format!("REPLICAOF 127.0.0.1 {port}");
    command(&one.url(), &replicate).await.unwrap();
    wire.move_to(other.address());
    assert!(opened.raise(credits(1)).await.is_err(), "a replica");
    soon(async || opened.raise(credits(1)).await.ok()).await;
}

#[tokio::test]
async fn a_node_of_a_cluster_is_refused_with_the_reason() {
    let arguments = ["--cluster-enabled", "yes"];
    let Some(server) = Server::with(&arguments).await.unwrap() else {
        return;
    };
    let error = RedisStore::connect(&server.url()).await.unwrap_err();
    let error = error.to_string();
    assert!(error.contains("is a node of a cluster"), "{error}");
    assert!(error.contains("a server of their own"), "{error}");
}
