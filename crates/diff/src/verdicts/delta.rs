//! A difference before its operations are known, and the values that it points at.

use serde_json::Value;

use super::operations::Operations;
use super::rules::Rule;

/// A difference before its operations are known.
pub(crate) struct Delta<'d> {
    pub(crate) rule: &'static Rule,
    pub(crate) old: Mark<'d>,
    pub(crate) new: Mark<'d>,
    pub(crate) what: String,
    /// References that changed their target, if that is the difference.
    pub(crate) referring: Option<(&'d Value, &'d Value)>,
    /// Ways in which the difference matters.
    pub(crate) only: u8,
    /// Ways in which the difference is reached.
    pub(crate) ways: u8,
    /// Operations that reach the difference.
    pub(crate) operations: Operations,
}

/// Value that a difference points at on one side.
#[derive(Clone, Copy)]
pub(crate) struct Mark<'d> {
    /// Value that changed, if it exists.
    pub(crate) value: Option<&'d Value>,
    /// Schema or other object around the value, if it exists.
    pub(crate) home: Option<&'d Value>,
}

impl<'d> Mark<'d> {
    /// Marks a value, or its absence, in an existing object.
    pub(crate) fn within(value: Option<&'d Value>, home: &'d Value) -> Self {
        Self {
            value,
            home: Some(home),
        }
    }

    /// Marks a value that was added or removed as a whole.
    pub(crate) fn at(value: &'d Value) -> Self {
        Self {
            value: Some(value),
            home: Some(value),
        }
    }

    /// Mark of an absent value.
    pub(crate) const NONE: Self = Self {
        value: None,
        home: None,
    };
}

/// Returns the address of a value, which identifies locations before their pointers are needed.
pub(crate) fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}
