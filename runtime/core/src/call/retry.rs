//! The retry table: which results are retried. The documentation of `RetryPolicy` repeats it.

use std::time::Duration;

use http::{HeaderMap, StatusCode};

use crate::call::retry_after::retry_after;
use crate::interceptor::Repetition;
use crate::request::options::RetryPolicy;
use crate::response::failure::TransportErrorKind;
use crate::transport::transport::TransportResult;

/// The end of an attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AttemptResult {
    /// No complete response.
    Failed { kind: TransportErrorKind },
    Responded {
        status: StatusCode,
        retry_after: Option<Duration>,
        /// `x-should-retry`.
        advice: Option<bool>,
    },
}

impl AttemptResult {
    pub(crate) fn of(response: &TransportResult) -> Self {
        match response {
            Err(error) => Self::Failed { kind: error.kind() },
            Ok(response) => {
                let headers = response.headers();
                Self::Responded {
                    status: response.status(),
                    retry_after: retry_after(headers),
                    advice: advice(headers),
                }
            }
        }
    }

    /// Returns the `Retry-After` of the response; of a 429 also the time at which its limit starts again.
    pub(crate) fn retry_after(self) -> Option<Duration> {
        match self {
            Self::Responded { retry_after, .. } => retry_after,
            Self::Failed { .. } => None,
        }
    }

    fn status(self) -> Option<StatusCode> {
        match self {
            Self::Responded { status, .. } => Some(status),
            Self::Failed { .. } => None,
        }
    }

    #[cfg(feature = "tokens")]
    pub(crate) fn is_unauthorized(self) -> bool {
        self.status() == Some(StatusCode::UNAUTHORIZED)
    }

    pub(crate) fn is_too_many_requests(self) -> bool {
        self.status() == Some(StatusCode::TOO_MANY_REQUESTS)
    }
}

/// Returns the service's own advice about another attempt.
fn advice(headers: &HeaderMap) -> Option<bool> {
    match headers.get("x-should-retry")?.as_bytes() {
        b"true" => Some(true),
        b"false" => Some(false),
        _ => None,
    }
}

/// The retry class of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetryClass {
    /// The service has certainly not processed the request.
    Yes,
    /// The service may have processed it.
    IfIdempotent,
    No,
}

/// Looks up the retry table.
pub(crate) fn rule(ending: AttemptResult) -> RetryClass {
    match ending {
        AttemptResult::Failed { kind } => match kind {
            TransportErrorKind::Connect => RetryClass::Yes,
            // A retry would get a response of the same size.
            TransportErrorKind::TooLarge => RetryClass::No,
            _ => RetryClass::IfIdempotent,
        },
        AttemptResult::Responded {
            advice: Some(false),
            ..
        } => RetryClass::No,
        AttemptResult::Responded {
            status,
            retry_after,
            advice,
        } => match status.as_u16() {
            429 => RetryClass::Yes,
            503 if retry_after.is_some() => RetryClass::Yes,
            408 | 500 | 502 | 503 | 504 => RetryClass::IfIdempotent,
            // Credentials that were refused are refused again.
            401 | 403 => RetryClass::No,
            // It says nothing of what the request has done already.
            400.. if advice == Some(true) => RetryClass::IfIdempotent,
            _ => RetryClass::No,
        },
    }
}

impl RetryPolicy {
    /// `is_idempotent`: repeating the request has no further effect.
    pub(crate) fn allows(
        self,
        again: RetryClass,
        repetition: Repetition,
        is_idempotent: bool,
    ) -> bool {
        match (self, again, repetition) {
            (Self::Never, _, _) | (_, RetryClass::No, _) | (_, _, Repetition::Never) => false,
            (_, RetryClass::Yes, _) | (Self::Always, RetryClass::IfIdempotent, _) => true,
            (Self::Standard, RetryClass::IfIdempotent, repetition) => {
                is_idempotent && repetition == Repetition::Free
            }
        }
    }
}
