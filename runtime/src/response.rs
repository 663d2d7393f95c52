//! What a call gives back when it worked.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::call::Course;
use crate::credits::Credits;
use crate::outcome::Outcome;

/// The answer to a call: decoded, and as it came.
#[non_exhaustive]
pub struct Response<T> {
    /// The decoded body.
    pub body: T,
    /// What came with the body.
    pub meta: Meta,
    /// The body's bytes as the service sent them.
    pub raw: Bytes,
}

/// What came with a body.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Meta {
    /// The status, always 2xx.
    pub status: StatusCode,
    /// The headers of the answer.
    pub headers: HeaderMap,
    /// What the body says the call cost; `None` when it does not say.
    pub credits_consumed: Option<Credits>,
    /// What all attempts of the call together did to the money.
    pub outcome: Outcome,
    /// How many attempts were made.
    pub attempts: u32,
}

impl Meta {
    /// How the call went, for an error about its answer.
    pub(crate) fn course(&self) -> Course {
        Course {
            outcome: self.outcome,
            attempts: self.attempts,
            retry_after: None,
            is_retryable: false,
            reported: self.credits_consumed,
        }
    }
}

impl<T> Response<T> {
    /// The decoded body alone.
    pub fn into_body(self) -> T {
        self.body
    }

    /// The same answer with another view of its body.
    pub fn map<U>(self, view: impl FnOnce(T) -> U) -> Response<U> {
        Response {
            body: view(self.body),
            meta: self.meta,
            raw: self.raw,
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Response<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("body", &self.body)
            .field("meta", &self.meta)
            .field("raw", &format_args!("{} bytes", self.raw.len()))
            .finish()
    }
}
