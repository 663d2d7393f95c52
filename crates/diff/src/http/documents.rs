//! Two documents under comparison: their schemas, and the operations around them.

use std::collections::{HashMap, HashSet};

use openapi_document::keywords::is_words;
use openapi_document::resolver::{REFERRING, reference};
use openapi_document::source::leaves;
use serde_json::Value;

use super::base::{Base, rebased};
use super::scope::{Reached, Scope};
use crate::schemas::Comparison;
use crate::verdicts::{Mark, Part, Rule, changed, rules, way};

/// State of a comparison of two documents.
pub(crate) struct Documents<'d> {
    pub(crate) schemas: Comparison<'d>,
    /// Operations by name.
    pub(crate) operations: Vec<String>,
    /// Operations that use a security scheme, by its name in the new document.
    pub(super) scheme_users: HashMap<&'d str, Vec<usize>>,
    /// Pairs of path items that were reached by callbacks.
    pub(super) callbacks: HashSet<(usize, usize, u8, usize)>,
    /// True if an operation of both documents uses the servers of the document.
    pub(super) has_compared_servers: bool,
    /// Paths of the old document by those of the new one, if neither their name nor their shape matches.
    pub(crate) moved: HashMap<&'d str, &'d str>,
    /// Paths of the new document by the path of the old one that reaches the same URLs.
    pub(crate) matched: HashMap<&'d str, Vec<&'d str>>,
    /// Prefix that one document has in its server addresses and the other in its paths.
    pub(super) base: Base,
    /// Compares the headers of two parts of a body.
    pub(super) headers: Headers<'d>,
}

/// Members of `info` that are for people only.
const OF_INFO: [&str; 3] = ["contact", "license", "termsOfService"];

/// Compares the headers of two objects. The content of a header may have parts with headers, which are compared by this function.
pub(super) type Headers<'d> = fn(&mut Documents<'d>, Scope, u8, &'d Value, &'d Value);

impl<'d> Documents<'d> {
    pub(super) fn new(old: &'d Value, new: &'d Value, headers: Headers<'d>) -> Self {
        Self {
            schemas: Comparison::new(old, new),
            operations: Vec::new(),
            scheme_users: HashMap::new(),
            callbacks: HashSet::new(),
            has_compared_servers: false,
            moved: HashMap::new(),
            matched: HashMap::new(),
            base: Base::default(),
            headers,
        }
    }

    /// Matches paths whose prefix is part of the address in the other document.
    pub(crate) fn rebase(&mut self) {
        if let Some((moved, base)) = rebased(&mut self.schemas.old, &mut self.schemas.new) {
            self.moved = moved;
            self.base = base;
        }
    }

    /// Adds an operation with this name and returns its number.
    pub(super) fn operation(&mut self, name: String) -> usize {
        self.operations.push(name);
        self.operations.len() - 1
    }

    /// Records that two values are compared with each other.
    pub(super) fn met(&mut self, old: &'d Value, new: &'d Value) {
        self.schemas.met.push((old, new));
    }

    /// Records a difference that belongs to no operation, or to several.
    pub(super) fn aside(
        &mut self,
        rule: &'static Rule,
        old: Mark<'d>,
        new: Mark<'d>,
        what: impl FnOnce() -> String,
    ) -> usize {
        self.schemas.graph.delta(rule, old, new, way::ALL, what)
    }

    /// Records a difference that belongs to one operation.
    pub(super) fn note(
        &mut self,
        (operation, ways): Reached,
        rule: &'static Rule,
        old: Mark<'d>,
        new: Mark<'d>,
        what: impl FnOnce() -> String,
    ) {
        let delta = self.aside(rule, old, new, what);
        self.schemas.graph.reached(delta, operation, ways);
    }

    /// Records that a thing was removed.
    pub(super) fn gone(
        &mut self,
        reached: Reached,
        rule: &'static Rule,
        old: &'d Value,
        what: impl FnOnce() -> String,
    ) {
        self.note(reached, rule, Mark::at(old), Mark::NONE, what);
    }

    /// Records that a thing was added.
    pub(super) fn come(
        &mut self,
        reached: Reached,
        rule: &'static Rule,
        new: &'d Value,
        what: impl FnOnce() -> String,
    ) {
        self.note(reached, rule, Mark::NONE, Mark::at(new), what);
    }

