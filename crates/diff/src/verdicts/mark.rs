//! Values that a difference points at.

use serde_json::Value;

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

/// Values that a difference points at, one on each side.
#[derive(Clone, Copy)]
pub(crate) struct Marks<'d> {
    pub(crate) old: Mark<'d>,
    pub(crate) new: Mark<'d>,
}

impl<'d> Marks<'d> {
    pub(crate) fn new(old: Mark<'d>, new: Mark<'d>) -> Self {
        Self { old, new }
    }

    /// Marks a value that was removed as a whole.
    pub(crate) fn removed(old: &'d Value) -> Self {
        Self::new(Mark::at(old), Mark::NONE)
    }

    /// Marks a value that was removed from an object that still exists.
    pub(crate) fn removed_from(home: &'d Value, old: &'d Value) -> Self {
        Self::new(Mark::at(old), Mark::within(None, home))
    }

    /// Marks a value that was added to an object that existed before.
    pub(crate) fn added_to(home: &'d Value, new: &'d Value) -> Self {
        Self::new(Mark::within(None, home), Mark::at(new))
    }

    /// Marks a value that was added as a whole.
    pub(crate) fn added(new: &'d Value) -> Self {
        Self::new(Mark::NONE, Mark::at(new))
    }
}

/// Returns the address of a value, which identifies locations before their pointers are needed.
pub(crate) fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}
