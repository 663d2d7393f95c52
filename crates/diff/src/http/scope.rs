//! Scope of a comparison: the operation, and the ways of its messages.

use serde_json::Value;

use crate::verdicts::way;

/// An operation under comparison.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    /// Number of the operation.
    pub(super) operation: usize,
    /// Way of its requests: an operation's requests are sent, those of a webhook received.
    pub(super) request: u8,
    /// Way of its responses.
    pub(super) response: u8,
}

impl Scope {
    /// Reaches a difference in both ways.
    pub(super) fn both(self) -> Reached {
        self.by(way::BOTH)
    }

    /// Reaches a difference in these ways.
    pub(super) fn by(self, ways: u8) -> Reached {
        (self.operation, ways)
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

/// Operation that reaches a difference, and the ways in which it does.
pub(super) type Reached = (usize, u8);

/// Old and new version of a value.
pub(super) type Both<'d> = (&'d Value, &'d Value);

/// Path item with the document and template above it.
pub(super) struct Item<'d> {
    pub(super) value: &'d Value,
    /// Parameter names of the template, in order.
    pub(super) names: Vec<&'d str>,
    /// True if a prefix of the path is part of the addresses in the other document.
    pub(super) is_moved: bool,
}
