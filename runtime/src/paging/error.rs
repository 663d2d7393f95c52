//! Why a run through pages ended early, or could not give a record. Each says where to go on.

use std::fmt;

use crate::api::Operation;
use crate::course::Course;
use crate::error::Error;
use crate::records::Reject;
use crate::response::Response;

/// A run through pages that ended before the last one. Every record before [`offset`](Self::offset) was delivered.
#[derive(Debug)]
#[non_exhaustive]
pub struct PagingError {
    /// The operation that was called.
    pub operation: &'static Operation,
    /// Where to go on: the offset for a new run.
    pub offset: u64,
    /// Why there is no such page.
    pub cause: PagingCause,
}

/// Why a run through pages ended early.
#[derive(Debug)]
#[non_exhaustive]
pub enum PagingCause {
    /// The call of the page failed.
    Call(Error),
    /// The page is not the one that was asked for. It was paid for, and going on would pay for the same records again.
    Stalled {
        /// The offset that the page says it has; `None` when it says none or the right one, and begins with the record that the first page
        /// or the one before it began with.
        answered: Option<u64>,
        /// What came with the page, and its bytes.
        page: Box<Response<()>>,
    },
}

impl PagingError {
    pub(crate) fn call(&self) -> Option<&Error> {
        match &self.cause {
            PagingCause::Call(error) => Some(error),
            PagingCause::Stalled { .. } => None,
        }
    }

    pub(crate) fn answer(&self) -> Option<&Response<()>> {
        match &self.cause {
            PagingCause::Call(_) => None,
            PagingCause::Stalled { page, .. } => Some(page),
        }
    }
}

impl fmt::Display for PagingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            operation, offset, ..
        } = self;
        match &self.cause {
            PagingCause::Call(error) => write!(f, "no page from offset {offset} on: {error}"),
            PagingCause::Stalled {
                answered: Some(answered),
                ..
            } => write!(
                f,
                "{operation} was asked for the page at offset {offset} and answered with the one at {answered}"
            ),
            PagingCause::Stalled { answered: None, .. } => write!(
                f,
                "{operation} was asked for the page at offset {offset} and answered with one that begins as an earlier one does"
            ),
        }
    }
}

/// The message holds that of the call, so the chain goes on behind it.
impl std::error::Error for PagingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.call()?.source()
    }
}

/// A record that did not decode. The records after it follow: a stream that gave this error goes on.
#[derive(thiserror::Error)]
#[error("{operation}: the record before offset {offset} does not decode{}: {}", at(.reject), .reject.message)]
#[non_exhaustive]
pub struct RecordError {
    /// The operation that was called.
    pub operation: &'static Operation,
    /// Where to go on after the record, if the stream is given up.
    pub offset: u64,
    /// The record as the service sent it, and what does not fit.
    pub reject: Reject,
    pub(crate) course: Course,
}

fn at(reject: &Reject) -> String {
    match reject.path.as_str() {
        "" => String::new(),
        path => format!(" at `{path}`"),
    }
}

/// Without the record, which is about somebody.
impl fmt::Debug for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordError")
            .field("operation", &self.operation.id)
            .field("offset", &self.offset)
            .field("path", &self.reject.path)
            .field("message", &self.reject.message)
            .field("outcome", &self.course.outcome)
            .finish_non_exhaustive()
    }
}
