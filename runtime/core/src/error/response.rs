//! Errors with a response. They keep all of it and print little: it can be large or personal data.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use crate::decode::decode::decode_whole;
use crate::document::api::Operation;
use crate::response::history::CallHistory;
use crate::secret::conceal::concealing;
use crate::secret::key::ApiKey;
use crate::secret::quotation::{POINTER, QUOTATION, beginning, escaped, redact, shortened};

/// A response whose status is not 2xx, including redirects that are not followed.
#[derive(thiserror::Error)]
#[error("{operation} responded with {status}{advice}")]
#[non_exhaustive]
pub struct StatusError {
    /// The operation that was called.
    pub operation: &'static Operation,
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The raw body.
    pub body: Bytes,
    /// The message after the status. It quotes no body: services repeat arguments there.
    pub(crate) advice: String,
    pub(crate) history: CallHistory,
    /// The secrets to be removed from messages about the body.
    pub(crate) key: Option<Arc<ApiKey>>,
}

/// An error body that does not decode as the requested type. [`Error::body`](crate::Error::body) has its bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the body of the error response does not decode{}: {message}",
    at(path)
)]
#[non_exhaustive]
pub struct BodyError {
    /// JSON Pointer to the value that does not decode; empty for the complete body.
    pub path: String,
    /// The expected and the actual value, in one line of at most about 400 characters, without the API key.
    pub message: String,
}

impl StatusError {
    /// Returns the beginning of the body, in one line of at most 200 characters without the API key; empty if the body is. It may identify
    /// people or companies, so messages leave it out.
    pub fn excerpt(&self) -> String {
        beginning(&self.body, QUOTATION, self.key.as_deref())
    }

    /// Decodes the body with the tolerance of any other response, but without leaving out what does not match. The documentation of `send` lists
    /// the type of each status.
    ///
    /// # Errors
    ///
    /// The body is not a valid `T`.
    pub fn body_as<T: DeserializeOwned>(&self) -> Result<T, BodyError> {
        let key = self.key.as_ref();
        concealing(key, || decode_whole(&self.body)).map_err(|located| {
            let key = key.map(Arc::as_ref);
            BodyError {
                path: escaped(&redact(&located.pointer, key), POINTER),
                message: shortened(&located.message, key),
            }
        })
    }
}

/// A 2xx response whose body does not match the document. The bytes are kept.
#[derive(thiserror::Error)]
#[error(
    "{operation} responded with {status} with a body that does not decode{}: {message}",
    at(path)
)]
#[non_exhaustive]
pub struct DecodeError {
    /// The operation that was called.
    pub operation: &'static Operation,
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The raw body.
    pub body: Bytes,
    /// JSON Pointer to the value that does not decode; empty for the complete body. If it is longer than 200 characters, its middle is cut.
    /// Control characters are escaped.
    pub path: String,
    /// The expected and the actual value, in one line of at most about 400 characters. For an unexpected object, it lists the first member
    /// names.
    pub message: String,
    pub(crate) history: CallHistory,
}

pub(super) fn at(path: &str) -> String {
    match path {
        "" => String::new(),
        path => format!(" at `{path}`"),
    }
}
