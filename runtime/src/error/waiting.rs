use std::fmt;

use crate::document::api::Operation;
use crate::error::Error;
use crate::response::response::Response;
use crate::secret::quotation::quote;

/// What was waited for did not come.
#[derive(Debug)]
#[non_exhaustive]
pub struct WaitingError {
    /// The operation that was asked how far it is.
    pub operation: &'static Operation,
    /// Why there is no point in asking again now.
    pub cause: WaitingCause,
    /// What came with the last answer to it, and its bytes; `None` when there was no answer.
    pub last: Option<Box<Response<()>>>,
}

/// Why a wait ended without what was waited for.
#[derive(Debug)]
#[non_exhaustive]
pub enum WaitingCause {
    /// The service says that it failed, and why.
    Failed {
        /// The reason, in the service's words.
        reason: String,
    },
    /// It was not done by the deadline. It may still come.
    Deadline,
    /// The service could not be asked. It may still come.
    Call(Error),
}

impl WaitingError {
    pub(crate) fn call(&self) -> Option<&Error> {
        match &self.cause {
            WaitingCause::Call(error) => Some(error),
            WaitingCause::Failed { .. } | WaitingCause::Deadline => None,
        }
    }
}

impl fmt::Display for WaitingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, .. } = self;
        match &self.cause {
            WaitingCause::Failed { reason } => write!(f, "{operation}: it failed{}", quote(reason)),
            WaitingCause::Deadline => write!(f, "{operation}: not done by the deadline"),
            WaitingCause::Call(error) => write!(f, "not known to be done: {error}"),
        }
    }
}

/// The message holds that of the call, so the chain goes on behind it.
impl std::error::Error for WaitingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.call()?.source()
    }
}
