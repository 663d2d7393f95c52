//! Accounts of many processes: guarantees of the store in Redis.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics is a test that fails"
)]

mod cache;
mod crashes;
mod histories;
mod lost;
mod money;
mod outages;
mod periods;
mod prices;
mod servers;
mod simulation;
mod steps;
mod support;
mod turns;
