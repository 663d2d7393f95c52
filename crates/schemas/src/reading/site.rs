//! A schema as used at one location of a document.

use serde_json::Value;

use super::types;

/// Schemas that must hold at once; an empty list allows any value.
pub type Parts<'d> = Vec<&'d Value>;

/// A schema as used at one location of a document.
#[derive(Clone)]
pub struct Site<'d> {
    /// Schemas that must hold at once.
    pub parts: Parts<'d>,
    /// True if null is allowed regardless of the parts.
    pub or_null: bool,
    /// Types of the values considered.
    pub types: u8,
    /// Property, shared by both sides, whose value has to choose the other document.
    pub tag: Option<&'d str>,
    /// Object to point at if there are no parts.
    pub home: &'d Value,
}

impl<'d> Site<'d> {
    /// Creates the site of a schema, or of any value at an object.
    pub fn new(value: Option<&'d Value>, home: &'d Value) -> Self {
        Self {
            parts: value.into_iter().collect(),
            or_null: false,
            types: types::ALL,
            tag: None,
            home: value.unwrap_or(home),
        }
    }

    /// Creates the site of schemas that must hold at once.
    pub fn all(parts: Parts<'d>, home: &'d Value) -> Self {
        Self {
            home: parts.first().copied().unwrap_or(home),
            parts,
            or_null: false,
            types: types::ALL,
            tag: None,
        }
    }

    /// Returns the site of one of several alternatives. Null is considered for all of them together.
    pub fn alternative(value: &'d Value) -> Self {
        Self {
            or_null: true,
            ..Self::new(Some(value), value)
        }
    }
}
