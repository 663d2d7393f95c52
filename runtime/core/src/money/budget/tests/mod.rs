//! Tests of the book alone, and of the budget: on an executor, with random steps, and under random schedules of a model checker.

mod book;
pub(crate) mod model;
mod random;
mod waiting;

use crate::money::credits::Credits;

fn of(micros: u64) -> Credits {
    Credits::from_micros(micros)
}
