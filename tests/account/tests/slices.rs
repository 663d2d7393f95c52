//! Slices: many calls for one step of the store, and the return of the unspent rest.

use metered_client::prelude::*;
use std::time::Duration;

use metered_client::account::{Account, InProcess};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::support::{
    Service, Store, call, call_unpriced, client, credits, flush, in_both_stores, sums,
};

#[tokio::test]
async fn a_slice_is_spent_without_the_store_and_its_rest_is_given_back() {
    in_both_stores(|store| async move {
        let builder = || {
            Account::named("slices")
                .limit(credits(100))
                .slices(credits(30))
        };
        let account = store.open(builder()).await;
        let (client, _) = client(&account, Service::charges(2));
        for _ in 0..10 {
            call(&client, 2).await.unwrap();
        }
        let ([spent, reserved, at_risk], _) = sums(&account).await;
        assert_eq!((spent + reserved, at_risk), (30, 0), "one slice");
        flush(&account).await;
        assert_eq!(sums(&account).await, ([20, 0, 0], 10));
    })
    .await;
}

#[tokio::test]
async fn an_idle_process_keeps_no_slice_from_the_others() {
    in_both_stores(|store| async move {
        let builder = || {
            Account::named("idle")
                .limit(credits(10))
                .slices(credits(10))
        };
        let (one, other) = (store.open(builder()).await, store.open(builder()).await);
        call(&client(&one, Service::charges(1)).0, 1).await.unwrap();
        // All remaining credits are in the slice of the first.
        call(&client(&other, Service::charges(9)).0, 9)
            .await
            .unwrap();
        let error = call(&client(&one, Service::charges(1)).0, 1).await;
        assert!(
            error.as_ref().is_err_and(|error| error.budget().is_some()),
            "{error:?}"
        );
        flush(&other).await;
        assert_eq!(sums(&one).await, ([10, 0, 0], 2));
    })
    .await;
}

#[tokio::test]
async fn a_rest_that_is_too_small_lets_no_call_wait_for_ever() {
    in_both_stores(|store| async move {
        let builder = |name, limit| {
            let builder = Account::named(name).limit(credits(limit));
            builder.slices(credits(5))
        };
        let alone = store.open(builder("alone", 5)).await;
        let (calls, _) = client(&alone, Service::charges(2));
        call(&calls, 2).await.unwrap();
        call(&calls, 2).await.unwrap();
        let error = call(&calls, 2).await;
        assert!(
            error.as_ref().is_err_and(|error| error.budget().is_some()),
            "{error:?}"
        );
        flush(&alone).await;
        assert_eq!(sums(&alone).await, ([4, 0, 0], 2));

        // Two rests together cover one more call.
        let accounts = [
            store.open(builder("two", 10)).await,
            store.open(builder("two", 10)).await,
        ];
        let [one, other] = [0, 1].map(|at| client(&accounts[at], Service::charges(2)).0);
        for client in [&one, &one, &other, &other] {
            call(client, 2).await.unwrap();
        }
        let (first, second) = tokio::join!(call(&one, 2), call(&other, 2));
        assert_ne!(first.is_ok(), second.is_ok(), "{first:?} {second:?}");
        for error in [first.err(), second.err()].into_iter().flatten() {
            assert!(error.budget().is_some(), "{error:?}");
        }
        flush(&accounts[0]).await;
        flush(&accounts[1]).await;
        assert_eq!(sums(&accounts[0]).await, ([10, 0, 0], 5));

        // A call of unknown price spends from a slice too.
        accounts[0].raise(credits(5)).await.unwrap();
        call(&other, 2).await.unwrap();
        accounts[0].forget_prices().await.unwrap();
        let (fresh, _) = client(&accounts[0], Service::charges(2));
        call_unpriced(&fresh).await.unwrap();
        flush(&accounts[0]).await;
        flush(&accounts[1]).await;
        assert_eq!(sums(&accounts[0]).await, ([14, 0, 0], 7));
    })
    .await;
}

#[tokio::test]
async fn slices_never_exceed_the_limit_and_add_up() {
    in_both_stores(|store| async move {
        let limit = 60;
        let builder = || {
            Account::named("many")
                .limit(credits(limit))
                .slices(credits(7))
        };
        let mut calls = JoinSet::new();
        let mut accounts = Vec::new();
        for _ in 0..3 {
            let account = store.open(builder()).await;
            let (client, _) = client(
                &account,
                Service::charges(1).taking(Duration::from_millis(5)),
            );
            for _ in 0..30 {
                let client = client.clone();
                calls.spawn(async move { call(&client, 1).await.is_ok() });
            }
            accounts.push(account);
        }
        let made = calls
            .join_all()
            .await
            .into_iter()
            .filter(|is_ok| *is_ok)
            .count() as u64;
        for account in &accounts {
            flush(account).await;
        }
        assert_eq!(sums(&accounts[0]).await, ([made, 0, 0], made));
        assert_eq!(made, limit, "all of it could be spent");
    })
    .await;
}

#[tokio::test]
async fn calls_at_risk_of_a_slice_are_listed_and_settled_one_by_one() {
    in_both_stores(|store| async move {
        let account = store
            .open(
                Account::named("risky")
                    .limit(credits(100))
                    .slices(credits(30)),
            )
            .await;
        let lost = call(&client(&account, Service::saying(500)).0, 4)
            .await
            .unwrap_err();
        call(&client(&account, Service::charges(50)).0, 4)
            .await
            .unwrap();
        flush(&account).await;
        assert_eq!(sums(&account).await, ([50, 0, 4], 2));
        assert_eq!(account.usage().await.unwrap().usage.surprises, 1);
        assert!(lost.settle(credits(3)));
        flush(&account).await;
        assert_eq!(sums(&account).await, ([53, 0, 0], 2));
    })
    .await;
}

#[test]
fn the_slice_of_a_dead_process_is_at_risk() {
    let lease = Duration::from_millis(400);
    let store = Store::Memory(InProcess::new());
    let open = async || {
        let builder = Account::named("dead").limit(credits(10)).slices(credits(6));
        store.open(builder.lease(lease)).await
    };
    // A runtime that shuts down discards the reports of its process.
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let dies = runtime.enable_all().build().unwrap();
    dies.block_on(async {
        let account = open().await;
        call(&client(&account, Service::charges(1)).0, 1)
            .await
            .unwrap();
    });
    drop(dies);
    let lives = runtime.build().unwrap();
    lives.block_on(async {
        let account = open().await;
        sleep(lease * 2).await;
        assert_eq!(sums(&account).await.0, [0, 0, 6]);
    });
}

#[tokio::test]
async fn a_charge_above_its_reservation_takes_nothing_from_calls_in_flight() {
    in_both_stores(|store| async move {
        let builder = Account::named("surprise")
            .limit(credits(100))
            .slices(credits(10));
        let account = store.open(builder).await;
        let slow = client(&account, Service::charges(5).taking(Duration::from_secs(2))).0;
        let running = tokio::spawn(async move { call(&slow, 5).await });
        sleep(Duration::from_millis(100)).await;
        call(&client(&account, Service::charges(12)).0, 5)
            .await
            .unwrap();
        // The report comes within a second.
        sleep(Duration::from_millis(1300)).await;
        assert_eq!(sums(&account).await.0, [12, 5, 0]);
        running.await.unwrap().unwrap();
        flush(&account).await;
        assert_eq!(sums(&account).await.0, [17, 0, 0]);
    })
    .await;
}
