//! Two documents under comparison: their schemas, and the operations around them.

use std::collections::{HashMap, HashSet};

use openapi_document::keywords::is_words;
use openapi_document::resolver::{REFERRING, reference};
use openapi_document::source::leaves;
use serde_json::Value;

use super::base::{Base, rebased};
use super::scope::Scope;
use crate::schemas::{Comparison, Form};
use crate::verdicts::{Both, Keyword, Marks, Part, Rule, changed, rules, way};
use openapi_schemas::reading::Site;

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
    /// Prefix that one document has in its server addresses and the other in its paths.
    pub(super) base: Base,
    /// Compares the headers of two parts of a body.
    pub(super) headers: Headers<'d>,
}

/// Members of `info` that are for people only.
const OF_INFO: [&str; 3] = ["contact", "license", "termsOfService"];

/// Compares the headers of two objects. The content of a header may have parts with headers, which are compared by this function.
pub(super) type Headers<'d> = fn(&mut Documents<'d>, Scope, Both<'d>);

impl<'d> Documents<'d> {
    pub(super) fn new(old: &'d Value, new: &'d Value, headers: Headers<'d>) -> Self {
        Self {
            schemas: Comparison::new(old, new),
            operations: Vec::new(),
            scheme_users: HashMap::new(),
            callbacks: HashSet::new(),
            has_compared_servers: false,
            moved: HashMap::new(),
            base: Base::default(),
            headers,
        }
    }

    /// Matches paths whose prefix is part of the address in the other document.
    pub(crate) fn rebase(&mut self) {
        if let Some(rebased) = rebased(&mut self.schemas.old, &mut self.schemas.new) {
            self.moved = rebased.moved;
            self.base = rebased.base;
        }
    }

    /// Adds an operation with this name and returns its number.
    pub(super) fn operation(&mut self, name: String) -> usize {
        self.operations.push(name);
        self.operations.len() - 1
    }

    /// Returns the two documents as values.
    pub(super) fn roots(&self) -> Both<'d> {
        Both::new(self.schemas.old.root, self.schemas.new.root)
    }

    /// Records that two values are compared with each other.
    pub(super) fn met(&mut self, both: Both<'d>) {
        self.schemas.met.push((both.old, both.new));
    }

    /// Records a difference that belongs to no operation, or to several.
    pub(super) fn aside(
        &mut self,
        rule: &'static Rule,
        marks: impl Into<Marks<'d>>,
        what: impl FnOnce() -> String,
    ) -> usize {
        let graph = &mut self.schemas.graph;
        graph.delta(rule, marks.into(), way::ALL, what)
    }

    /// Records a difference that belongs to one operation.
    pub(super) fn note(
        &mut self,
        scope: Scope,
        rule: &'static Rule,
        marks: impl Into<Marks<'d>>,
        what: impl FnOnce() -> String,
    ) {
        let delta = self.aside(rule, marks, what);
        let graph = &mut self.schemas.graph;
        graph.reached(delta, scope.operation, scope.ways);
    }

    /// Returns the values of a member that both documents have. Records a member of one document by the first rule and sentence if it was
    /// removed, and by the second ones if it was added.
    pub(super) fn in_both(
        &mut self,
        scope: Scope,
        member: Keyword<'_, 'd>,
        [removed, added]: [&'static Rule; 2],
        [gone, come]: [String; 2],
    ) -> Option<Both<'d>> {
        match (member.old, member.new) {
            (Some(old), None) => self.note(scope, removed, Marks::removed(old), || gone),
            (None, Some(new)) => self.note(scope, added, Marks::added(new), || come),
            _ => {}
        }
        member.both()
    }

    /// Records that two objects of an operation differ under a keyword.
    pub(super) fn changed(&mut self, scope: Scope, rule: &'static Rule, keyword: Keyword<'_, 'd>) {
        self.note(scope, rule, keyword, || keyword.changed());
    }

    /// Compares the schemas of a keyword, in a part of an operation.
    pub(super) fn root_of(&mut self, scope: Scope, schemas: Keyword<'_, 'd>, form: Form) {
        let old = Site::new(schemas.old, schemas.home.old);
        let new = Site::new(schemas.new, schemas.home.new);
        let schemas = &mut self.schemas;
        schemas.root(scope.operation, old, new, form, scope.ways);
    }

    /// Compares the remaining members of two objects: documentation, extensions, and the rest as unhandled.
    pub(super) fn leftovers(&mut self, scope: Scope, both: Both<'d>, known: &[&str]) {
        self.leftovers_of(&[scope.operation], scope.ways, both, |name| {
            known.contains(&name)
        });
    }

    /// Works like [`Self::leftovers`], for several operations or none.
    pub(super) fn leftovers_of(
        &mut self,
        operations: &[usize],
        ways: u8,
        both: Both<'d>,
        is_known: impl Fn(&str) -> bool,
    ) {
        for keyword in both.keywords() {
            let name = keyword.name;
            if is_known(name) || !keyword.differs() {
                continue;
            }
            let rule = if is_words(name) || OF_INFO.contains(&name) {
                &rules::DOCS_CHANGED
            } else {
                Rule::of_member(name, &rules::UNHANDLED)
            };
            let delta = self.aside(rule, keyword, || keyword.changed());
            self.schemas.graph.reached_by_each(delta, operations, ways);
            if operations.is_empty() && ways != 0 && rule.part == Part::Unknown {
                self.schemas.graph.anywhere(delta);
            }
        }
        let Both { old, new } = both;
        if !(old.is_object() && new.is_object()) && old != new {
            let delta = self.aside(&rules::UNHANDLED, both, || {
                changed("the value", Some(old), Some(new))
            });
            self.schemas.graph.reached_by_each(delta, operations, ways);
        }
    }

    /// Records that the target of two equal references is outside of both documents.
    pub(super) fn unknown(&mut self, scope: Scope, both: Both<'d>) {
        let text = reference(both.old).unwrap_or_default();
        if leaves(text) {
            self.note(scope, &rules::REFERENCE_UNKNOWN, both, || {
                format!("the target of `{text}` is unknown")
            });
        }
    }

    /// Returns the two objects after references, if both can be found.
    pub(super) fn resolved(&mut self, both: Both<'d>) -> Option<Both<'d>> {
        let old = self.schemas.old.object(both.old);
        let new = self.schemas.new.object(both.new);
        let (old, new) = old.zip(new)?;
        Some(Both { old, new })
    }

    /// Returns the two objects after references, or records that one of them cannot be found.
    pub(super) fn objects_of(&mut self, scope: Scope, both: Both<'d>) -> Option<Both<'d>> {
        self.met(both);
        let old = self.schemas.old.object(both.old);
        let new = self.schemas.new.object(both.new);
        let rule = match (old, new) {
            (Some(old), Some(new)) => {
                let found = Both { old, new };
                self.met(found);
                // In 3.1 a reference may have a description beside it.
                if !std::ptr::eq(old, both.old) && !std::ptr::eq(new, both.new) {
                    self.leftovers(scope, both, &REFERRING);
                }
                return Some(found);
            }
            (None, None) if both.old == both.new => {
                self.unknown(scope, both);
                return None;
            }
            (None, None) => &rules::UNHANDLED,
            (Some(_), None) => &rules::REFERENCE_BROKEN,
            (None, Some(_)) => &rules::REFERENCE_MENDED,
        };
        let lost = if new.is_none() { both.new } else { both.old };
        let lost = reference(lost).unwrap_or_default();
        self.note(scope, rule, both, || {
            format!("the reference `{lost}` leads nowhere in this document")
        });
        None
    }
}
