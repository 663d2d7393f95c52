//! Waiting for what a service does after its response: polling until it is done.

mod wait;

pub use wait::{Polls, Wait, Waiter};
