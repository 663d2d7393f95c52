//! The walk through a document by its structure. Each part of it knows the kind of value at every place, which a walk through any JSON
//! would not: an example may look like a schema.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::targets::Targets;
use crate::finding::{Finding, keep};
use crate::openapi::LeftOut;
use crate::source::{Source, original};

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Schema,
    Parameter,
    Header,
    RequestBody,
    Response,
    Callback,
}

impl Kind {
    /// Where components of this kind stand.
    pub(super) fn components(self) -> &'static str {
        match self {
            Self::Schema => "/components/schemas",
            Self::Parameter => "/components/parameters",
            Self::Header => "/components/headers",
            Self::RequestBody => "/components/requestBodies",
            Self::Response => "/components/responses",
            Self::Callback => "/components/callbacks",
        }
    }

    /// All kinds that components have and that hold schemas.
    pub(super) const ALL: [Self; 6] = [
        Self::Schema,
        Self::Parameter,
        Self::Header,
        Self::RequestBody,
        Self::Response,
        Self::Callback,
    ];
}

/// Rewrites one document, and collects what there is to say about it.
pub(super) struct Walker<'d> {
    pub(super) source: &'d Source,
    pub(super) targets: Targets<'d>,
    pub(super) warnings: Vec<Finding>,
    pub(super) left_out: Vec<LeftOut>,
    /// Places that are copies: where the copy stands, and where the author has it.
    pub(super) moved: BTreeMap<String, String>,
    /// Places outside of the usual ones that references lead to.
    waiting: Vec<(String, Kind)>,
    seen: HashSet<String>,
}

impl<'d> Walker<'d> {
    pub(super) fn new(source: &'d Source, warnings: Vec<Finding>) -> Self {
        Self {
            source,
            targets: Targets::new(&source.value),
            warnings,
            left_out: Vec::new(),
            moved: BTreeMap::new(),
            waiting: Vec::new(),
            seen: HashSet::new(),
        }
    }

    /// Rewrites everything that an operation may lead to.
    pub(super) fn document(&mut self, document: &mut Value) {
        self.paths(document);
        for kind in Kind::ALL {
            let components = document.pointer_mut(kind.components());
            self.each(components, kind.components(), |walker, value, at| {
                walker.place(value, at, kind);
            });
        }
        while let Some((at, kind)) = self.waiting.pop() {
            if let Some(value) = document.pointer_mut(&at) {
                self.place(value, &at, kind);
            }
        }
    }

    /// Calls `visit` for each value of a map with its pointer. Other values are skipped.
    pub(super) fn each(
        &mut self,
        map: Option<&mut Value>,
        at: &str,
        mut visit: impl FnMut(&mut Self, &mut Value, &str),
    ) {
        for (name, value) in map.and_then(Value::as_object_mut).into_iter().flatten() {
            visit(self, value, &crate::pointer::join(at, name));
        }
    }

    /// Rewrites what stands at a place. Returns whether it can be used: a parameter that is missing cannot.
    pub(super) fn place(&mut self, value: &mut Value, at: &str, kind: Kind) -> bool {
        if kind == Kind::Schema {
            self.schema(value, at);
            return true;
        }
        let Some(reference) = value.get("$ref").and_then(Value::as_str) else {
            return self.part(value, at, kind);
        };
        match self.targets.find(reference) {
            Some(target) => {
                self.lead(value, target, kind);
                true
            }
            None => {
                let reference = reference.to_owned();
                self.missing(value, at, &reference, kind)
            }
        }
    }

    /// Writes where a reference leads as a plain pointer, and sees to it that the place there is rewritten too.
    pub(super) fn lead(&mut self, value: &mut Value, target: String, kind: Kind) {
        if let Some(reference) = value.get_mut("$ref") {
            let plain = format!("#{target}");
            if reference.as_str() != Some(plain.as_str()) {
                *reference = plain.into();
            }
        }
        let component = target
            .strip_prefix(kind.components())
            .and_then(|name| name.strip_prefix('/'));
        let is_usual = component.is_some_and(|name| !name.contains('/'));
        if !is_usual && self.seen.insert(target.clone()) {
            self.waiting.push((target, kind));
        }
    }

    /// Notes what a person may want to know.
    pub(super) fn warn(
        &mut self,
        rule: &'static str,
        at: &str,
        message: impl Into<String>,
        help: &str,
    ) {
        let at = original(&self.moved, at).unwrap_or_else(|| at.to_owned());
        let finding = self.source.finding(rule, at, message, help);
        keep(&mut self.warnings, finding.warning());
    }
}
