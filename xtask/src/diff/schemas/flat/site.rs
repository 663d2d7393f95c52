//! A schema as one place of a document has it.

use serde_json::Value;

use super::types;

/// Several schemas that must hold at once; none of them is any value.
pub(in crate::diff) type Parts<'d> = Vec<&'d Value>;

/// A schema as one place of a document has it.
#[derive(Clone)]
pub(in crate::diff) struct Site<'d> {
    pub(in crate::diff) parts: Parts<'d>,
    /// Null is allowed whatever the parts say.
    pub(in crate::diff) or_null: bool,
    /// Only values of these types are meant.
    pub(in crate::diff) types: u8,
    /// Only values are meant for which this property, which both sides have, chooses the other side.
    pub(in crate::diff) tag: Option<&'d str>,
    /// What to point at where there is no part.
    pub(in crate::diff) home: &'d Value,
}

impl<'d> Site<'d> {
    pub(in crate::diff) fn new(value: Option<&'d Value>, home: &'d Value) -> Self {
        Self {
            parts: value.into_iter().collect(),
            or_null: false,
            types: types::ALL,
            tag: None,
            home: value.unwrap_or(home),
        }
    }

    pub(in crate::diff) fn all(parts: Parts<'d>, home: &'d Value) -> Self {
        Self {
            home: parts.first().copied().unwrap_or(home),
            parts,
            or_null: false,
            types: types::ALL,
            tag: None,
        }
    }

    /// One of several alternatives. Whether null is allowed is said of all of them together.
    pub(in crate::diff) fn alternative(value: &'d Value) -> Self {
        Self {
            or_null: true,
            ..Self::new(Some(value), value)
        }
    }
}
