//! Storms over worker processes. `STORM_SEEDS=1..100` runs one for each number, and `STORM_ROUNDS` lets each last longer.
//!
//! A seed determines the faults, their order and their duration; their effect depends on the machine.

use generated_client::Credits;
use generated_client::account::AccountUsage;
use tokio::task::JoinHandle;

use crate::storm::{Mode, Plan, Storm, seeds};

/// Checks the account after a storm without lost data.
pub(super) fn agrees(storm: &Storm, billed: Credits, account: &AccountUsage) {
    let usage = &account.usage;
    assert!(billed > Credits::ZERO);
    assert!(billed <= storm.plan.limit, "{billed}, {usage:?}");
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
    for (seed, mode) in seeds() {
        let Some(mut storm) = Storm::start(Plan::of(seed, mode)).await else {
            return;
        };
        let watch = storm.watch();
        for _ in 0..rounds.parse().unwrap_or(1) {
            storm.rage().await;
        }
        let (billed, account) = storm.end().await;
        watched(watch).await;
        agrees(&storm, billed, &account);
        // The clocks of the workers have no effect.
        assert_eq!(storm.periods().await, 1);
    }
}

/// The clocks are off, which is no fault.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_faults_the_account_is_the_bill() {
    for mode in Mode::ALL {
        let plan = Plan {
            seed: 1,
            mode,
            limit: Credits::new(2000),
            is_service_faulty: false,
        };
        let Some(mut storm) = Storm::start(plan).await else {
            return;
        };
        let watch = storm.watch();
        storm.rest(2000, 2000).await;
        let (billed, account) = storm.end().await;
        watched(watch).await;
        assert_eq!(account.usage.spent, billed);
        assert_eq!(account.usage.at_risk, Credits::ZERO);
        assert_eq!(storm.periods().await, 1);
    }
}
