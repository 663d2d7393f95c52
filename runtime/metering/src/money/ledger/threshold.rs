//! Thresholds: a callback runs when a part of a limit is used up.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use super::account::Usage;
use super::accounts::AccountId;

/// A part of a limit that is used up; see [`Ledger::on_threshold`](crate::Ledger::on_threshold).
///
/// ```
/// use metered_client::money::Threshold;
///
/// fn alert(reached: Threshold) {
///     println!("{} % of {:?} are used", reached.percent, reached.usage.limit);
/// }
/// # metered_client::Ledger::unlimited().on_threshold(80, alert);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Threshold {
    /// The part, in percent of the limit.
    pub percent: u8,
    /// The usage at that time.
    pub usage: Usage,
}

/// One threshold of one ledger.
pub(super) struct Watch {
    pub(super) account: AccountId,
    percent: u8,
    is_reached: AtomicBool,
    tell: Box<dyn Fn(Threshold) + Send + Sync>,
}

impl Watch {
    pub(super) fn new(
        account: AccountId,
        percent: u8,
        tell: impl Fn(Threshold) + Send + Sync + 'static,
    ) -> Self {
        Self {
            account,
            percent,
            is_reached: AtomicBool::new(false),
            tell: Box::new(tell),
        }
    }

    /// Reports the threshold the first time that it is reached.
    pub(super) fn look(&self, usage: Usage) {
        if usage.has_used(self.percent) && !self.is_reached.swap(true, Ordering::Relaxed) {
            (self.tell)(Threshold {
                percent: self.percent,
                usage,
            });
        }
    }

    /// Reports it again after the limit was raised above it.
    pub(super) fn start_again(&self, usage: Usage) {
        if !usage.has_used(self.percent) {
            self.is_reached.store(false, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watch").field(&self.percent).finish()
    }
}
