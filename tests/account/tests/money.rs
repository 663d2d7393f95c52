//! Effects of calls on an account by outcome, and the enforcement of its limit.

use std::sync::atomic::Ordering;
use std::time::Duration;

use account_tests::api::GET_THING;
use generated_client::account::{Account, OpenError};
use generated_client::money::RefusedBy;
use generated_client::request::{CallOptions, Request};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::support::{Service, call, call_unpriced, client, credits, flush, in_redis, sums};

#[tokio::test]
async fn each_outcome_counts_in_the_account_and_in_its_scopes() {
    in_redis(|store| async move {
        let account = store
            .open(Account::named("outcomes").limit(credits(100)))
            .await;
        let tenant = account.scoped("tenant", credits(50), None).await.unwrap();
        let at = async || (sums(&account).await, sums(&tenant).await);

        call(&client(&tenant, Service::charges(3)).0, 5)
            .await
            .unwrap();
        assert_eq!(at().await, (([3, 0, 0], 1), ([3, 0, 0], 1)), "charged");
        call(&client(&account, Service::charges(2)).0, 5)
            .await
            .unwrap();
        assert_eq!(
            at().await,
            (([5, 0, 0], 2), ([3, 0, 0], 1)),
            "charged in the account alone"
        );
        call(&client(&tenant, Service::saying(401)).0, 5)
            .await
            .unwrap_err();
        assert_eq!(at().await, (([5, 0, 0], 2), ([3, 0, 0], 1)), "rejected");
        let lost = call(&client(&tenant, Service::saying(500)).0, 5)
            .await
            .unwrap_err();
        assert_eq!(at().await, (([5, 0, 5], 3), ([3, 0, 5], 2)), "at risk");
        assert_eq!(
            account.at_risk().await.unwrap()[0].call.operation,
            "getThing"
        );

        assert!(
            lost.settle(credits(4)),
            "the error settles it in the account too"
        );
        flush(&account).await;
        assert_eq!(at().await, (([9, 0, 0], 3), ([7, 0, 0], 2)), "settled");

        let slow = client(&tenant, Service::charges(3).taking(Duration::from_secs(5))).0;
        let dropped = timeout(Duration::from_millis(200), call(&slow, 5)).await;
        assert!(dropped.is_err());
        flush(&account).await;
        assert_eq!(
            at().await,
            (([9, 0, 5], 4), ([7, 0, 5], 3)),
            "dropped in flight"
        );
        let dropped = account.at_risk().await.unwrap().remove(0).id;
        assert!(account.settle(dropped, credits(5)).await.unwrap());
        assert_eq!(
            at().await,
            (([14, 0, 0], 4), ([12, 0, 0], 3)),
            "settled by hand"
        );

        // By its id in the budget of the client.
        let worker = client(&tenant, Service::saying(500)).0;
        call(&worker, 5).await.unwrap_err();
        let lost = worker.budget().at_risk();
        assert!(worker.budget().settle(lost[0].id, credits(0)));
        flush(&account).await;
        assert_eq!(at().await, (([14, 0, 0], 5), ([12, 0, 0], 4)), "by its id");
    })
    .await;
}

/// Shuts down as a web service should.
#[tokio::test]
async fn flush_waits_for_a_detached_call_whose_caller_has_left() {
    in_redis(|store| async move {
        let account = store.open(Account::named("exact").limit(credits(10))).await;
        let service = Service::charges(2).taking(Duration::from_secs(1));
        let (client, sent) = client(&account, service);
        let mut request = Request::new(&GET_THING);
        let mut options = CallOptions::default();
        options = options.price(credits(3));
        options.detached = Some(true);
        request.options(&options);
        let running = tokio::spawn(async move { client.send::<Value>(request).await });
        while sent.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        running.abort();

        let error = account.flush(Duration::from_millis(100)).await.unwrap_err();
        assert_eq!(error.left, 1);
        assert!(error.to_string().contains("what 1 call of"), "{error}");
        flush(&account).await;
        assert_eq!(sums(&account).await, ([2, 0, 0], 1));
    })
    .await;
}

#[tokio::test]
async fn a_limit_holds_for_all_who_open_the_account() {
    in_redis(|store| async move {
        let limit = 20;
        let mut calls = JoinSet::new();
        for _ in 0..4 {
            let account = store
                .open(Account::named("shared").limit(credits(limit)))
                .await;
            let service = Service::charges(1).taking(Duration::from_millis(20));
            let (client, sent) = client(&account, service);
            for _ in 0..10 {
                let client = client.clone();
                calls.spawn(async move { call(&client, 1).await });
            }
            drop(sent);
        }
        let results = calls.join_all().await;
        let refused = results.iter().filter_map(|result| result.as_ref().err());
        for error in refused.clone() {
            let budget = error.budget().unwrap();
            assert_eq!(budget.refused_by, RefusedBy::Account("shared".to_owned()));
            assert_eq!(budget.left(), credits(0));
        }
        assert_eq!(refused.count(), 20);
        let account = store.open(Account::named("shared")).await;
        assert_eq!(sums(&account).await, ([limit, 0, 0], limit));
    })
    .await;
}

