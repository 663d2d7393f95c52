//! The error of a record that does not decode.

use crate::decode::records::RejectedRecord;
use crate::document::api::Operation;
use crate::error::position::Position;
use crate::error::response::at;
use crate::response::history::CallHistory;

/// A record that does not decode. The stream continues with the records after it.
#[derive(thiserror::Error)]
#[error("{operation}: the record before offset {offset} does not decode{}: {}", at(&.reject.path), .reject.message)]
#[non_exhaustive]
pub struct RecordError {
    /// The operation that was called.
    pub operation: &'static Operation,
    /// The offset after the record, for a new run.
    pub offset: u64,
    /// The position after the record, for all paging styles.
    pub position: Position,
    /// The raw record and its mismatch.
    pub reject: RejectedRecord,
    pub(crate) history: CallHistory,
}
