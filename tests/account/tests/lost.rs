//! A server that lost data: from before a failover, or since its last snapshot.

use metered_client::prelude::*;
use std::sync::atomic::Ordering;

use account_tests::Server;
use metered_client::Credits;
use metered_client::account::store::{Ask, Decision, Draw, LedgerStore, Report};
use metered_client::account::{Account, OpenError, RedisStore, ReservationId};

use crate::steps::{LONG, ask, scopes};
use crate::support::{Service, Store, call, client, credits, sums};

async fn slice(store: &RedisStore) -> ReservationId {
    let ask = ask("lost", &ReservationId::unused(), Draw::Exactly(credits(20)));
    let decision = store.reserve(&ask).await.unwrap();
    assert!(matches!(decision, Decision::Granted(_)), "{decision:?}");
    ask.id
}

fn report(id: &ReservationId, number: u64, charged: u64, is_last: bool) -> Report {
    Report {
        account: "lost".into(),
        id: id.clone(),
        number,
        scopes: scopes(false),
        charged: credits(charged),
        calls: 1,
        surprises: 0,
        risks: Vec::new(),
        returned: Credits::ZERO,
        open: Credits::ZERO,
        is_last,
        lease: LONG,
    }
}

#[tokio::test]
async fn a_slice_whose_report_was_lost_is_at_risk_when_it_ends() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    let account = Store::Redis(store.clone());
    let account = account
        .open(Account::named("lost").limit(credits(100)))
        .await;
    let [kept, lost] = [slice(&store).await, slice(&store).await];
    for (id, second) in [(&kept, 2), (&lost, 3)] {
        store.report(&report(id, 1, 3, false)).await.unwrap();
        let mut last = report(id, second, 2, true);
        last.returned = credits(10);
        // The reply is lost.
        store.report(&last).await.unwrap();
        store.report(&last).await.unwrap();
    }
    // The second report of the lost call may have listed up to 15 spent credits.
    assert_eq!(sums(&account).await, ([10, 0, 15], 5));
    let usage = account.usage().await.unwrap();
    assert_eq!((usage.strays, usage.conflicts), (1, 0));
    assert!(account.settle(&lost, credits(5)).await.unwrap());
    assert_eq!(sums(&account).await, ([15, 0, 0], 5));
}

#[tokio::test]
async fn a_slice_whose_report_was_lost_stays_at_risk_when_it_grows() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    let builder = Account::named("lost").limit(credits(100));
    let account = Store::Redis(store.clone()).open(builder).await;
    let id = slice(&store).await;
    store.report(&report(&id, 1, 3, false)).await.unwrap();
    // The second report is lost.
    store.report(&report(&id, 3, 1, false)).await.unwrap();
    let more = Ask {
        draw: 2,
        ..ask("lost", &id, Draw::Exactly(credits(20)))
    };
    let decision = store.reserve(&more).await.unwrap();
    assert!(matches!(decision, Decision::Granted(_)), "{decision:?}");
    let mut last = report(&id, 4, 2, true);
    last.returned = credits(10);
    store.report(&last).await.unwrap();
    assert_eq!(sums(&account).await, ([6, 0, 34], 4));
}

#[tokio::test]
async fn a_server_that_lost_everything_grants_nothing_until_the_limit_is_set_again() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let store = || async { RedisStore::connect(&server.url()).await.unwrap() };
    let worker = || async { Account::named("refilled").open(store().await).await };
    let set_limit = |limit| async move {
        let account = Account::named("refilled").limit(credits(limit));
        account.open(store().await).await.unwrap()
    };
    let absent = worker().await.unwrap_err();
    assert!(matches!(absent, OpenError::Absent(_)), "{absent}");
    assert!(
        absent.to_string().contains("set its limit once"),
        "{absent}"
    );
    set_limit(4).await;
    let account = worker().await.unwrap();
    let (client, sent) = client(&account, Service::charges(3));
    call(&client, 3).await.unwrap();

    let direct = redis::Client::open(server.url()).unwrap();
    let mut direct = direct.get_multiplexed_async_connection().await.unwrap();
    let _: () = redis::cmd("FLUSHALL")
        .query_async(&mut direct)
        .await
        .unwrap();
    let error = call(&client, 1).await.unwrap_err();
    assert!(error.account_unavailable().is_some(), "{error:?}");
    assert!(error.to_string().contains("set the limit again"), "{error}");
    assert!(matches!(worker().await, Err(OpenError::Absent(_))));
    assert_eq!(sent.load(Ordering::SeqCst), 1);
    set_limit(1).await;
    call(&client, 1).await.unwrap();
    assert!(
        call(&client, 1)
            .await
            .is_err_and(|error| error.budget().is_some())
    );
}
