//! A difference before its operations are known.

use serde_json::Value;

use super::both::Both;
use super::mark::Marks;
use super::operations::Operations;
use super::rules::Rule;

/// A difference before its operations are known.
pub(crate) struct Delta<'d> {
    pub(crate) rule: &'static Rule,
    /// Values that changed.
    pub(crate) marks: Marks<'d>,
    pub(crate) what: String,
    /// References that changed their target, if that is the difference.
    pub(crate) referring: Option<(&'d Value, &'d Value)>,
    /// True if the difference is met by references that kept their target, or by none.
    pub(crate) is_own: bool,
    /// Ways in which the difference matters.
    pub(crate) only: u8,
    /// Ways in which the difference is reached.
    pub(crate) ways: u8,
    /// Operations that reach the difference.
    pub(crate) operations: Operations,
}

impl<'d> Delta<'d> {
    /// Returns the values to point at: the references that changed their target, if that is the difference.
    pub(crate) fn shown(&self) -> Marks<'d> {
        match self.referring {
            Some((old, new)) => Both { old, new }.into(),
            None => self.marks,
        }
    }
}