    /// Records that two objects of an operation differ under a keyword.
    pub(super) fn changed(
        &mut self,
        reached: Reached,
        rule: &'static Rule,
        keyword: &str,
        (old, a): (&'d Value, Option<&'d Value>),
        (new, b): (&'d Value, Option<&'d Value>),
    ) {
        let (x, y) = (Mark::within(a, old), Mark::within(b, new));
        self.note(reached, rule, x, y, || changed(keyword, a, b));
    }

    /// Compares the remaining members of two objects: documentation, extensions, and the rest as unhandled.
    pub(super) fn leftovers(
        &mut self,
        operations: &[usize],
        ways: u8,
        both: (&'d Value, &'d Value),
        known: &[&str],
    ) {
        self.leftovers_unless(operations, ways, both, &|name| known.contains(&name));
    }

    /// Works like [`Self::leftovers`], but finds the handled members by name instead of searching a long list.
    pub(super) fn leftovers_unless(
        &mut self,
        operations: &[usize],
        ways: u8,
        (old, new): (&'d Value, &'d Value),
        is_known: &dyn Fn(&str) -> bool,
    ) {
        let keys = |value: &'d Value| value.as_object().into_iter().flat_map(|map| map.keys());
        let mut names: Vec<&'d String> = keys(old).collect();
        names.extend(keys(new).filter(|key| old.get(key.as_str()).is_none()));
        for name in names {
            let (a, b) = (old.get(name), new.get(name));
            if is_known(name) || a == b {
                continue;
            }
            let rule = if is_words(name) || OF_INFO.contains(&name.as_str()) {
                &rules::DOCS_CHANGED
            } else {
                Rule::of_member(name, &rules::UNHANDLED)
            };
            let what = changed(name, a, b);
            let delta = self.aside(rule, Mark::within(a, old), Mark::within(b, new), || what);
            for operation in operations {
                self.schemas.graph.reached(delta, *operation, ways);
            }
            if operations.is_empty() && ways != 0 && rule.part == Part::Unknown {
                self.schemas.graph.anywhere(delta);
            }
        }
        if !(old.is_object() && new.is_object()) && old != new {
            let what = changed("the value", Some(old), Some(new));
            let delta = self.aside(&rules::UNHANDLED, Mark::at(old), Mark::at(new), || what);
            for operation in operations {
                self.schemas.graph.reached(delta, *operation, ways);
            }
        }
    }

    /// Records that the target of two equal references is outside of both documents.
    pub(super) fn unknown(&mut self, operation: usize, ways: u8, x: &'d Value, y: &'d Value) {
        let text = reference(x).unwrap_or_default();
        if leaves(text) {
            let marks = (Mark::at(x), Mark::at(y));
            let rule = &rules::REFERENCE_UNKNOWN;
            self.note((operation, ways), rule, marks.0, marks.1, || {
                format!("the target of `{text}` is unknown")
            });
        }
    }

    /// Returns the two objects after references, or records that one of them cannot be found.
    pub(super) fn objects_of(
        &mut self,
        scope: Scope,
        ways: u8,
        x: &'d Value,
        y: &'d Value,
    ) -> Option<(&'d Value, &'d Value)> {
        self.met(x, y);
        let (a, b) = (self.schemas.old.object(x), self.schemas.new.object(y));
        let rule = match (a, b) {
            (Some(a), Some(b)) => {
                self.met(a, b);
                // In 3.1 a reference may have a description beside it.
                if (reference(x).is_some() || reference(y).is_some())
                    && !(std::ptr::eq(a, x) || std::ptr::eq(b, y))
                {
                    self.leftovers(&[scope.operation], ways, (x, y), &REFERRING);
                }
                return Some((a, b));
            }
            (None, None) if x == y => {
                self.unknown(scope.operation, ways, x, y);
                return None;
            }
            (None, None) => &rules::UNHANDLED,
            (Some(_), None) => &rules::REFERENCE_BROKEN,
            (None, Some(_)) => &rules::REFERENCE_MENDED,
        };
        self.note(scope.by(ways), rule, Mark::at(x), Mark::at(y), || {
            "the reference leads nowhere in this document".to_owned()
        });
        None
    }
}
