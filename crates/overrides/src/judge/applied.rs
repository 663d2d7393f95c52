//! The places of the document that each override changed.

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_overlay::Change;

use crate::load::{Family, Override};
use crate::plain::Written;

/// The changes of each override.
#[derive(Clone, Debug, Default)]
pub struct OverrideReport {
    /// The overrides, in the order in which they applied.
    pub applied: Vec<Applied>,
    /// The changes of the plain Overlays.
    pub written: Vec<Written>,
}

/// One override and the places it changed.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The override.
    pub by: Override,
    /// The places, as pointers into the document before the file.
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

    /// Returns a warning for each target of a plain Overlay that selects nothing.
    pub fn dead_targets(&self) -> impl Iterator<Item = &Finding> {
        self.written.iter().flat_map(|one| &one.dead_targets)
    }

    /// Overrides of one family.
    pub fn of(&self, family: Family) -> impl Iterator<Item = &Applied> {
        self.applied
            .iter()
            .filter(move |applied| applied.by.family == family)
    }
}