#[tokio::test]
async fn an_unknown_price_reserves_an_estimate_and_is_known_to_all_then() {
    in_redis(|store| async move {
        let open = async || {
            store
                .open(Account::named("unknown").limit(credits(10)))
                .await
        };
        let (one, other) = (open().await, open().await);
        let (first, _) = client(&one, Service::charges(4).taking(Duration::from_millis(300)));
        let (second, _) = client(&other, Service::charges(4));
        let begun = tokio::spawn({
            let first = first.clone();
            async move { call_unpriced(&first).await }
        });
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(sums(&one).await, ([0, 8, 0], 0));
        // It waits for the first call, and reserves the rest of what that one leaves.
        call_unpriced(&second).await.unwrap();
        begun.await.unwrap().unwrap();
        assert_eq!(
            second.prices()[0].credits,
            credits(4),
            "seen by the other process"
        );
        let error = call_unpriced(&second).await.unwrap_err();
        assert_eq!(error.budget().unwrap().left(), credits(2));
        assert_eq!(sums(&one).await, ([8, 0, 0], 2));
    })
    .await;
}

#[tokio::test]
async fn accounts_are_opened_with_the_limit_that_they_have() {
    in_redis(|store| async move {
        let try_open = async |builder: generated_client::account::AccountBuilder| {
            builder.open(store.0.clone()).await
        };
        let named = || Account::named("opened");
        assert!(matches!(try_open(named()).await, Err(OpenError::Absent(_))));
        let account = try_open(named().limit(credits(10))).await.unwrap();
        try_open(named()).await.unwrap();
        let other = try_open(named().limit(credits(11))).await.unwrap_err();
        assert!(
            other
                .to_string()
                .contains("has a limit of 10 credits, not 11"),
            "{other}"
        );
        account.raise(credits(1)).await.unwrap();
        try_open(named().limit(credits(11))).await.unwrap();
        account.lower(credits(3)).await.unwrap();
        try_open(named().limit(credits(8))).await.unwrap();
        account.lower(credits(9)).await.unwrap();
        account.raise(credits(1)).await.unwrap();
        try_open(named().limit(credits(1))).await.unwrap();
        let huge = generated_client::Credits::from_micros(u64::MAX);
        assert!(matches!(
            try_open(named().limit(huge)).await,
            Err(OpenError::TooLarge { .. })
        ));
        assert!(matches!(
            try_open(Account::named("a{b}")).await,
            Err(OpenError::Name(_))
        ));
        assert!(matches!(
            account.scoped("a/b", credits(1), None).await,
            Err(OpenError::Name(_))
        ));
    })
    .await;
}

#[tokio::test]
async fn a_frozen_account_refuses_the_calls_of_all_processes_and_settles_those_in_flight() {
    in_redis(|store| async move {
        let open = || Account::named("frozen").limit(credits(10));
        let [one, two] = [store.open(open()).await, store.open(open()).await];
        let tenant = two.scoped("tenant", credits(10), None).await.unwrap();
        let slow = Service::charges(3).taking(Duration::from_secs(2));
        let (slow, sent) = client(&one, slow);
        let in_flight = tokio::spawn(async move { call(&slow, 8).await });
        while sent.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let waiting = [&two, &tenant].map(|account| {
            let (client, sent) = client(account, Service::charges(3));
            (tokio::spawn(async move { call(&client, 4).await }), sent)
        });
        tokio::time::sleep(Duration::from_millis(200)).await;
        one.freeze("an invoice is disputed").await.unwrap();
        for (waiting, sent) in waiting {
            let error = timeout(Duration::from_secs(2), waiting).await.unwrap();
            let error = error.unwrap().unwrap_err();
            assert!(
                error
                    .to_string()
                    .contains("is frozen: an invoice is disputed"),
                "{error}"
            );
            assert_eq!(sent.load(Ordering::SeqCst), 0);
        }
        // Also what is known to be free.
        for price in [1, 0] {
            let (client, sent) = client(&tenant, Service::charges(0));
            let error = call(&client, price).await.unwrap_err();
            let refused = error.budget().unwrap();
            assert_eq!(refused.frozen.as_deref(), Some("an invoice is disputed"));
            assert_eq!(refused.levels_up, 1);
            assert_eq!(sent.load(Ordering::SeqCst), 0);
        }
        in_flight.await.unwrap().unwrap();
        flush(&one).await;
        assert_eq!(sums(&two).await, ([3, 0, 0], 1));
        two.raise(credits(1)).await.unwrap();
        two.thaw().await.unwrap();
        call(&client(&tenant, Service::charges(2)).0, 5)
            .await
            .unwrap();
        assert_eq!(sums(&one).await, ([5, 0, 0], 2));
    })
    .await;
}

#[tokio::test]
async fn calls_in_flight_are_bounded_in_all_processes() {
    in_redis(|store| async move {
        let builder = || {
            Account::named("flight")
                .limit(credits(100))
                .max_in_flight(3)
        };
        let accounts = [store.open(builder()).await, store.open(builder()).await];
        let mut calls = JoinSet::new();
        let service = Service::charges(1).taking(Duration::from_millis(50));
        for account in &accounts {
            let (client, _) = client(account, service);
            for _ in 0..10 {
                let client = client.clone();
                calls.spawn(async move { call(&client, 1).await.map(drop) });
            }
        }
        let mut most = 0;
        while !calls.is_empty() {
            most = most.max(accounts[0].usage().await.unwrap().in_flight);
            while let Some(result) = calls.try_join_next() {
                result.unwrap().unwrap();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(most, 3);
        assert_eq!(sums(&accounts[0]).await, ([20, 0, 0], 20));
    })
    .await;
}
