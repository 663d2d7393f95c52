use std::error::Error;
use std::fmt;

use crate::api::Operation;
use crate::call::Course;

/// A request without an answer.
pub struct TransportError {
    kind: TransportErrorKind,
    source: Box<dyn Error + Send + Sync>,
    call: Option<(&'static Operation, Course)>,
}

/// How far a request got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// There was no connection, so nothing was sent. Only for what is sure: it is safe to send the request again.
    Connect,
    /// The request may have been sent, and the answer took too long.
    Timeout,
    /// The answer broke off in its body.
    Body,
    /// Anything else; the request may have been sent.
    Other,
}

impl TransportError {
    /// An error of a transport. The source is shown to people, so it should hold neither the address nor the headers of the request.
    pub fn new(kind: TransportErrorKind, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            kind,
            source: source.into(),
            call: None,
        }
    }

    /// How far the request got.
    pub fn kind(&self) -> TransportErrorKind {
        self.kind
    }

    /// The operation that was called; `None` until the error has passed through a client.
    pub fn operation(&self) -> Option<&'static Operation> {
        self.call.map(|(operation, _)| operation)
    }

    pub(crate) fn course(&self) -> Option<Course> {
        self.call.map(|(_, course)| course)
    }

    pub(crate) fn during(self, operation: &'static Operation, course: Course) -> Self {
        Self {
            call: Some((operation, course)),
            ..self
        }
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operation) = self.operation() {
            write!(f, "{operation}: ")?;
        }
        f.write_str(match self.kind {
            TransportErrorKind::Connect => "no connection, nothing was sent",
            TransportErrorKind::Timeout => "no answer in time",
            TransportErrorKind::Body => "the answer broke off",
            TransportErrorKind::Other => "the request failed",
        })
    }
}

impl fmt::Debug for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransportError")
            .field("kind", &self.kind)
            .field("operation", &self.operation().map(|operation| operation.id))
            .field("source", &self.source)
            .finish()
    }
}

impl Error for TransportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.source)
    }
}
