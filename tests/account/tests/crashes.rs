//! Workers that die, return too late, or are contradicted.

use std::time::Duration;

use generated_client::account::store::{Ask, Decision, Ending, Settled, Settlement};
use generated_client::money::AtRiskId;
use tokio::time::sleep;

use crate::steps::{self, opened};
use crate::support::{credits, in_redis, sums};

const LEASE: Duration = Duration::from_millis(200);

fn ask(id: AtRiskId) -> Ask {
    Ask {
        lease: LEASE,
        patience: Duration::from_millis(300),
        ..steps::ask("crashes", id, credits(4))
    }
}

fn ending(id: AtRiskId, settlement: Settlement) -> Ending {
    steps::ending("crashes", id, settlement, steps::scopes(false), credits(4))
}

#[tokio::test]
async fn what_a_dead_worker_leaves_is_at_risk_and_its_late_settlement_is_exact() {
    in_redis(|store| async move {
        let (account, steps) = opened(&store, "crashes", 10).await;
        let id = AtRiskId::unused();
        assert!(matches!(
            steps.reserve(&ask(id)).await.unwrap(),
            Decision::Granted { .. }
        ));
        assert_eq!(sums(&account).await, ([0, 4, 0], 0));
        sleep(LEASE * 2).await;
        assert_eq!(sums(&account).await, ([0, 0, 4], 1), "never free");
        assert!(account.at_risk().await.unwrap()[0].is_lapsed);

        let charge = Settlement::Charge(credits(3));
        assert_eq!(
            steps.settle(&ending(id, charge)).await.unwrap(),
            Settled::Late
        );
        assert_eq!(
            steps.settle(&ending(id, charge)).await.unwrap(),
            Settled::Before
        );
        assert_eq!(sums(&account).await, ([3, 0, 0], 1));
        assert_eq!(account.usage().await.unwrap().lapsed, 1);
    })
    .await;
}

#[tokio::test]
async fn what_a_person_wrote_off_stays_and_the_worker_is_reported() {
    in_redis(|store| async move {
        let (account, steps) = opened(&store, "crashes", 10).await;
        let id = AtRiskId::unused();
        steps.reserve(&ask(id)).await.unwrap();
        sleep(LEASE * 2).await;
        assert!(account.settle(id, credits(0)).await.unwrap());
        assert!(account.settle(id, credits(0)).await.unwrap(), "repeated");
        assert!(!account.settle(id, credits(2)).await.unwrap());
        let late = ending(id, Settlement::Charge(credits(4)));
        let risk = ending(id, Settlement::Risk);
        assert_eq!(steps.settle(&risk).await.unwrap(), Settled::Before);
        assert_eq!(steps.settle(&late).await.unwrap(), Settled::Conflict);
        // The reply was lost.
        assert_eq!(steps.settle(&late).await.unwrap(), Settled::Conflict);
        assert_eq!(sums(&account).await, ([0, 0, 0], 1));
        assert_eq!(account.usage().await.unwrap().conflicts, 1);
    })
    .await;
}

#[tokio::test]
async fn a_settlement_that_overtakes_its_reservation_ends_it() {
    in_redis(|store| async move {
        let (account, steps) = opened(&store, "crashes", 10).await;
        let id = AtRiskId::unused();
        let refund = ending(id, Settlement::Refund);
        assert_eq!(steps.settle(&refund).await.unwrap(), Settled::Now);
        assert_eq!(steps.reserve(&ask(id)).await.unwrap(), Decision::Ended);
        assert_eq!(sums(&account).await, ([0, 0, 0], 0));
    })
    .await;
}

#[tokio::test]
async fn who_waits_is_served_in_order_and_who_no_longer_asks_loses_the_place() {
    in_redis(|store| async move {
        let (account, steps) = opened(&store, "crashes", 4).await;
        let [holder, first, second] = [(); 3].map(|()| AtRiskId::unused());
        let long = |id| Ask {
            lease: steps::LONG,
            ..ask(id)
        };
        steps.reserve(&long(holder)).await.unwrap();
        assert_eq!(
            steps.reserve(&long(first)).await.unwrap(),
            Decision::Waiting
        );
        assert_eq!(
            steps.reserve(&long(second)).await.unwrap(),
            Decision::Waiting
        );
        steps
            .settle(&ending(holder, Settlement::Refund))
            .await
            .unwrap();
        assert_eq!(
            steps.reserve(&long(second)).await.unwrap(),
            Decision::Waiting,
            "first come first served"
        );
        // The first one is dead.
        sleep(Duration::from_millis(200)).await;
        assert_eq!(
            steps.reserve(&long(second)).await.unwrap(),
            Decision::Waiting
        );
        sleep(Duration::from_millis(200)).await;
        assert!(matches!(
            steps.reserve(&long(second)).await.unwrap(),
            Decision::Granted { .. }
        ));
        assert_eq!(sums(&account).await, ([0, 4, 0], 0));
    })
    .await;
}

#[tokio::test]
async fn a_store_that_lost_the_account_allows_nothing_and_counts_what_was_spent() {
    in_redis(|store| async move {
        let lost = &store.0;
        let [id, other] = [(); 2].map(|()| AtRiskId::unused());
        let error = lost.reserve(&ask(id)).await.unwrap_err();
        assert!(error.to_string().contains("lost the account"), "{error}");
        let charge = ending(other, Settlement::Charge(credits(4)));
        assert_eq!(lost.settle(&charge).await.unwrap(), Settled::Stray);
        let (account, _) = opened(&store, "crashes", 10).await;
        assert_eq!(sums(&account).await, ([4, 0, 0], 1));
        assert_eq!(account.usage().await.unwrap().strays, 1);
    })
    .await;
}
