//! Which changes of a report are looked at.

use std::rc::Rc;

use super::attribution::{Report, Rust};
use crate::diff::compare::Named;
use crate::diff::verdicts::Wire;

/// What a change has to be about. Of one kind, one has to fit; without any of a kind, all do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Paths, each with all below it.
    pub paths: Vec<String>,
    /// Tags of operations.
    pub tags: Vec<String>,
    /// Operations, by `operationId` or as `GET /books`.
    pub operations: Vec<String>,
    /// What it does, or worse.
    pub only: Option<Wire>,
}

impl Report {
    /// The changes that a filter lets through, with the operations that it does.
    pub fn filtered(mut self, filter: &Filter) -> Self {
        if *filter == Filter::default() {
            return self;
        }
        let is_about_all =
            filter.paths.is_empty() && filter.tags.is_empty() && filter.operations.is_empty();
        if !is_about_all {
            let fits = |name: &str| filter.fits(name, self.operations.get(name));
            for entry in &mut self.changes {
                let names = entry.change.operations.iter();
                let kept: Rc<[Rc<str>]> = names.filter(|name| fits(name)).cloned().collect();
                entry.change.operations = kept;
            }
            self.changes
                .retain(|entry| !entry.change.operations.is_empty());
        }
        let least = filter.only.unwrap_or(Wire::None);
        self.changes.retain(|entry| entry.change.wire >= least);
        self.unattributed.clear();
        let wire = self.changes.iter().map(|entry| entry.change.wire).max();
        self.wire = wire.unwrap_or(Wire::None);
        if self.rust != Rust::Unknown {
            let rust = self.changes.iter().map(|entry| entry.rust).max();
            self.rust = rust.unwrap_or(Rust::None);
        }
        self
    }
}

impl Filter {
    fn fits(&self, name: &str, named: Option<&Named>) -> bool {
        let below = |outer: &String| is_below(name, outer);
        let has_tag = |tag: &String| named.is_some_and(|named| named.tags.contains(tag));
        let is_it =
            |one: &String| one == name || named.is_some_and(|named| named.ids.contains(one));
        (self.paths.is_empty() || self.paths.iter().any(below))
            && (self.tags.is_empty() || self.tags.iter().any(has_tag))
            && (self.operations.is_empty() || self.operations.iter().any(is_it))
    }
}

/// Whether the path of an operation is this one, or stands below it.
pub(super) fn is_below(operation: &str, outer: &str) -> bool {
    let path = operation.rsplit(' ').next().unwrap_or_default();
    let outer = outer.trim_end_matches('/');
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
