//! Storms over worker processes that spend from one account.

mod failover;
mod faults;
mod rounds;
#[expect(clippy::module_inception, reason = "the room has the name of its type")]
mod storm;
mod workers;
