//! The one error type of a client. Variants are what a caller branches on: whose mistake it is, and whether the service answered.

mod answer;
mod argument;
mod configuration;
mod transport;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

pub use answer::{DecodeError, StatusError};
pub use argument::ArgumentError;
pub use configuration::ConfigurationError;
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
}
