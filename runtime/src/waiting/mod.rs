//! Waiting for what a service does after it has answered: asking how far it is, until it is done.

mod wait;

pub use wait::{Polls, Wait, Waiter};
