//! The history of a call, for reports.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;
#[cfg(feature = "cache")]
use std::time::SystemTime;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::interceptor::Record;
use crate::response::failure::TransportErrorKind;

/// The history of a call, up to and including its last attempt.
#[derive(Debug, Clone)]
pub(crate) struct CallHistory {
    /// The interceptor's record of all attempts.
    pub(crate) record: Option<Record>,
    /// The number of attempts.
    pub(crate) attempts: u32,
    /// The pause that the service asked for.
    pub(crate) retry_after: Option<Duration>,
    /// True if the same call may succeed, and repeating it has no further effect.
    pub(crate) is_retryable: bool,
    /// True if the last response refused a provider's token, and no other token was tried.
    pub(crate) is_token_refused: bool,
    /// True if only the consumed body prevents a retry.
    pub(crate) is_body_spent: bool,
    /// The key that all attempts carry, where the operation has one.
    #[cfg(feature = "idempotency")]
    pub(crate) idempotency_key: Option<Arc<str>>,
    /// When the response arrived, if it was stored.
    #[cfg(feature = "cache")]
    pub(crate) stored_at: Option<SystemTime>,
    /// The attempts before the last one.
    pub(crate) earlier: Arc<[Attempt]>,
}

/// An attempt that was followed by another one, with the part of its response that arrived.
#[derive(Clone)]
#[non_exhaustive]
pub struct Attempt {
    /// The interceptor's record of the call up to this attempt.
    pub(crate) record: Option<Record>,
    /// The failure of the transport; `None` if there is a complete response.
    pub failure: Option<TransportErrorKind>,
    /// The status, if it arrived.
    pub status: Option<StatusCode>,
    /// The headers that arrived.
    pub headers: HeaderMap,
    /// The bytes of the body that arrived.
    pub body: Bytes,
}

impl CallHistory {
    pub(crate) fn start() -> Self {
        Self {
            record: None,
            attempts: 0,
            retry_after: None,
            is_retryable: true,
            is_token_refused: false,
            is_body_spent: false,
            #[cfg(feature = "idempotency")]
            idempotency_key: None,
            #[cfg(feature = "cache")]
            stored_at: None,
            earlier: Arc::default(),
        }
    }

    /// Returns the history of a call that ends or waits here.
    pub(crate) fn with_retry(self, retry_after: Option<Duration>, is_retryable: bool) -> Self {
        Self {
            retry_after,
            is_retryable,
            ..self
        }
    }

    /// Returns the history of a call whose next attempt is in flight.
    pub(crate) fn in_flight(&self, record: Option<Record>) -> Self {
        Self {
            record: record.or_else(|| self.record.clone()),
            attempts: self.attempts.saturating_add(1),
            retry_after: None,
            is_retryable: false,
            ..self.clone()
        }
    }

    /// Returns whether the response was stored.
    #[cfg(feature = "journal")]
    pub(crate) fn is_stored(&self) -> bool {
        #[cfg(feature = "cache")]
        return self.stored_at.is_some();
        #[cfg(not(feature = "cache"))]
        false
    }

    /// Returns whether repeating the call has no further effect.
    pub(crate) fn is_repeatable(&self) -> bool {
        let record = self.record.as_ref();
        record.is_none_or(|record| record.is_repeatable())
    }

    /// Keeps an attempt that is followed by another one.
    pub(crate) fn keep(&mut self, attempt: Attempt) {
        let earlier = self.earlier.iter().cloned();
        self.earlier = earlier.chain([attempt]).collect();
    }
}

impl Attempt {
    /// Returns the [interceptor's](crate::interceptor) record of the call up to this attempt; `None` without an interceptor.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }
}

/// Leaves out the received data, which may be personal.
impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("record", &self.record)
            .field("failure", &self.failure)
            .field("status", &self.status)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}
