//! The end of a call.

use crate::response::history::CallHistory;
use crate::transport::body_stream::BodyStream;
use crate::transport::transport::TransportResult;

/// What the last attempt of a call brought.
pub(crate) struct Ended {
    /// Has no body if `body` streams it.
    pub(crate) response: TransportResult,
    /// The body of a success, streamed after its head.
    pub(crate) body: Option<BodyStream>,
    pub(crate) history: CallHistory,
}
