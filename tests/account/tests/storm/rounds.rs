//! Storms over worker processes. `STORM_SEEDS=1..100` runs one for each number, and `STORM_ROUNDS` lets each last longer.
//!
//! A seed says which faults happen, in which order and for how long; what they hit is up to the machine.

use metered_client::Credits;

use super::storm::{Mode, Plan, Storm, seeds};

/// What the account holds after any storm in which no data were lost.
async fn ends_well(mut storm: Storm) {
    let watch = storm.watch();
    let rounds = std::env::var("STORM_ROUNDS").unwrap_or_default();
    for _ in 0..rounds.parse().unwrap_or(1) {
        storm.rage().await;
    }
    let (billed, account) = storm.end().await;
    watch.abort();
    if let Err(error) = watch.await {
        assert!(error.is_cancelled(), "{error}");
    }
    let usage = &account.usage;
    assert!(billed > Credits::ZERO);
    assert!(billed <= storm.plan.limit, "{billed}, {usage:?}");
    assert!(usage.spent <= billed, "{billed}, {usage:?}");
    assert!(billed <= usage.spent + usage.at_risk, "{billed}, {usage:?}");
    assert_eq!((account.conflicts, account.strays), (0, 0), "{account:?}");
    // Whatever the clocks of the workers said.
    assert_eq!(storm.periods().await, 1);
}

async fn rages(mode: Mode) {
    for seed in seeds() {
        let plan = Plan {
            seed,
            mode,
            limit: Credits::new(5000),
            is_service_faulty: true,
        };
        let Some(storm) = Storm::start(plan).await else {
            return;
        };
        ends_well(storm).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_fault_makes_workers_exceed_the_budget_or_forget_a_charge() {
    rages(Mode::Exact).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_fault_makes_workers_with_slices_exceed_the_budget_or_forget_a_charge() {
    rages(Mode::Slices).await;
}

/// With clocks that are off, which is no fault.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_faults_the_account_is_the_bill() {
    for mode in [Mode::Exact, Mode::Slices] {
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
        assert!(!watch.is_finished(), "{:?}", watch.await);
        assert_eq!(account.usage.spent, billed);
        assert_eq!(account.usage.at_risk, Credits::ZERO);
        assert_eq!(account.lapsed, 0);
        assert_eq!(storm.periods().await, 1);
        watch.abort();
    }
}
