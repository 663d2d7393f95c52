//! How far a request without a complete response got.

/// How far a request got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// There was no connection, so nothing was sent. It is used only if that is certain: the request can be repeated safely.
    Connect,
    /// The request may have been sent, and the response took too long, or stalled.
    Timeout,
    /// The response ended inside its body.
    Body,
    /// The body is larger than [`ClientBuilder::max_response_bytes`](crate::ClientBuilder::max_response_bytes) allows.
    TooLarge,
    /// Anything else; the request may have been sent.
    Other,
}
