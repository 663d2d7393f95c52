//! A schema as one place of a document has it.

use serde_json::Value;

use super::types;

/// Several schemas that must hold at once; none of them is any value.
pub(crate) type Parts<'d> = Vec<&'d Value>;

/// A schema as one place of a document has it.
#[derive(Clone)]
pub(crate) struct Site<'d> {
    pub(crate) parts: Parts<'d>,
    /// Null is allowed whatever the parts say.
    pub(crate) or_null: bool,
    /// Only values of these types are meant.
    pub(crate) types: u8,
    /// Only values are meant for which this property, which both sides have, chooses the other side.
    pub(crate) tag: Option<&'d str>,
    /// What to point at where there is no part.
    pub(crate) home: &'d Value,
}

impl<'d> Site<'d> {
    pub(crate) fn new(value: Option<&'d Value>, home: &'d Value) -> Self {
        Self {
            parts: value.into_iter().collect(),
            or_null: false,
            types: types::ALL,
            tag: None,
            home: value.unwrap_or(home),
        }
    }

    pub(crate) fn all(parts: Parts<'d>, home: &'d Value) -> Self {
        Self {
            home: parts.first().copied().unwrap_or(home),
            parts,
            or_null: false,
            types: types::ALL,
            tag: None,
        }
    }

    /// One of several alternatives. Whether null is allowed is said of all of them together.
    pub(crate) fn alternative(value: &'d Value) -> Self {
        Self {
            or_null: true,
            ..Self::new(Some(value), value)
        }
    }
}
