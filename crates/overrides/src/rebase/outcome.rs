//! The move of one action: the documents before it, and its result.

use std::collections::BTreeSet;

use openapi_overlay::lists::settle;
use openapi_overlay::{Action, JsonPath};
use serde_json::Value;

use super::correspondence::Correspondence;
use super::moved::Doubt;
use super::replaced::Replaced;
use super::text::Moved;

/// Both documents before an action, and what corresponds in them as published.
pub(super) struct Documents<'t> {
    pub(super) to: &'t Correspondence<'t>,
    pub(super) old: &'t Value,
    pub(super) new: &'t Value,
    /// The places that the override of the action replaces.
    pub(super) replaced: &'t Replaced,
}

impl Documents<'_> {
    /// Returns the locations that a target selects, as pointers into the old document as published.
    pub(super) fn targets(&self, query: &JsonPath) -> BTreeSet<String> {
        let all = openapi_overlay::nodes(query, self.old);
        let settled = all.iter().map(|at| settle(self.old, self.to.old, at).0);
        settled.collect()
    }

    /// Returns the current pointer of a location of the old document, after the earlier overrides.
    pub(super) fn then(&self, at: &str) -> String {
        settle(self.to.old, self.old, at).0
    }

    /// Returns the guarded value below a target of the old document: as published, if the target is.
    pub(super) fn before(&self, target: &str, rest: &str) -> Option<&Value> {
        match self.to.old.pointer(target) {
            Some(target) => target.pointer(rest),
            None => self.old.pointer(&format!("{}{rest}", self.then(target))),
        }
    }

    /// Returns the guarded value below a target of the new document: as published, if the target is.
    pub(super) fn after(&self, target: &str, rest: &str) -> Option<&Value> {
        match self.to.new.pointer(target) {
            Some(target) => target.pointer(rest),
            None => self.new.pointer(&format!("{}{rest}", self.now(target))),
        }
    }

    /// Returns the current pointer of a location of the new document, after the earlier overrides.
    pub(super) fn now(&self, at: &str) -> String {
        settle(self.to.new, self.new, at).0
    }
}

/// Result of moving an action.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) actions: Vec<(Action, Moved)>,
    pub(super) doubts: BTreeSet<Doubt>,
    /// Reasons why it does not follow.
    pub(super) decisions: Vec<String>,
    /// Locations, operations and components that the new document lacks.
    pub(super) lacking: BTreeSet<String>,
}

/// Matching locations of both documents.
#[derive(Clone, PartialEq)]
pub(super) struct Pairing {
    pub(super) old: String,
    pub(super) new: String,
}
