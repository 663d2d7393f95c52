//! A difference, before it is known which operations reach it, and what it points at.

use serde_json::Value;

use super::operations::Operations;
use super::rules::Rule;

/// A difference, before it is known which operations it reaches.
pub(in crate::diff) struct Delta<'d> {
    pub(in crate::diff) rule: &'static Rule,
    pub(in crate::diff) old: Mark<'d>,
    pub(in crate::diff) new: Mark<'d>,
    pub(in crate::diff) what: String,
    /// The references that lead to other schemas now, where that is the difference.
    pub(in crate::diff) referring: Option<(&'d Value, &'d Value)>,
    /// The ways in which it matters.
    pub(in crate::diff) only: u8,
    /// The ways in which it is reached.
    pub(in crate::diff) ways: u8,
    /// The operations that reach it.
    pub(in crate::diff) operations: Operations,
}

/// What a delta points at on one side.
#[derive(Clone, Copy)]
pub(in crate::diff) struct Mark<'d> {
    /// The value that changed, if there is one.
    pub(in crate::diff) value: Option<&'d Value>,
    /// The schema or other object around it, if that is there.
    pub(in crate::diff) home: Option<&'d Value>,
}

impl<'d> Mark<'d> {
    /// A value, or its absence, in an object that is there.
    pub(in crate::diff) fn within(value: Option<&'d Value>, home: &'d Value) -> Self {
        Self {
            value,
            home: Some(home),
        }
    }

    /// A thing of its own.
    pub(in crate::diff) fn at(value: &'d Value) -> Self {
        Self {
            value: Some(value),
            home: Some(value),
        }
    }

    /// A thing that is not there.
    pub(in crate::diff) const NONE: Self = Self {
        value: None,
        home: None,
    };
}

/// The address of a value: what tells places apart while their pointers are not needed yet.
pub(in crate::diff) fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}
