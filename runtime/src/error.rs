//! The one error type of a client. Variants are what a caller branches on: whose mistake it is, and whether the service answered.

mod answer;
mod argument;
mod configuration;
mod held;
mod transport;

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::call::Course;
use crate::outcome::Outcome;

pub use answer::{DecodeError, StatusError};
pub use argument::ArgumentError;
pub use configuration::ConfigurationError;
pub use held::{BudgetExceeded, Postponed};
pub use transport::{TransportError, TransportErrorKind};

/// Why a client could not be built, or a call gave no body.
///
/// Messages name the operation and its path template, never the address that was called: it says whom the caller looks at. No message, and
/// no `Debug` output, holds the API key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The client cannot be built like this.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// An argument cannot be sent. Nothing was.
    #[error(transparent)]
    Argument(#[from] ArgumentError),
    /// The budget has no room for the call.
    #[error(transparent)]
    Budget(#[from] Box<BudgetExceeded>),
    /// The call's turn would come after its deadline.
    #[error(transparent)]
    Postponed(#[from] Box<Postponed>),
    /// There is no answer, or only part of one.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The answer's status is not 2xx, whatever its body.
    #[error(transparent)]
    Status(Box<StatusError>),
    /// The answer's status is 2xx, and its body is not what the document says.
    #[error(transparent)]
    Decode(Box<DecodeError>),
}

impl Error {
    /// The id of the operation that was called; `None` when no call was made.
    pub fn operation(&self) -> Option<&'static str> {
        match self {
            Self::Configuration(_) => None,
            Self::Argument(error) => Some(error.operation().id),
            Self::Budget(error) => Some(error.operation().id),
            Self::Postponed(error) => Some(error.operation().id),
            Self::Transport(error) => error.operation().map(|operation| operation.id),
            Self::Status(error) => Some(error.operation.id),
            Self::Decode(error) => Some(error.operation.id),
        }
    }

    /// The status of the answer, when there is one.
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Status(error) => Some(error.status),
            Self::Decode(error) => Some(error.status),
            _ => None,
        }
    }

    /// The headers of the answer, when there is one.
    pub fn headers(&self) -> Option<&HeaderMap> {
        match self {
            Self::Status(error) => Some(&error.headers),
            Self::Decode(error) => Some(&error.headers),
            _ => None,
        }
    }

    /// The body of the answer as the service sent it, when there is one.
    pub fn body(&self) -> Option<&Bytes> {
        match self {
            Self::Status(error) => Some(&error.body),
            Self::Decode(error) => Some(&error.body),
            _ => None,
        }
    }

    /// JSON Pointer to what does not decode, for [`Error::Decode`]; empty for the body as a whole.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Decode(error) => Some(&error.path),
            _ => None,
        }
    }

    /// What the call did to the caller's money, all its attempts together.
    pub fn outcome(&self) -> Outcome {
        self.course()
            .map_or(Outcome::NotSent, |course| course.outcome)
    }

    /// Whether making the same call again could be a second charge.
    pub fn may_have_been_charged(&self) -> bool {
        self.outcome().may_have_been_charged()
    }

    /// Whether the same call may work later, and cannot be a second charge.
    pub fn is_retryable(&self) -> bool {
        self.course()
            .is_some_and(|course| course.is_retryable && !course.outcome.may_have_been_charged())
    }

    /// How long the service asked to wait; `None` when it did not ask.
    pub fn retry_after(&self) -> Option<Duration> {
        self.course()?.retry_after
    }

    /// How many attempts were made; zero when nothing was sent to the transport.
    pub fn attempts(&self) -> u32 {
        self.course().map_or(0, |course| course.attempts)
    }

    fn course(&self) -> Option<Course> {
        match self {
            Self::Configuration(_) | Self::Argument(_) => None,
            Self::Budget(error) => Some(error.course),
            Self::Postponed(error) => Some(error.course),
            Self::Transport(error) => error.course(),
            Self::Status(error) => Some(error.course),
            Self::Decode(error) => Some(error.course),
        }
    }
}
