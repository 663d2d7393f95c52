//! Why a run through pages ended early, or could not give a record. Each says where to go on.

use std::fmt;

use crate::decode::records::Reject;
use crate::document::api::Operation;
use crate::error::Error;
use crate::response::history::Course;
use crate::response::response::Response;

/// A run through pages that ended before the last one, or with fewer records than were promised. All records that came before
/// [`offset`](Self::offset) were delivered.
#[derive(Debug)]
#[non_exhaustive]
pub struct PagingError {
    /// The operation that was called.
    pub operation: &'static Operation,
    /// Where to go on: the offset for a new run, which is charged anew. It never lies before a record that was delivered, except in a page of
    /// several lists, where it is the end of the list that lags behind.
    pub offset: u64,
    /// Where the first record stands that did not come although a total, or a record behind it, promised it; `None` when none is missing
    /// before [`offset`](Self::offset) or at it. It lies before the offset only when a page has several lists and one ended short while others
    /// went on: a run from here pays for the records of these again.
    pub missing: Option<u64>,
    /// Why the run ended.
    pub cause: PagingCause,
}

/// Why a run through pages ended early.
#[derive(Debug)]
#[non_exhaustive]
pub enum PagingCause {
    /// The call of the page failed.
    Call(Error),
    /// The page is not the one that was asked for. It was paid for, and going on would pay for the same records again. `take_refused` of the
    /// stream gives its records.
    #[non_exhaustive]
    Stalled {
        /// The offset that the page says it has; `None` when it says none or the right one.
        answered: Option<u64>,
        /// The offset of the earlier page of the run whose records came again, byte for byte; `None` when they did not.
        repeats: Option<u64>,
        /// Where to go on instead for a caller who uses the records of this page: the offset after them.
        after: u64,
        /// What came with the page, and its bytes.
        page: Box<Response<()>>,
    },
    /// The pages ended, by the last total or by a page without records, and fewer records came than the highest total of the run promised.
    /// All that came were delivered.
    #[non_exhaustive]
    Short {
        /// How many records were promised from the start of the run on, by the highest total of each list.
        promised: u64,
        /// How many of them came.
        received: u64,
        /// What came with the last page, and its bytes. `take_refused` of the stream gives it when it has no records.
        page: Box<Response<()>>,
    },
}

impl PagingError {
    pub(crate) fn call(&self) -> Option<&Error> {
        match &self.cause {
            PagingCause::Call(error) => Some(error),
            PagingCause::Stalled { .. } | PagingCause::Short { .. } => None,
        }
    }

    pub(crate) fn answer(&self) -> Option<&Response<()>> {
        match &self.cause {
            PagingCause::Call(_) => None,
            PagingCause::Stalled { page, .. } | PagingCause::Short { page, .. } => Some(page),
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
                answered,
                repeats,
                after,
                ..
            } => {
                write!(
                    f,
                    "{operation} was asked for the page at offset {offset} and sent "
                )?;
                match (answered, repeats) {
                    (Some(answered), _) => write!(f, "the one at {answered}")?,
                    (None, Some(earlier)) => write!(f, "the records of the one at {earlier}")?,
                    (None, None) => write!(f, "another one")?,
                }
                write!(
                    f,
                    "; start a new run at {offset}, or at {after} after using the records of `take_refused`"
                )
            }
            PagingCause::Short {
                promised, received, ..
            } => {
                write!(
                    f,
                    "{operation} promised {promised} records and sent {received}; start a new run at {offset}, and stop when a run delivers nothing"
                )
            }
        }?;
        match self.missing.filter(|missing| missing < offset) {
            Some(missing) => write!(
                f,
                " (records of a list are missing from offset {missing} on)"
            ),
            None => Ok(()),
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
