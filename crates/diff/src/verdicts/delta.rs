//! A difference, before it is known which operations reach it, and what it points at.

use serde_json::Value;

use super::operations::Operations;
use super::rules::Rule;

/// A difference, before it is known which operations it reaches.
pub(crate) struct Delta<'d> {
    pub(crate) rule: &'static Rule,
    pub(crate) old: Mark<'d>,
    pub(crate) new: Mark<'d>,
    pub(crate) what: String,
    /// The references that lead to other schemas now, where that is the difference.
    pub(crate) referring: Option<(&'d Value, &'d Value)>,
    /// The ways in which it matters.
    pub(crate) only: u8,
    /// The ways in which it is reached.
    pub(crate) ways: u8,
    /// The operations that reach it.
    pub(crate) operations: Operations,
}

/// What a delta points at on one side.
#[derive(Clone, Copy)]
pub(crate) struct Mark<'d> {
    /// The value that changed, if there is one.
    pub(crate) value: Option<&'d Value>,
    /// The schema or other object around it, if that is there.
    pub(crate) home: Option<&'d Value>,
}

impl<'d> Mark<'d> {
    /// A value, or its absence, in an object that is there.
    pub(crate) fn within(value: Option<&'d Value>, home: &'d Value) -> Self {
        Self {
            value,
            home: Some(home),
        }
    }

    /// A thing of its own.
    pub(crate) fn at(value: &'d Value) -> Self {
        Self {
            value: Some(value),
            home: Some(value),
        }
    }

    /// A thing that is not there.
    pub(crate) const NONE: Self = Self {
        value: None,
        home: None,
    };
}

/// The address of a value: what tells places apart while their pointers are not needed yet.
pub(crate) fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}
