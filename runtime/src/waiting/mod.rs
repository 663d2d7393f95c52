//! Waiting for what a service does after it has answered: asking how far it is, until it is done.

mod error;
mod wait;

pub use error::{WaitingCause, WaitingError};
pub use wait::{Polls, Wait, Waiter};
