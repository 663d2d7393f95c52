//! What a seed decides before a history begins.

use std::time::Duration;

use generated_client::Credits;
use generated_client::account::{Period, Window};

/// The calls of all workers that a history begins with, at most.
const CALLS: usize = 24;
/// The most faults of a history.
const FAULTS: usize = 6;
/// The most calls of a history: a worker that is killed is replaced by one with as many.
pub(super) const MOST_CALLS: usize = CALLS * (1 + FAULTS);

/// The scope that some workers spend from.
pub(super) const TENANT: &str = "tenant";

#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) workers: usize,
    /// Calls of each worker.
    pub(super) calls: usize,
    /// The limits of the account and of the tenant, in millionths of a credit; for each period, if there is one.
    pub(super) limits: [u64; 2],
    /// Milliseconds of a period of the tenant.
    pub(super) period: Option<u64>,
    pub(super) lease: Duration,
    pub(super) deadline: Duration,
    pub(super) max_in_flight: Option<u32>,
    /// Percentages of steps: requests that are lost, during which the connection breaks, that arrive twice, and that take long.
    pub(super) is_faulty: bool,
    pub(super) lost: u32,
    pub(super) cut: u32,
    pub(super) twice: u32,
    pub(super) slow: u32,
    /// Number of kills, restarts and interruptions.
    pub(super) faults: usize,
}

impl Plan {
    pub(super) fn new(random: &mut fastrand::Rng) -> Self {
        let workers = random.usize(1..=4);
        let is_faulty = random.u8(..8) > 0;
        let mut rate = |most| if is_faulty { random.u32(..=most) } else { 0 };
        let [lost, cut, twice, slow] = [rate(10), rate(15), rate(10), rate(5)];
        Self {
            workers,
            calls: random.usize(1..=CALLS / workers),
            limits: [(); 2].map(|()| random.u64(5_000_000..60_000_000)),
            period: random.bool().then(|| random.u64(2_000..20_000)),
            lease: Duration::from_millis(random.u64(100..4_000)),
            deadline: Duration::from_millis(random.u64(500..8_000)),
            max_in_flight: random.bool().then(|| random.u32(1..8)),
            is_faulty,
            lost,
            cut,
            twice,
            slow,
            faults: if is_faulty {
                random.usize(..=FAULTS)
            } else {
                0
            },
        }
    }

    /// Returns the limit of a scope, which is a path or a path and a period.
    pub(super) fn limit(&self, scope: &str) -> u64 {
        self.limits[usize::from(scope.starts_with(TENANT))]
    }

    pub(super) fn period(&self) -> Option<Period> {
        let span = self.period?;
        Some(Period::new(move |now| Window {
            name: (now / span).to_string(),
            from: now / span * span,
            until: (now / span + 1) * span,
        }))
    }
}

pub(super) fn credits(micros: u64) -> Credits {
    Credits::from_micros(micros)
}
