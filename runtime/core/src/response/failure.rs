//! How far a request got that has no whole response.

/// How far a request got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// There was no connection, so nothing was sent. Only for what is sure: it is safe to send the request again.
    Connect,
    /// The request may have been sent, and the response took too long, or stalled.
    Timeout,
    /// The response broke off in its body.
    Body,
    /// The body is larger than [`ClientBuilder::max_response_bytes`](crate::ClientBuilder::max_response_bytes) allows.
    TooLarge,
    /// Anything else; the request may have been sent.
    Other,
}
