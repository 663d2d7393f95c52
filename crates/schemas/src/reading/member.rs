//! Members of objects: those with a name, and all others.

use serde_json::Value;

use super::site::Parts;

/// A member with a name, merged from all parts of a schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member<'d> {
    /// Schemas of its value, which must hold at once.
    pub parts: Parts<'d>,
    /// Element of a `required` list.
    pub required: Option<&'d Value>,
}

/// Values of the members or elements that no other keyword describes. `true`, an empty schema and an absent keyword are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Further<'d> {
    /// Any value.
    Open,
    /// None; with the `false` that says it.
    Closed(&'d Value),
    /// Values of these schemas, which must hold at once.
    Of(Parts<'d>),
}

impl<'d> Further<'d> {
    /// Returns the schemas of the values; an empty list allows any.
    pub fn parts(self) -> Parts<'d> {
        match self {
            Self::Of(parts) => parts,
            Self::Open | Self::Closed(_) => Vec::new(),
        }
    }
}
