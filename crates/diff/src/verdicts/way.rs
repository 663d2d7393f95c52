//! Ways in which a value is sent, as bits. A `not` reverses narrowing and widening, so the verdicts of a rule swap.

pub(crate) const SENT: u8 = 1;
pub(crate) const RECEIVED: u8 = 2;
pub(crate) const BOTH: u8 = 3;
pub(crate) const SENT_NOT: u8 = 4;
pub(crate) const RECEIVED_NOT: u8 = 8;
pub(crate) const ALL: u8 = 15;

/// Returns the way of the other party.
pub(crate) fn opposite(way: u8) -> u8 {
    ((way & SENT) << 1) | ((way & RECEIVED) >> 1)
}

/// Returns these ways, and the same below a `not`.
pub(super) fn with_not(way: u8) -> u8 {
    way | ((way & BOTH) << 2)
}
