//! Errors with a response. They keep it whole and print little of it: it can be large, and may be personal data.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::document::api::Operation;
use crate::response::history::CallHistory;

/// A response whose status is not 2xx. Redirects are among them: they are never followed, for they would take the key along.
#[derive(thiserror::Error)]
#[error("{operation} responded with {status}{excerpt}")]
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
    /// How the message goes on after the status; free of the key.
    pub(crate) excerpt: String,
    pub(crate) course: CallHistory,
}

/// A 2xx response whose body is not what the document says. It may have been paid for, so its bytes are here.
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
            .field("outcome", &self.course.outcome)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeError")
            .field("operation", &self.operation.id)
            .field("status", &self.status)
            .field("outcome", &self.course.outcome)
            .field("path", &self.path)
            .field("message", &self.message)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}
