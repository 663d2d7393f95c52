//! Which override changed which places of the document.

use crate::overlay::Change;
use crate::overrides::load::{Family, Override};
use crate::pointer;

/// What each override changed.
#[derive(Clone, Debug, Default)]
pub struct OverrideReport {
    /// The overrides, in the order in which they applied.
    pub applied: Vec<Applied>,
}

/// One override and the places it changed.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The override.
    pub by: Override,
    /// The places, as pointers into the document at the file's turn.
    pub changes: Vec<Change>,
}

impl OverrideReport {
    /// The overrides that changed the value at `pointer`, something in it, or brought a value around it.
    pub fn touching<'r>(&'r self, pointer: &'r str) -> impl Iterator<Item = &'r Applied> {
        self.applied.iter().filter(move |applied| {
            applied.changes.iter().any(|change| {
                pointer::is_within(&change.pointer, pointer)
                    || pointer::is_within(pointer, &change.pointer)
            })
        })
    }

    /// Overrides of one family.
    pub fn of(&self, family: Family) -> impl Iterator<Item = &Applied> {
        self.applied
            .iter()
            .filter(move |applied| applied.by.family == family)
    }
}
