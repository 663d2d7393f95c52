//! How a call went, for everything that reports on it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::interceptor::Record;
use crate::response::failure::TransportErrorKind;

/// How a call went, up to and including its last attempt.
#[derive(Debug, Clone)]
pub(crate) struct CallHistory {
    /// What the interceptor keeps of all attempts together.
    pub(crate) record: Option<Record>,
    /// How many were made.
    pub(crate) attempts: u32,
    /// What the service said about when to come back.
    pub(crate) retry_after: Option<Duration>,
    /// Whether the same call could be made again without doing something twice, and might work.
    pub(crate) is_retryable: bool,
    /// Whether the last response refused a token of a provider, and no other one was tried.
    pub(crate) is_token_refused: bool,
    /// Whether it could be attempted again, if its body could be read again.
    pub(crate) is_body_spent: bool,
    /// The attempts before the last one.
    pub(crate) earlier: Arc<[Attempt]>,
}

/// How far a call has come, for a caller whose call ends with the runtime that drove it.
#[derive(Debug, Default)]
pub(crate) struct Trail(Mutex<Option<CallHistory>>);

impl Trail {
    /// Notes how far the call has come.
    pub(crate) fn note(&self, course: CallHistory) {
        *self.lock() = Some(course);
    }

    /// How the call went, which is dropped by now; `None` when nothing was sent.
    pub(crate) fn end(&self) -> Option<CallHistory> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<CallHistory>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An attempt of a call that was followed by another one: what came of it, as far as it came.
#[derive(Clone)]
#[non_exhaustive]
pub struct Attempt {
    /// What the interceptor keeps of the call up to this attempt.
    pub(crate) record: Option<Record>,
    /// Why there is no whole response; `None` when there is one.
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
            earlier: Arc::default(),
        }
    }

    /// The course of a call that ends here, or for now.
    pub(crate) fn held(self, retry_after: Option<Duration>, is_retryable: bool) -> Self {
        Self {
            retry_after,
            is_retryable,
            ..self
        }
    }

    /// The course of a call whose next attempt is in flight, as far as it is known before it ends.
    pub(crate) fn in_flight(&self, record: Option<Record>) -> Self {
        Self {
            record,
            attempts: self.attempts.saturating_add(1),
            retry_after: None,
            is_retryable: false,
            ..self.clone()
        }
    }

    /// Whether the same call can be made again without doing something twice.
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
    /// What the [interceptor](crate::interceptor) keeps of the call up to this attempt; `None` without one.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }
}

/// Without what arrived, which may be personal data.
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
