//! Maps locations of the old document to the new one, based on the pairs of the diff: outer locations directly, and resolved schemas
//! by the votes of all locations that refer to them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use openapi_diff::{Matched, PathMove};
use openapi_document::pointer;
use openapi_schemas::placeholders;
use serde_json::{Map, Value};

use super::election::{Met, doubts, elected};
use super::pointers::{component, component_of, is_operation, member, operation_of, target_schema};
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
        let Met { slots, votes } = Met::of(old, new, matched);
        let mut doubts = doubts(matched);
        let cores = elected(&votes, &mut doubts);
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

    /// Adds the inlined counterparts of components at places that only overrides have, as the new document may have them now, too.
    /// `matched` are the pairs of the old document after all overrides.
    pub(super) fn add_places_of_overrides(&mut self, reconciled: &Value, matched: &Matched) {
        let paired: HashSet<&String> = self.slots.values().flatten().collect();
        let mut added = matched.places.clone();
        added.retain(|(_, b)| !paired.contains(b));
        for (a, b) in added {
            let meant = target_schema(reconciled, &a);
            let now = target_schema(self.new, &b);
            if component(&now).is_some() {
                continue;
            }
            let known = self.cores.get_mut(&meant);
            let known = known.filter(|all| component(&meant).is_some() && !all.contains(&now));
            if let Some(all) = known {
                all.push(now.clone());
                self.sharers.entry(now).or_default().insert(meant);
            }
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
        let mut met = self.slots.values().chain(self.cores.values()).flatten();
        steps.len() == 3 && self.old.pointer(&home).is_none() && !met.any(|b| *b == home)
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
        let found = openapi_overlay::nodes(&query, document);
        let found: BTreeSet<String> = found.into_iter().collect();
        found.is_superset(wanted) && found.difference(wanted).all(|at| self.is_new(at))
    }

    /// Returns a target with the new names of paths, and of the components that filters name. The caller checks what it selects.
    pub(super) fn respelled(&self, target: &str) -> String {
        let moves = self.moves.values();
        let mut names: BTreeMap<_, _> = moves
            .map(|one| (one.old.clone(), one.new.clone()))
            .collect();
        for a in self.cores.keys() {
            if let Some(b) = self.named(a) {
                names.insert(format!("#{a}"), format!("#{b}"));
            }
        }
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
        let mut found = [&self.slots, &self.cores].into_iter();
        let is_met = self.new.pointer(owner).is_some()
            || found.any(|all| all.get(owner).is_some_and(|found| !found.is_empty()));
        (self.old.pointer(owner).is_some() && !is_met).then_some(owner)
    }

    /// Returns the new path of a path of the old document, or of one that an override adds.
    pub(super) fn path(&self, path: &str) -> String {
        if let Some(one) = self.moves.get(path) {
            return one.new.clone();
        }
        let empty = Map::new();
        let paths = self.new.get("paths").and_then(Value::as_object);
        let paths = paths.unwrap_or(&empty);
        if paths.contains_key(path) {
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
        let other = format!("{moved}/");
        let has_slashes = !paths.is_empty() && paths.keys().all(|path| path.ends_with('/'))
            || path.ends_with('/') && self.moves.is_empty();
        if paths.contains_key(&other) || !paths.contains_key(&moved) && has_slashes {
            return other;
        }
        moved
    }

    /// Returns renamed path parameters below a path of the old document.
    pub(super) fn names(&self, path: &str) -> BTreeMap<String, String> {
        let new = self.slots.get(&pointer::join("/paths", path));
        let new = new.and_then(|all| all.first()?.strip_prefix("/paths/").map(pointer::unescape));
        let new = new.unwrap_or_else(|| self.path(path));
        let both = placeholders(path).zip(placeholders(&new));
        both.filter(|(a, b)| a != b)
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .collect()
    }
}

/// Returns the changed identifiers of operations; `None` if the new document has none.
fn ids(old: &Value, new: &Value, places: &[(String, String)]) -> BTreeMap<String, Option<String>> {
    let mut changed = BTreeMap::new();
    for (a, b) in places {
        if !is_operation(a) || !is_operation(b) {
            continue;
        }
        let was = member(old, a, "operationId").and_then(Value::as_str);
        let is = member(new, b, "operationId").and_then(Value::as_str);
        if let Some(was) = was.filter(|was| is != Some(was)) {
            changed.insert(was.to_owned(), is.map(str::to_owned));
        }
    }
    changed
}
