//! Messages of waiting errors.

use std::fmt;

use crate::error::error::{Error, WaitingCause, WaitingError};
use crate::secret::quotation::{QUOTATION, beginning};

impl WaitingError {
    pub(crate) fn call(&self) -> Option<&Error> {
        match &self.cause {
            WaitingCause::Call(error) => Some(error),
            WaitingCause::Failed { .. } | WaitingCause::Deadline => None,
        }
    }

    /// Returns the service's reason in one line, without the key.
    pub(crate) fn reason(&self) -> String {
        match &self.cause {
            WaitingCause::Failed { reason } => beginning(reason.as_bytes(), QUOTATION, None),
            WaitingCause::Deadline | WaitingCause::Call(_) => String::new(),
        }
    }
}

impl fmt::Display for WaitingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, .. } = self;
        match &self.cause {
            WaitingCause::Failed { .. } => {
                write!(f, "{operation} failed; the error contains the reason")
            }
            WaitingCause::Deadline => write!(
                f,
                "{operation}: not done at the last poll before the deadline"
            ),
            WaitingCause::Call(error) => write!(f, "completion unknown: {error}"),
        }
    }
}

/// The message includes that of the call, so the chain continues behind it.
impl std::error::Error for WaitingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.call()?.source()
    }
}
