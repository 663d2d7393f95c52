//! Errors with a response. They keep it whole and print little of it: it can be large, and may be personal data.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use crate::decode::decode::decode;
use crate::document::api::Operation;
use crate::response::history::CallHistory;
use crate::secret::conceal::concealing;
use crate::secret::key::ApiKey;
use crate::secret::quotation::{POINTER, QUOTATION, beginning, escaped, redact, shortened};

/// A response whose status is not 2xx. Redirects that are not followed are among them.
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
    /// The body as the service sent it.
    pub body: Bytes,
    /// How the message goes on after the status. Nothing of the body: services repeat there what they were asked for.
    pub(crate) advice: String,
    pub(crate) course: CallHistory,
    /// What no message about the body is to show.
    pub(crate) key: Option<Arc<ApiKey>>,
}

/// The body of an error response that is not what was asked for. [`Error::body`](crate::Error::body) has its bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the body of the error response does not decode{}: {message}",
    at(path)
)]
#[non_exhaustive]
pub struct BodyError {
    /// JSON Pointer to what does not decode; empty for the body as a whole.
    pub path: String,
    /// What was expected and what came, in one line of at most about 400 characters, without the API key.
    pub message: String,
}

impl StatusError {
    /// The beginning of the body, in one line of at most 200 characters without the API key; empty where the body is. It may name whom the
    /// call was about, which is why no message has it.
    pub fn excerpt(&self) -> String {
        beginning(&self.body, QUOTATION, self.key.as_deref())
    }

    /// Decodes the body, with the tolerance of any other response. The documentation of `send` says which type belongs to which status.
    ///
    /// # Errors
    ///
    /// The body is no `T`.
    pub fn body_as<T: DeserializeOwned>(&self) -> Result<T, BodyError> {
        let key = self.key.as_ref();
        concealing(key, || decode(&self.body)).map_err(|located| {
            let key = key.map(Arc::as_ref);
            BodyError {
                path: escaped(&redact(&located.pointer, key), POINTER),
                message: shortened(&located.message, key),
            }
        })
    }
}

/// A 2xx response whose body is not what the document says. Its bytes are here.
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
    /// The body as the service sent it.
    pub body: Bytes,
    /// JSON Pointer to what does not decode; empty for the body as a whole. Of one of more than 200 characters, the beginning and the
    /// end; control characters are escaped.
    pub path: String,
    /// What was expected and what came, in one line of at most about 400 characters. Of an object that is another one, the names of
    /// its first members.
    pub message: String,
    pub(crate) course: CallHistory,
}

fn at(path: &str) -> String {
    match path {
        "" => String::new(),
        path => format!(" at `{path}`"),
    }
}

impl fmt::Debug for StatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatusError")
            .field("operation", &self.operation.id)
            .field("status", &self.status)
            .field("record", &self.course.record)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeError")
            .field("operation", &self.operation.id)
            .field("status", &self.status)
            .field("record", &self.course.record)
            .field("path", &self.path)
            .field("message", &self.message)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}
