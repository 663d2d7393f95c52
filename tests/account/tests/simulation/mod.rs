//! Simulated histories of an account: workers spend from it on a paused clock, over a network that loses, repeats, delays and reorders steps,
//! while workers are killed and the store restarts.
//!
//! A seed decides everything, so a history replays: `SEED=17 cargo test -p account-tests --test account simulation -- --nocapture` prints
//! it. `SIMULATIONS=10000` runs that many seeds. The scripts are those of the product, run by a `redis-server` that takes the time from the
//! simulation. A restart of the store loses no step that it has done, as with `appendfsync always`.

mod history;
mod ledger;
mod network;
mod plan;
mod service;
mod store;
mod worker;
mod world;

use history::{History, run};
use store::Store;

/// Fails with the history, if a promise was broken in it.
fn check(seed: u64, history: &History) {
    let lines = history.lines.join("\n");
    assert!(
        history.violations.is_empty(),
        "{lines}\nSEED={seed}: {:#?}",
        history.violations
    );
}

#[test]
fn no_simulated_history_exceeds_a_limit_or_forgets_a_charge() {
    let Some(store) = Store::start() else {
        return;
    };
    if let Ok(seed) = std::env::var("SEED") {
        let seed = seed.parse().unwrap();
        let history = run(seed, &store);
        println!("{}", history.lines.join("\n"));
        return check(seed, &history);
    }
    let seeds = std::env::var("SIMULATIONS").map_or(200, |seeds| seeds.parse().unwrap());
    for seed in 0..seeds {
        check(seed, &run(seed, &store));
    }
}

#[test]
fn a_seed_replays_its_history() {
    let Some(store) = Store::start() else {
        return;
    };
    for seed in 0..20 {
        let [one, other] = [(); 2].map(|()| run(seed, &store));
        assert_eq!(one.lines, other.lines, "seed {seed}");
    }
}
