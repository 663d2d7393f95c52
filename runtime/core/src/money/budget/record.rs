//! Entries of attempts, for a journal.

use std::error::Error;

use super::id::AtRiskId;
use super::risks::CallLabel;
use crate::money::credits::Credits;

/// Why no attempt can be recorded.
pub(crate) type Unrecorded = Box<dyn Error + Send + Sync>;

/// An attempt, before it is sent or when it ends.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(feature = "journal"),
    expect(dead_code, reason = "nothing reads it")
)]
pub(crate) struct Sent<'a> {
    /// The number that [`Recorder::sent`] returned; `None` if the attempt was not recorded before it was sent.
    pub(crate) number: Option<u64>,
    pub(crate) call: &'a CallLabel,
    pub(crate) reserved: Credits,
    /// The amount at risk if nothing more is known of it; `None`: any amount.
    pub(crate) at_risk: Option<Credits>,
}

/// The end of an attempt, or a later change of its cost.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(feature = "journal"),
    expect(dead_code, reason = "nothing reads it")
)]
pub(crate) enum Entry<'a> {
    /// It was charged this much.
    Charged(Sent<'a>, Credits),
    /// The recorded attempt with this number was not charged.
    Refunded(u64),
    /// It may have been charged.
    AtRisk(Sent<'a>, AtRiskId),
    /// The amount at risk of a call is this much.
    Repriced(AtRiskId, Credits),
    /// These calls were charged this much together, as a person says.
    Settled(&'a [AtRiskId], Credits),
    /// A later attempt with their idempotency key accounts for these calls.
    Replaced(&'a [AtRiskId]),
}

/// Records attempts. It must not panic, and not use a budget.
///
/// [`record`](Self::record) is called by one thread at a time, in the order in which the budget has changed. [`sent`](Self::sent) is called
/// before any entry of its attempt, and beside entries of others.
pub(crate) trait Recorder: Send + Sync {
    /// Returns why no further attempt can be recorded.
    fn check(&self) -> Result<(), Unrecorded>;

    /// Records an attempt before it is sent. Returns its number; `None` if it cannot be recorded.
    fn sent(&self, attempt: Sent<'_>) -> Option<u64>;

    /// Records a change of an attempt.
    fn record(&self, entry: Entry<'_>);
}
