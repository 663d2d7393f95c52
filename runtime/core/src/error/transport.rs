use std::error::Error;
use std::fmt;

use bytes::Bytes;

use super::cause;
use crate::document::api::Operation;
use crate::response::failure::TransportErrorKind;
use crate::response::history::CallHistory;
use crate::secret::key::ApiKey;

/// A request without a complete response.
pub struct TransportError {
    kind: TransportErrorKind,
    cause: Box<dyn Error + Send + Sync>,
    partial: Option<Box<http::Response<Bytes>>>,
    is_not_sent: bool,
    call: Option<Box<(&'static Operation, CallHistory)>>,
}

impl TransportError {
    /// Makes the error of a transport.
    ///
    /// The innermost message of `cause` and its sources becomes part of the message, on one line, up to 200 characters and without
    /// addresses. It should contain neither the address nor the headers of the request.
    pub fn new(kind: TransportErrorKind, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            kind,
            cause: cause.into(),
            partial: None,
            is_not_sent: false,
            call: None,
        }
    }

    /// Adds the part of the response that arrived before the failure: its status, its headers and the body so far.
    #[must_use]
    pub fn with_partial(self, partial: http::Response<Bytes>) -> Self {
        Self {
            partial: Some(Box::new(partial)),
            ..self
        }
    }

    /// Marks the error of a transport that fails without the service, such as one that only replays: nothing was sent. A
    /// [`TransportErrorKind::Connect`] needs no mark.
    #[must_use]
    pub fn not_sent(self) -> Self {
        Self {
            is_not_sent: true,
            ..self
        }
    }

    /// Returns whether the transport marked it as [`not_sent`](Self::not_sent).
    pub fn is_not_sent(&self) -> bool {
        self.is_not_sent
    }

    /// Returns how far the request got.
    pub fn kind(&self) -> TransportErrorKind {
        self.kind
    }

    /// Returns the underlying error, such as one of the operating system. It is not a [`source`](Error::source), because the message
    /// already includes it.
    pub fn cause(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.cause
    }

    /// Returns the part of the response that arrived: status, headers and the body so far. `None` if the headers are incomplete.
    pub fn partial(&self) -> Option<&http::Response<Bytes>> {
        self.partial.as_deref()
    }

    /// Returns the operation that was called; `None` until a client has passed on the error.
    pub fn operation(&self) -> Option<&'static Operation> {
        self.call.as_deref().map(|(operation, _)| *operation)
    }

    pub(crate) fn history(&self) -> Option<&CallHistory> {
        self.call.as_deref().map(|(_, history)| history)
    }

    pub(crate) fn partial_mut(&mut self) -> Option<&mut http::Response<Bytes>> {
        self.partial.as_deref_mut()
    }

    pub(crate) fn into_partial(self) -> Option<http::Response<Bytes>> {
        self.partial.map(|partial| *partial)
    }

    pub(crate) fn of_kind(self, kind: TransportErrorKind) -> Self {
        Self { kind, ..self }
    }

    /// Replaces a cause that shows a secret by its message without it: an address may contain the key in its query.
    pub(crate) fn guard(&mut self, secrets: &ApiKey) {
        if cause::shows(&*self.cause, secrets) {
            let line = cause::line(&*self.cause, Some(secrets));
            self.cause = line.unwrap_or_default().into();
        }
    }

    pub(crate) fn during(self, operation: &'static Operation, history: CallHistory) -> Self {
        Self {
            call: Some(Box::new((operation, history))),
            ..self
        }
    }
}

/// Returns the status and size of a partial response.
fn extent(partial: &http::Response<Bytes>) -> String {
    let (status, size) = (partial.status().as_u16(), partial.body().len());
    format!("status {status}, {size} bytes of the body")
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operation) = self.operation() {
            write!(f, "{operation}: ")?;
        }
        f.write_str(match self.kind {
            TransportErrorKind::Connect => "no connection, nothing was sent",
            TransportErrorKind::Timeout => "timed out before the response was complete",
            TransportErrorKind::Body => "the response broke off",
            TransportErrorKind::TooLarge => "the response is too large",
            TransportErrorKind::Other => "the request failed",
        })?;
        if let Some(cause) = cause::line(&*self.cause, None) {
            write!(f, ": {cause}")?;
        }
        if let Some(partial) = self.partial() {
            write!(f, " (arrived: {})", extent(partial))?;
        }
        match self.history() {
            Some(history) if history.is_body_spent => {
                f.write_str("; its body was sent and cannot be read again")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransportError")
            .field("kind", &self.kind)
            .field("operation", &self.operation().map(|operation| operation.id))
            .field("cause", &self.cause)
            .field("partial", &self.partial().map(extent))
            .finish()
    }
}

impl Error for TransportError {}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn the_message_names_the_cause() {
        let reset = io::Error::new(io::ErrorKind::ConnectionReset, "connection reset by peer");
        let error = TransportError::new(TransportErrorKind::Other, reset);
        assert_eq!(
            error.to_string(),
            "the request failed: connection reset by peer"
        );
        assert!(error.source().is_none() && error.cause().is::<io::Error>());
        let silent = TransportError::new(TransportErrorKind::Timeout, "");
        assert_eq!(
            silent.to_string(),
            "timed out before the response was complete"
        );
    }

    #[test]
    fn a_partial_response_is_kept_and_only_its_size_is_shown() {
        let arrived = http::Response::builder()
            .status(203)
            .header("x-secret", "canary-head")
            .body(Bytes::from_static(b"canary-body"))
            .unwrap();
        let error = TransportError::new(TransportErrorKind::Body, "cut").with_partial(arrived);
        let kept = error.partial().unwrap();
        assert_eq!((kept.status().as_u16(), kept.body().len()), (203, 11));
        assert_eq!(kept.headers()["x-secret"], "canary-head");
        assert_eq!(
            error.to_string(),
            "the response broke off: cut (arrived: status 203, 11 bytes of the body)"
        );
        let shown = format!("{error:?} {error:#?}");
        assert!(shown.contains("status 203, 11 bytes"), "{shown}");
        assert!(!shown.contains("canary"), "{shown}");
    }
}
