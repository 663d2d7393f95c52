//! Paid calls of agents, by their names in the journal: number, tool and arguments.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use metered_client::journal::Journal;

use crate::run::lock;

/// The paid calls of a server, and of earlier ones with the same journal.
pub(super) struct PaidCalls {
    /// The number of the latest one.
    latest: AtomicU64,
    /// Calls in flight.
    in_flight: Mutex<BTreeSet<String>>,
}

/// A paid call that is about to be made.
pub(super) struct PaidCall<'c> {
    /// The input in the journal.
    pub(super) input: String,
    calls: &'c PaidCalls,
}

impl Drop for PaidCall<'_> {
    fn drop(&mut self) {
        lock(&self.calls.in_flight).remove(&self.input);
    }
}

impl PaidCalls {
    pub(super) fn of(journal: &Journal) -> Self {
        let unsure = journal.of_earlier(|earlier| earlier.unsure().map(number).max());
        let kept = journal.responses();
        let kept = kept.iter().map(|input| number(input)).max();
        Self {
            latest: AtomicU64::new(unsure.max(kept).unwrap_or_default()),
            in_flight: Mutex::default(),
        }
    }

    /// Returns the call of a tool: a lost one with the same arguments, if the service certainly remembers its idempotency key, or a new one.
    pub(super) fn call(
        &self,
        journal: &Journal,
        tool: &str,
        arguments: &str,
        window: Option<Duration>,
    ) -> PaidCall<'_> {
        let what = format!("{tool} {arguments}");
        let mut in_flight = lock(&self.in_flight);
        let lost = journal.of_earlier(|earlier| {
            let mut lost = earlier.unsure().filter(|input| !in_flight.contains(*input));
            let lost = lost.find(|input| {
                let is_same = input.split_once(' ').is_some_and(|(_, of)| of == what);
                is_same && earlier.lost_key(input, window).is_some()
            });
            lost.map(str::to_owned)
        });
        let input = lost.unwrap_or_else(|| {
            let number = self.latest.fetch_add(1, Ordering::Relaxed);
            format!("{:06} {what}", number.saturating_add(1))
        });
        in_flight.insert(input.clone());
        PaidCall { input, calls: self }
    }
}

/// Returns the number of a call, by its input in the journal.
pub(super) fn number(input: &str) -> u64 {
    let (number, _) = input.split_once(' ').unwrap_or_default();
    number.parse().unwrap_or_default()
}
