//! Scope of a comparison: the operation, and the ways of its messages.

use serde_json::Value;

use crate::verdicts::way;

/// An operation under comparison, or a part of it.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    /// Number of the operation.
    pub(super) operation: usize,
    /// Way of its requests: an operation's requests are sent, those of a webhook received.
    pub(super) request: u8,
    /// Way of its responses.
    pub(super) response: u8,
    /// Ways of the part.
    pub(super) ways: u8,
}

impl Scope {
    /// Creates the scope of an operation: of one that the client calls, it sends the requests.
    pub(super) fn new(operation: usize, is_called: bool) -> Self {
        let (request, response) = if is_called {
            (way::SENT, way::RECEIVED)
        } else {
            (way::RECEIVED, way::SENT)
        };
        Self {
            operation,
            request,
            response,
            ways: way::BOTH,
        }
    }

    /// Returns the scope of a part of both messages.
    pub(super) fn both(self) -> Self {
        Self {
            ways: way::BOTH,
            ..self
        }
    }

    /// Returns the scope of a part of the request.
    pub(super) fn requests(self) -> Self {
        Self {
            ways: self.request,
            ..self
        }
    }

    /// Returns the scope of a part of the response.
    pub(super) fn responses(self) -> Self {
        Self {
            ways: self.response,
            ..self
        }
    }

    /// Returns the scope of an operation that the other party calls.
    pub(super) fn turned(self) -> Self {
        Self {
            request: way::opposite(self.request),
            response: way::opposite(self.response),
            ..self
        }
    }
}

/// Path item with the template above it.
#[derive(Clone)]
pub(super) struct Item<'d> {
    pub(super) value: &'d Value,
    /// Parameter names of the template, in order.
    pub(super) names: Vec<&'d str>,
    /// True if a prefix of the path is part of the addresses in the other document.
    pub(super) is_moved: bool,
}

/// Operation of a path item.
#[derive(Clone, Copy)]
pub(super) struct Operation<'i, 'd> {
    pub(super) item: &'i Item<'d>,
    pub(super) value: &'d Value,
}

impl<'d> Item<'d> {
    /// Returns an operation of the path item.
    pub(super) fn with(&self, operation: &'d Value) -> Operation<'_, 'd> {
        Operation {
            item: self,
            value: operation,
        }
    }
}
