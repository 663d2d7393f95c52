//! The ledger as its users see it: waiting on an executor, at random, and under every schedule that a model checker thinks of.

pub(super) mod model;
mod random;
mod waiting;

use crate::money::credits::Credits;

fn of(micros: u64) -> Credits {
    Credits::from_micros(micros)
}
