//! What calls cost: quotes and prices before a call, reservations and charges of a [`Ledger`](crate::Ledger) after it.
//!
//! [`Credits`](crate::Credits), [`Ledger`](crate::Ledger) and [`Outcome`](crate::Outcome) stand at the root of the crate.

pub(crate) mod credits;
pub(crate) mod ledger;
pub(crate) mod outcome;
pub(crate) mod quote;
pub(crate) mod report;

pub use ledger::{Amount, AtRisk, AtRiskId, CallLabel, Reservation, Usage};
pub use quote::{LargestPage, PriceSource, Quote, SeenPrice};
