//! Rules, changes, and which operations a difference reaches.

pub(in crate::diff) mod change;
pub(in crate::diff) mod places;
pub(in crate::diff) mod reach;
pub(in crate::diff) mod rules;
pub(in crate::diff) mod say;
