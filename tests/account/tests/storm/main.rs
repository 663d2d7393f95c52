//! Storms over worker processes that spend from one account.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics is a test that fails"
)]

mod failover;
mod faults;
mod rounds;
mod storm;
mod workers;
