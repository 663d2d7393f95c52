//! State of a walk through a document: the kinds of locations, the targets of references, and the warnings.

use std::collections::{BTreeMap, HashSet};

use openapi_document::finding::{Finding, keep};
use openapi_document::resolver::{Resolver, Target};
use openapi_document::source::{Source, original};
use serde_json::{Value, json};

use crate::LeftOut;

/// Kind of a location.
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
    /// Returns the pointer to the components of this kind.
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

    /// All kinds of components that contain schemas.
    pub(super) const ALL: [Self; 6] = [
        Self::Schema,
        Self::Parameter,
        Self::Header,
        Self::RequestBody,
        Self::Response,
        Self::Callback,
    ];
}

/// Rewrites one document, and collects warnings.
pub(super) struct Walker<'d> {
    pub(super) source: &'d Source,
    pub(super) resolver: Resolver<'d>,
    pub(super) warnings: Vec<Finding>,
    pub(super) left_out: Vec<LeftOut>,
    /// Copied locations: the copy, and the author's original.
    pub(super) moved: BTreeMap<String, String>,
    /// Referenced locations outside of the usual ones.
    pub(super) waiting: Vec<(String, Kind)>,
    /// The schemas of server-sent events.
    pub(super) events: Vec<String>,
    seen: HashSet<String>,
    /// How many values may still be written in place of references.
    left: usize,
}

/// A document may share parts of up to so many values, and four times as many as it has.
const SHARED: usize = 50_000;

/// Counts a value, and those within it.
fn count(value: &Value) -> usize {
    let within: usize = match value {
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    };
    within + 1
}

impl<'d> Walker<'d> {
    pub(super) fn new(source: &'d Source, warnings: Vec<Finding>) -> Self {
        Self {
            source,
            resolver: Resolver::new(&source.value),
            warnings,
            left_out: Vec::new(),
            moved: BTreeMap::new(),
            waiting: Vec::new(),
            events: Vec::new(),
            seen: HashSet::new(),
            left: SHARED + 4 * count(&source.value),
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
            visit(self, value, &openapi_document::pointer::join(at, name));
        }
    }

    /// Resolves the reference at a location, if it is one. Returns whether the result can be used.
    pub(super) fn refer(&mut self, value: &mut Value, at: &str, kind: Kind) -> Option<bool> {
        let reference = value.get("$ref")?.as_str()?.to_owned();
        let origin = original(&self.moved, at).unwrap_or_else(|| at.to_owned());
        Some(match self.resolver.lasting(&origin, &reference) {
            Some(target) => {
                self.lead(value, target.pointer, kind);
                true
            }
            None => self.missing(value, at, &reference, kind),
        })
    }

    /// Writes the target of a reference as a plain pointer, and schedules the target to be rewritten too.
    fn lead(&mut self, value: &mut Value, target: String, kind: Kind) {
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

    /// Adds a warning.
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

    /// Replaces a broken reference. Returns whether the replacement can be used.
    fn missing(&mut self, value: &mut Value, at: &str, reference: &str, kind: Kind) -> bool {
        self.leads_nowhere(at, reference);
        match kind {
            // An unknown schema allows any value; the keywords beside the reference stay.
            Kind::Schema => {
                if let Some(map) = value.as_object_mut() {
                    map.shift_remove("$ref");
                }
                true
            }
            Kind::Response => {
                *value = json!({"description": "", "content": {"*/*": {"schema": {}}}});
                true
            }
            Kind::Header | Kind::Callback => {
                *value = json!({});
                true
            }
            Kind::Parameter | Kind::RequestBody => false,
        }
    }

    /// Returns the object at the end of a reference's path, to be written in place of the reference. Warns if there is none, and where
    /// references would make a document many times as large.
    pub(super) fn shared(&mut self, reference: &str, at: &str) -> Option<Target<'d>> {
        let target = self.resolver.target(reference);
        let end = target.and_then(|target| self.resolver.end(target));
        let end = end.filter(|end| end.value.is_object());
        let Some(end) = end else {
            self.leads_nowhere(at, reference);
            return None;
        };
        let left = self.left.checked_sub(count(end.value));
        if left.is_none() {
            let message = format!(
                "`{reference}` is not followed: with the parts that it shares, the document would be many times as large"
            );
            let help = "refer to its parts instead, or remove the reference, in an override";
            self.warn("reference", at, message, help);
        }
        self.left = left?;
        Some(end)
    }

    /// Returns a reference as a plain pointer. Warns if it leads nowhere.
    pub(super) fn plain(&mut self, reference: &str, at: &str) -> Option<Value> {
        let target = self.resolver.lasting(at, reference);
        if target.is_none() {
            self.leads_nowhere(at, reference);
        }
        target.map(|target| format!("#{}", target.pointer).into())
    }

    /// Warns that a reference leads nowhere.
    fn leads_nowhere(&mut self, at: &str, reference: &str) {
        let (message, help) = if reference.contains("://") {
            (
                format!(
                    "`{reference}` leaves the document, and nothing is fetched from the network"
                ),
                "save its target beside the document and refer to that, or bundle the documents into one",
            )
        } else if reference.starts_with('#') {
            (
                format!("`{reference}` leads nowhere, or back to itself"),
                "correct the reference, or add what it names, in an override",
            )
        } else {
            (
                format!("`{reference}` leaves the document, and the file does not exist"),
                "put the file there, or bundle the documents into one before regenerating",
            )
        };
        self.warn("reference", at, message, help);
    }
}
