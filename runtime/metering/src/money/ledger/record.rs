//! Entries of calls, for a journal.

use super::risks::{AtRiskId, CallLabel};
use crate::money::credits::Credits;

/// A change of what calls have cost. A refund is none.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(feature = "journal"),
    expect(dead_code, reason = "nothing reads it")
)]
pub(crate) enum Entry<'a> {
    /// An attempt was charged this much.
    Charged(&'a CallLabel, Credits),
    /// An attempt may have been charged this much; `None` if its price is unknown and there is no limit.
    AtRisk(AtRiskId, &'a CallLabel, Option<Credits>),
    /// The amount at risk of a call is this much.
    Repriced(AtRiskId, Credits),
    /// These calls were charged this much together.
    Settled(&'a [AtRiskId], Credits),
    /// All calls at risk were charged this much together.
    Reconciled(Credits),
}

/// Takes entries. It is called where a call ends, and must not panic.
pub(super) type Recorder = Box<dyn Fn(Entry<'_>) + Send + Sync>;
