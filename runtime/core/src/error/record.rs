//! A record that could not be given.

use std::fmt;

use crate::decode::records::RejectedRecord;
use crate::document::api::Operation;
use crate::error::position::Position;
use crate::response::history::CallHistory;

/// A record that did not decode. The records after it follow: a stream that gave this error goes on.
#[derive(thiserror::Error)]
#[error("{operation}: the record before offset {offset} does not decode{}: {}", at(.reject), .reject.message)]
#[non_exhaustive]
pub struct RecordError {
    /// The operation that was called.
    pub operation: &'static Operation,
    /// Where to go on after the record, if the stream is given up.
    pub offset: u64,
    /// The same, for streams of any kind of pages.
    pub position: Position,
    /// The record as the service sent it, and what does not fit.
    pub reject: RejectedRecord,
    pub(crate) course: CallHistory,
}

fn at(reject: &RejectedRecord) -> String {
    match reject.path.as_str() {
        "" => String::new(),
        path => format!(" at `{path}`"),
    }
}

/// Without the record, which may be personal data.
impl fmt::Debug for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordError")
            .field("operation", &self.operation.id)
            .field("offset", &self.offset)
            .field("path", &self.reject.path)
            .field("message", &self.reject.message)
            .field("record", &self.course.record)
            .finish_non_exhaustive()
    }
}
