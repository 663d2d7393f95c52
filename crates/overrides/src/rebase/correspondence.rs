//! Maps locations of the old document to the new one, based on the pairs of the diff: outer locations directly, and resolved schemas
//! by the votes of all locations that refer to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use openapi_diff::{Matched, PathMove};
use openapi_document::pointer;
use serde_json::Value;

use super::election::{Met, doubts, elected};
use super::pointers::{component, component_of, is_operation, operation_of, target_schema};
use super::query::quote;

/// Maps the locations of one document to another.
pub(super) struct Correspondence<'d> {
    pub(super) old: &'d Value,
    pub(super) new: &'d Value,
    /// Locations of the new document by those of the old one, as paired by the diff.
    pub(super) slots: HashMap<String, Vec<String>>,
    /// Resolved schemas of the new document by those of the old one.
    pub(super) cores: HashMap<String, Vec<String>>,
    /// Old schemas by the new schema that they became.
    pub(super) sharers: HashMap<String, BTreeSet<String>>,
    /// Reasons why locations of the new document at or below a pointer are only likely.
    doubts: HashMap<String, String>,
    /// Moved paths, by their old path.
    pub(super) moves: HashMap<String, PathMove>,
    /// Changed operation identifiers.
    pub(super) ids: BTreeMap<String, Option<String>>,
    /// True if an override undoes null, which came to most places of responses at once.
    pub(super) is_null_aside: bool,
}

impl<'d> Correspondence<'d> {
    pub(super) fn new(old: &'d Value, new: &'d Value, matched: &Matched) -> Self {
        let Met { mut slots, votes } = Met::of(old, new, matched);
        let mut doubts = doubts(matched);
        let (cores, dropped) = elected(&votes, &mut doubts);
        for (a, targets) in &mut slots {
            if let Some(home) = component_of(a) {
                targets.retain(|b| {
                    component_of(b)
                        .is_none_or(|other| !dropped.contains(&(home.to_owned(), other.to_owned())))
                });
            }
        }
        let mut sharers: HashMap<String, BTreeSet<String>> = HashMap::new();
        for (a, all) in &cores {
            for b in all {
                sharers.entry(b.clone()).or_default().insert(a.clone());
            }
        }
        let ids = ids(old, new, &matched.places);
        let moves = matched.moves.iter();
        Self {
            old,
            new,
            slots,
            cores,
            sharers,
            doubts,
            moves: moves.map(|one| (one.old.clone(), one.clone())).collect(),
            ids,
            is_null_aside: false,
        }
    }

    /// Returns the reason why a location of the new document is only likely; `None` if it is certain.
    pub(super) fn doubt(&self, at: &str) -> Option<&str> {
        let mut at = at;
        loop {
            if let Some(reason) = self.doubts.get(at) {
                return Some(reason);
            }
            at = at.rsplit_once('/')?.0;
        }
    }

    /// Returns whether a location is in an operation or a component that the old document lacks.
    fn is_new(&self, at: &str) -> bool {
        let steps: Vec<String> = pointer::tokens(at).take(3).collect();
        let home = steps
            .iter()
            .fold(String::new(), |home, step| pointer::join(&home, step));
        let is_met =
            |all: &HashMap<String, Vec<String>>| all.values().flatten().any(|b| *b == home);
        steps.len() == 3
            && self.old.pointer(&home).is_none()
            && !is_met(&self.slots)
            && !is_met(&self.cores)
    }

    /// Returns whether a target selects these locations. A target for all of a kind may also select new ones.
    pub(super) fn selects(
        &self,
        document: &Value,
        target: &str,
        wanted: &BTreeSet<String>,
    ) -> bool {
        let Ok(query) = openapi_overlay::parse(target) else {
            return false;
        };
        openapi_overlay::nodes(&query, document).is_ok_and(|found| {
            let found: BTreeSet<String> = found.into_iter().collect();
            found.is_superset(wanted) && found.difference(wanted).all(|at| self.is_new(at))
        })
    }

