//! Where a comparison of operations stands.

use serde_json::Value;

use crate::verdicts::way;

/// An operation under comparison.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    /// Its number.
    pub(super) operation: usize,
    /// The way of its requests: what is sent of an operation is received of a webhook.
    pub(super) request: u8,
    /// The way of its responses.
    pub(super) response: u8,
}

impl Scope {
    /// Reaches a difference whatever way the value travels.
    pub(super) fn both(self) -> Reached {
        self.by(way::BOTH)
    }

    /// Reaches a difference in these ways.
    pub(super) fn by(self, ways: u8) -> Reached {
        (self.operation, ways)
    }

    /// The scope of an operation that the other party calls.
    pub(super) fn turned(self) -> Self {
        Self {
            request: way::opposite(self.request),
            response: way::opposite(self.response),
            ..self
        }
    }
}

/// An operation that reaches a difference, and the ways in which it does.
pub(super) type Reached = (usize, u8);

/// Both versions of something.
pub(super) type Both<'d> = (&'d Value, &'d Value);

/// A path item with what is above it.
pub(super) struct Item<'d> {
    pub(super) value: &'d Value,
    /// Names in the braces of the template, in their order.
    pub(super) names: Vec<&'d str>,
    /// Whether a prefix of the path is part of the addresses in the other document.
    pub(super) is_moved: bool,
}
