//! Turns of those who wait: who is told, and what happens without a message.

use std::time::Duration;

use account_tests::Server;
use generated_client::Credits;
use generated_client::account::store::{Decision, Settlement};
use generated_client::account::{Account, RedisStore};
use generated_client::money::AtRiskId;
use tokio::time::{Instant, sleep, timeout};

use crate::steps::{ask, ending, opened, scopes};
use crate::support::{SOON, Service, Store, call, client, credits};

const ONE: Credits = Credits::new(1);

/// How many processes wait, each with one call.
const PROCESSES: usize = 100;

#[tokio::test]
async fn a_process_is_told_of_its_own_turns_alone() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    // Room for one call at a time.
    let (_account, steps) = opened(&Store(store.clone()), "turns", 1).await;
    let mut turns = store.turns("turns").await.unwrap();
    let own = AtRiskId::unused();
    let mut ids: Vec<AtRiskId> = (0..PROCESSES)
        .map(|process| format!("{process:032x}-0").parse().unwrap())
        .collect();
    ids[PROCESSES / 2] = own;
    for id in ids.clone() {
        steps.reserve(&ask("turns", id, ONE)).await.unwrap();
    }
    for id in ids.clone() {
        let decision = steps.reserve(&ask("turns", id, ONE)).await.unwrap();
        assert!(matches!(decision, Decision::Granted { .. }), "{decision:?}");
        let end = ending("turns", id, Settlement::Refund, scopes(false), credits(1));
        steps.settle(&end).await.unwrap();
    }
    // It comes after all of them.
    let last = AtRiskId::unused();
    let text = last.to_string();
    let (process, _) = text.split_once('-').unwrap();
    let direct = redis::Client::open(server.url()).unwrap();
    let mut direct = direct.get_multiplexed_async_connection().await.unwrap();
    let mut publish = redis::cmd("PUBLISH");
    publish.arg(format!("metered:{{turns}}:turns:{process}"));
    publish.arg(format!("turn {last}"));
    let _: u64 = publish.query_async(&mut direct).await.unwrap();
    for expected in [own, last] {
        let told = timeout(SOON, turns.recv()).await.unwrap().unwrap();
        assert_eq!(told, expected);
    }
}

#[tokio::test]
async fn a_call_whose_turn_no_message_tells_looks_by_itself() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    let account = Account::named("silent").limit(credits(1));
    let account = account.open(store.clone()).await.unwrap();
    let held = AtRiskId::unused();
    store.reserve(&ask("silent", held, ONE)).await.unwrap();
    let (client, _) = client(&account, Service::charges(1));
    let begun = Instant::now();
    let waiting = tokio::spawn(async move { call(&client, 1).await });
    sleep(Duration::from_millis(700)).await;
    // A script would publish the turn.
    let direct = redis::Client::open(server.url()).unwrap();
    let mut direct = direct.get_multiplexed_async_connection().await.unwrap();
    let mut raise = redis::cmd("HSET");
    raise.arg("metered:{silent}:limits").arg("").arg(2_000_000);
    let _: () = raise.query_async(&mut direct).await.unwrap();
    waiting.await.unwrap().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(2), "{begun:?}");
}
