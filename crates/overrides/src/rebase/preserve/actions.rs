//! Writes actions for many locations, with the fewest targets.

use std::collections::BTreeMap;
use std::fmt::Display;

use openapi_document::pointer;
use openapi_overlay::lists::settle;
use serde_json::{Map, Value};

use crate::rebase::query::queries;

/// Returns the actions with the same effect at each of these locations. `end` follows each target, and `effect` is below it.
pub(super) fn actions<'p>(
    root: &Value,
    places: impl IntoIterator<Item = &'p String>,
    end: &str,
    effect: &str,
) -> Vec<String> {
    let places: Vec<String> = places.into_iter().cloned().collect();
    let all = queries(root, &places).into_iter();
    all.map(|(target, _)| format!("  - target: {}\n{effect}", Value::String(target + end)))
        .collect()
}

/// Returns the effect of an action that updates.
pub(super) fn update(guard: impl Display, update: impl Display) -> String {
    format!("    x-expect: {guard}\n    update: {update}\n")
}

/// Returns the effect of an action that removes.
pub(super) fn removal(guard: impl Display) -> String {
    format!("    x-expect: {guard}\n    remove: true\n")
}

/// Returns the actions that add a component, and its container if the document has no components of the kind.
pub(super) fn added(root: &Value, kind: &str, name: &str, component: &Value) -> Vec<String> {
    let path = ["components", kind, name];
    let first = |count: usize| {
        let keys = path.iter().take(count);
        keys.fold(String::new(), |at, key| pointer::join(&at, key))
    };
    let is_there = |count: &usize| root.pointer(&first(*count)).is_some();
    let known = (1..path.len()).rev().find(is_there).unwrap_or(0);
    let one = |key: &str, value: Value| Value::from(Map::from_iter([(key.to_owned(), value)]));
    let missing = path.iter().skip(known).rev();
    let wanted = missing.fold(component.clone(), |inner, key| one(key, inner));
    let guard = one(path.get(known).copied().unwrap_or(name), Value::Null);
    actions(root, [&first(known)], "", &update(guard, wanted))
}

/// The documents that guards refer to.
pub(super) struct Guards<'d> {
    /// New document with its overrides applied.
    pub(super) new: &'d Value,
    pub(super) published: &'d Value,
}

impl<'d> Guards<'d> {
    pub(super) fn is_published(&self, place: &str) -> bool {
        self.as_published(place).is_some()
    }

    pub(super) fn as_published(&self, place: &str) -> Option<&'d Value> {
        let at = settle(self.new, self.published, place).0;
        self.published.pointer(&at)
    }

    /// Returns the value at a location that has to be removed before another one can be written there.
    pub(super) fn removed(&self, place: &str, wanted: Option<&Value>) -> Option<&'d Value> {
        let there = self.new.pointer(place)?;
        let there = self.as_published(place).unwrap_or(there);
        (Some(there) != wanted).then_some(there)
    }

    /// Returns the guard of an update: the value of each key that it writes, after the removal of `keys`.
    pub(super) fn found(&self, place: &str, update: &Map<String, Value>, keys: &[&str]) -> Value {
        let is_published = self.is_published(place);
        let found = update.iter().map(|(key, wanted)| {
            let at = pointer::join(place, key);
            let is_gone = keys.contains(&key.as_str()) && self.removed(&at, Some(wanted)).is_some();
            let value = match is_published {
                true => self.as_published(&at),
                false => self.new.pointer(&at).filter(|_| !is_gone),
            };
            (key.clone(), value.cloned().unwrap_or_default())
        });
        Value::Object(found.collect())
    }
}

/// Locations with the same action. Guards of published values and of values from overrides refer to different documents, so no
/// target selects both.
#[derive(Default)]
pub(super) struct Grouped(BTreeMap<(bool, String), Vec<String>>);

impl Grouped {
    /// Adds a location, with the rest of its action after the target.
    pub(super) fn add(&mut self, guards: &Guards<'_>, place: &str, action: String) {
        let places = self.0.entry((!guards.is_published(place), action));
        places.or_default().push(place.to_owned());
    }

    /// Returns the actions, each with the fewest targets.
    pub(super) fn actions(&self, root: &Value) -> Vec<String> {
        let all = self.0.iter();
        all.flat_map(|((_, action), places)| actions(root, places, "", action))
            .collect()
    }
}
