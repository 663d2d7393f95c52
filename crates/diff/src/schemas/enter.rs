//! Steps from one pair of schemas to the next: each is compared once, and wrappers of references are skipped.

use openapi_document::resolver::{REFERRING, reference};
use serde_json::Value;

use super::annotations::wrapped;
use super::comparison::{Comparison, Form, Key, Notes};
use crate::verdicts::{Edge, Pair, Turn, address};
use openapi_schemas::reading::{Document, Peeled, Site, peel};

impl<'d> Notes<'_, 'd> {
    /// Returns the pair of two schemas, queued if it is new. `None` if they are plainly equal.
    /// Wrappers of a reference that constrain nothing are compared here.
    pub(super) fn enter(&mut self, old: Site<'d>, new: Site<'d>, form: Form) -> Option<usize> {
        self.comparison.meet(&old, &new);
        match (old.parts.as_slice(), new.parts.as_slice()) {
            ([], []) => return None,
            ([a], [b])
                if old.or_null == new.or_null && old.types == new.types && plainly_equal(a, b) =>
            {
                return None;
            }
            _ => {}
        }
        let referring = retargeted(&self.comparison.new, &old, &new);
        let old = peel(&mut self.comparison.old, old);
        let new = peel(&mut self.comparison.new, new);
        if !(old.wrappers.is_empty() && new.wrappers.is_empty()) {
            wrapped(self, &old, &new);
        }
        let (Peeled { site: old, .. }, Peeled { site: new, .. }) = (old, new);
        self.comparison.meet(&old, &new);
        let key = (key(&old), key(&new), form);
        Some(self.comparison.pair(key, referring, old, new))
    }

    /// Compares two child schemas of the pair.
    pub(super) fn child(&mut self, old: Site<'d>, new: Site<'d>, form: Form, only: u8, turn: Turn) {
        if let Some(to) = self.enter(old, new, form) {
            self.pair.edges.push(Edge { to, only, turn });
        }
    }
}

impl<'d> Comparison<'d> {
    /// Compares two schemas that have no parent. Returns their pair, and the differences around it.
    pub(crate) fn start(
        &mut self,
        old: Site<'d>,
        new: Site<'d>,
        form: Form,
    ) -> (Option<usize>, Vec<usize>) {
        let mut start = Pair::default();
        let mut notes = Notes {
            comparison: self,
            pair: &mut start,
        };
        (notes.enter(old, new, form), start.deltas)
    }

    /// Compares two root schemas of an operation.
    pub(crate) fn root(
        &mut self,
        operation: usize,
        old: Site<'d>,
        new: Site<'d>,
        form: Form,
        ways: u8,
    ) {
        let (to, deltas) = self.start(old, new, form);
        for delta in deltas {
            self.graph.reached(delta, operation, ways);
        }
        self.graph.roots.extend(to.map(|to| (operation, to, ways)));
    }
}

/// Returns the references of two locations, if the new one has another target although the old target still exists.
fn retargeted<'d>(
    side: &Document<'d>,
    old: &Site<'d>,
    new: &Site<'d>,
) -> Option<(&'d Value, &'d Value)> {
    let ([a], [b]) = (old.parts.as_slice(), new.parts.as_slice()) else {
        return None;
    };
    let (x, y) = (reference(a)?, reference(b)?);
    (x != y && side.schema_named(x).is_some()).then_some((*a, *b))
}

fn key<'d>(site: &Site<'d>) -> Key<'d> {
    let mut parts = site.parts.iter().map(|part| address(part));
    let first = parts.next().unwrap_or_default();
    (first, parts.collect(), site.or_null, site.types, site.tag)
}

/// Returns whether two values are equal and contain no reference, so they need no comparison.
fn plainly_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && !REFERRING.iter().any(|keyword| a.contains_key(*keyword))
                && !a.contains_key("discriminator")
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| plainly_equal(a, b)))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| plainly_equal(a, b))
        }
        _ => a == b,
    }
}
