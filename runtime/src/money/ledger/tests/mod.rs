//! The book on its own, and the ledger as its users see it: waiting on an executor, at random, and under every schedule that a model checker thinks of.

mod book;
pub(super) mod model;
mod random;
mod waiting;

use crate::money::credits::Credits;

fn of(micros: u64) -> Credits {
    Credits::from_micros(micros)
}
