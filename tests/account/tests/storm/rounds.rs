//! Storms over worker processes. `STORM_SEEDS=1..100` runs one for each number, and `STORM_ROUNDS` lets each last longer.
//!
//! A seed determines the faults, their order and their duration; their effect depends on the machine.

use generated_client::Credits;
use generated_client::account::AccountUsage;
use tokio::task::JoinHandle;

use crate::storm::{Storm, seeds};

/// Checks the account after a storm without lost data.
pub(super) fn agrees(storm: &Storm, billed: Credits, account: &AccountUsage) {
    let usage = &account.usage;
    assert!(billed > Credits::ZERO);
    assert!(billed <= storm.limit, "{billed}, {usage:?}");
    assert!(usage.spent <= billed, "{billed}, {usage:?}");
    assert!(billed <= usage.spent + usage.at_risk, "{billed}, {usage:?}");
    assert_eq!((account.conflicts, account.strays), (0, 0), "{account:?}");
}

/// Ends a watch, which must have found no error.
pub(super) async fn watched(watch: JoinHandle<()>) {
    watch.abort();
    if let Err(error) = watch.await {
        assert!(error.is_cancelled(), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_fault_makes_workers_exceed_the_budget_or_forget_a_charge() {
    let rounds = std::env::var("STORM_ROUNDS").unwrap_or_default();
    for seed in seeds() {
        let Some(mut storm) = Storm::start(seed).await else {
            return;
        };
        let watch = storm.watch();
        for _ in 0..rounds.parse().unwrap_or(1) {
            storm.rage().await;
        }
        let (billed, account) = storm.end().await;
        watched(watch).await;
        agrees(&storm, billed, &account);
    }
}
