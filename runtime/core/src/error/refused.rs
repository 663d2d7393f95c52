//! Errors of attempts that were not made: the interceptor refused them, or the deadline expired.

use std::fmt;
use std::time::Duration;

use crate::document::api::Operation;
use crate::response::history::CallHistory;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delay {
    /// The client cools down for this long.
    CoolDown(Duration),
    /// The deadline expired while the call waited for this.
    Waiting(&'static str),
    /// The deadline had expired before the call waited for anything.
    Deadline,
}

/// The [interceptor](crate::interceptor) of the client refused a call. This attempt was not made; earlier attempts of the call may have
/// been.
#[derive(thiserror::Error)]
#[error("{operation} was not sent{}: {cause}", again(.history))]
pub struct Refused {
    operation: &'static Operation,
    pub(crate) history: CallHistory,
    kind: &'static str,
    cause: Box<dyn std::error::Error + Send + Sync>,
}

impl Refused {
    pub(crate) fn new(
        operation: &'static Operation,
        history: CallHistory,
        kind: &'static str,
        cause: Box<dyn std::error::Error + Send + Sync>,
    ) -> Box<Self> {
        Box::new(Self {
            operation,
            history,
            kind,
            cause,
        })
    }

    /// Returns the operation that was to be called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Returns the kind of the refusal: the attribute `error.type` of its span.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns the reason, in the interceptor's own error type.
    pub fn cause(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        &*self.cause
    }
}

/// The client is rate limited for longer than the call may wait, or the deadline expired before the request could be sent. This attempt was
/// not made; earlier attempts of the call may have been.
#[derive(thiserror::Error)]
#[error("{operation} was not sent{}: {}", again(.history), delay)]
pub struct DeadlineExceeded {
    operation: &'static Operation,
    pub(crate) history: CallHistory,
    delay: Delay,
}

impl DeadlineExceeded {
    pub(crate) fn new(
        operation: &'static Operation,
        history: CallHistory,
        delay: Delay,
    ) -> Box<Self> {
        let hint = match delay {
            Delay::CoolDown(pause) => Some(pause),
            _ => None,
        };
        Box::new(Self {
            operation,
            history: history.with_retry(hint, true),
            delay,
        })
    }

    /// Returns the operation that was to be called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }
}

/// Returns the word that distinguishes this attempt from earlier ones, which were sent.
pub(super) fn again(history: &CallHistory) -> &'static str {
    match history.attempts {
        0 => "",
        _ => " again",
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CoolDown(pause) => {
                // Rounded up, so that the cool-down is over by then.
                let seconds = pause.saturating_add(Duration::from_millis(999)).as_secs();
                write!(f, "rate limited for another {seconds} s")
            }
            Self::Waiting(what) => write!(f, "its deadline passed while it waited for {what}"),
            Self::Deadline => f.write_str("its deadline has passed"),
        }
    }
}
