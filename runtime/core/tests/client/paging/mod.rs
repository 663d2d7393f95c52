//! Runs through the pages of an operation.

mod bounds;
mod early_ends;
mod errors;
mod lists;
mod memory;
mod streams;

use crate::support::things::{Service, page};

/// Returns a service with seven things in three pages.
fn seven() -> Service {
    Service::of([
        page("0", "7", &["0", "1", "2"]),
        page("3", "7", &["3", "4", "5"]),
        page("6", "7", &["6"]),
    ])
}