    /// Returns a target with the new names of paths, and of the components that filters name. The caller checks what it selects.
    pub(super) fn respelled(&self, target: &str) -> String {
        let paths = self.moves.values();
        let paths = paths.map(|one| (one.old.clone(), one.new.clone()));
        let components = self.cores.keys();
        let components =
            components.filter_map(|a| Some((format!("#{a}"), format!("#{}", self.named(a)?))));
        let names: BTreeMap<String, String> = paths.chain(components).collect();
        let mut text = target.to_owned();
        for (old, new) in names.iter().filter(|(old, new)| old != new) {
            text = text.replace(&quote(old), &quote(new));
        }
        text
    }

    /// Returns the counterparts of a component: components and inlined schemas. May be empty.
    pub(super) fn component(&self, at: &str) -> &[String] {
        self.cores.get(at).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the component of the new document that a component became, possibly wrapped.
    pub(super) fn named(&self, at: &str) -> Option<String> {
        let all = self.component(at);
        let whole = all.iter().find(|one| component(one).is_some());
        whole.cloned().or_else(|| {
            let mut homes = all.iter().filter_map(|one| Some((one, component_of(one)?)));
            let wrapped = homes.find(|(one, home)| target_schema(self.new, home) == **one);
            wrapped.map(|(_, home)| home.to_owned())
        })
    }

    /// Returns the operation or the component that a location of the old document is in, or is, if the new one lacks it.
    pub(super) fn lacking<'p>(&self, at: &'p str) -> Option<&'p str> {
        let owner = component_of(at).or_else(|| operation_of(at))?;
        let has = |all: &HashMap<String, Vec<String>>| {
            all.get(owner).is_some_and(|found| !found.is_empty())
        };
        let is_there = |root: &Value| root.pointer(owner).is_some();
        let is_met = is_there(self.new) || has(&self.slots) || has(&self.cores);
        (is_there(self.old) && !is_met).then_some(owner)
    }

    /// Returns the new path of a path of the old document, or of one that an override adds.
    pub(super) fn path(&self, path: &str) -> String {
        if let Some(one) = self.moves.get(path) {
            return one.new.clone();
        }
        let paths = self.new.get("paths").and_then(Value::as_object);
        let known = |path: &str| paths.is_some_and(|paths| paths.contains_key(path));
        if known(path) {
            return path.to_owned();
        }
        // It moves like the other paths, if they all move alike.
        let mut moved = path.trim_end_matches('/').to_owned();
        let prefixes: BTreeSet<_> = self
            .moves
            .values()
            .filter_map(|one| one.prefix.as_ref())
            .collect();
        for (from, to) in prefixes {
            let rest = moved.strip_prefix(from.as_str());
            if let Some(rest) = rest.filter(|rest| rest.starts_with('/')) {
                moved = format!("{to}{rest}");
                break;
            }
        }
        let ends = |paths: &serde_json::Map<String, Value>| {
            !paths.is_empty() && paths.keys().all(|path| path.ends_with('/'))
        };
        let other = format!("{moved}/");
        if known(&other)
            || !known(&moved)
                && (paths.is_some_and(ends) || path.ends_with('/') && self.moves.is_empty())
        {
            return other;
        }
        moved
    }

    /// Returns renamed path parameters below a path of the old document.
    pub(super) fn names(&self, path: &str) -> BTreeMap<String, String> {
        let new = self.slots.get(&pointer::join("/paths", path));
        let new = new.and_then(|all| all.first()?.strip_prefix("/paths/").map(pointer::unescape));
        let new = new.unwrap_or_else(|| self.path(path));
        let both = braces(path).into_iter().zip(braces(&new));
        both.filter(|(a, b)| a != b).collect()
    }
}

fn braces(path: &str) -> Vec<String> {
    let parts = path.split('{').skip(1);
    parts
        .filter_map(|rest| Some(rest.split_once('}')?.0.to_owned()))
        .collect()
}

/// Returns the changed identifiers of operations; `None` if the new document has none.
fn ids(old: &Value, new: &Value, places: &[(String, String)]) -> BTreeMap<String, Option<String>> {
    let id = |root: &Value, at: &str| {
        let id = root.pointer(at)?.get("operationId")?.as_str()?;
        Some(id.to_owned())
    };
    let operations = places
        .iter()
        .filter(|(a, b)| is_operation(a) && is_operation(b));
    let pairs = operations.filter_map(|(a, b)| Some((id(old, a)?, id(new, b))));
    pairs.filter(|(a, b)| b.as_ref() != Some(a)).collect()
}
