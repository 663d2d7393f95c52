//! Schemas that the new document leaves empty, as by a tool that lost a type. An empty schema is no contradiction, so an
//! override preserves the old one, if accepted.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::keywords::{Takes, keyword};
use openapi_document::pointer;
use openapi_document::resolver::REFERRING;
use openapi_schemas::reading::{allows_all, resolution_path};
use serde_json::{Map, Value};

use super::actions::{Grouped, Guards, added, removal, update};
use super::preserver::{Documents, Found};
use crate::rebase::correspondence::Correspondence;
use crate::rebase::moved::Unsaid;
use crate::rebase::nulls::{allowances, says_something};
use crate::rebase::pointers::{component, target_schema, without_words};
use crate::rebase::values::{in_part, wrapping};

const COMPONENTS: &str = "/components/schemas";

/// Components of the old document by name.
type Components = BTreeMap<String, Value>;

pub(super) const HEAD: &str = "overlay: 1.1.0
info:
  title: Schemas are as an earlier document said
  version: 1.0.0
x-override:
  note: As an earlier document said.
  published: Nothing on the values at these places. They may be any JSON.
  observed: >-
    The document of version {old} says it. A document that says nothing of it may have lost it: tools leave a schema empty where they
    do not know its type. Delete an action to follow the document.
  reference: {reference}
  retire-when: The document says what the values are.
actions:
";

/// Empty schemas of the new document, and their old content.
#[derive(Default)]
struct Emptied {
    /// Old schemas, as JSON, and the locations that lack them.
    places: BTreeMap<String, BTreeSet<String>>,
    /// Components of the old document that the schemas refer to and the new one lacks.
    components: Components,
    /// The locations, as pointers into the old document.
    names: BTreeSet<String>,
    /// Locations whose schemas cannot be preserved: several became one, or their references have another meaning now.
    lost: BTreeSet<String>,
}

/// Finds the schemas.
pub(super) fn find(documents: &Documents<'_>) -> Found {
    let found = emptied(&documents.to);
    let is_preserved = documents.accept && !found.names.is_empty();
    let named = found.components.keys();
    let named = named.map(|name| pointer::join(COMPONENTS, name));
    Found {
        wholes: found.names.iter().cloned().chain(named).collect(),
        actions: is_preserved.then(|| found.actions(documents.to.new, documents.published)),
        unsaid: Unsaid {
            places: found.names.into_iter().collect(),
            lost: found.lost.into_iter().collect(),
            ..Unsaid::default()
        },
    }
}

fn emptied(to: &Correspondence<'_>) -> Emptied {
    let mut found = Emptied::default();
    // Target locations of the schemas: old locations by resolved schema.
    let mut homes: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (a, slots) in &to.slots {
        for (from, home) in slots.iter().filter_map(|b| home(to, a, b)) {
            let meant = homes.entry(home).or_default();
            let places = meant.entry(target_schema(to.old, &from)).or_default();
            places.insert(from);
        }
    }
    for (home, meant) in &homes {
        let is_inside = |at: &String| at != home && pointer::is_within(home, at);
        // The inner schemas show the loss.
        if homes.keys().any(is_inside) {
            continue;
        }
        let mut all = meant.values();
        // A schema merged from several ones has no certain counterpart.
        let (Some(places), None) = (all.next(), all.next()) else {
            found.lost.extend(meant.values().flatten().cloned());
            continue;
        };
        // A reference is preferred over its target.
        let from = places.iter().find(|one| component(one).is_none());
        let Some(from) = from.or(places.first()) else {
            continue;
        };
        let Some((schema, components)) = schema(to, from) else {
            found.lost.insert(from.clone());
            continue;
        };
        let places = found.places.entry(schema.to_string()).or_default();
        places.insert(home.clone());
        found.components.extend(components);
        found.names.insert(from.clone());
    }
    let is_named =
        |at: &str| component(at).is_some_and(|(_, name)| found.components.contains_key(&name));
    found
        .lost
        .retain(|at| !found.names.contains(at) && !is_named(at));
    found
}

/// Returns whether the override of the schemas rewrites everything that makes a location nullable.
pub(super) fn is_emptied(to: &Correspondence<'_>, a: &str, b: &str) -> bool {
    let is_within = |home: &str| {
        let mut all = allowances(to.new, b).into_iter();
        all.all(|one| pointer::is_within(&one.schema, home))
    };
    home(to, a, b).is_some_and(|(_, home)| home == b || is_within(&home))
}

/// Returns the lost schema of the old document and its target location: the matching component, or
/// else the location itself.
fn home(to: &Correspondence<'_>, a: &str, b: &str) -> Option<(String, String)> {
    let last = resolution_path(to.new, b).pop()?;
    let is_empty = is_schema(b) && to.new.pointer(&last).is_some_and(allows_all);
    if !is_empty || !says_something(to.old, a) {
        return None;
    }
    let same = to.sharers.get(&last).filter(|all| all.len() == 1);
    let same = same.and_then(|all| all.first());
    let (from, home) =
        match same.filter(|one| component(one).is_some() && component(&last).is_some()) {
            Some(one) => (one.clone(), last),
            None => (a.to_owned(), b.to_owned()),
        };
    // A list element that is not an object cannot be rewritten.
    let is_object = |at: &str| to.new.pointer(at).is_some_and(Value::is_object);
    let is_below = pointer::split_last(&home).is_some_and(|(above, _)| is_object(above));
    (is_object(&home) || is_below).then_some((from, home))
}

/// Returns whether a location is one of schemas.
fn is_schema(at: &str) -> bool {
    let Some((above, last)) = pointer::split_last(at) else {
        return false;
    };
    let takes = |key: &str| keyword(key).map(|row| row.takes);
    let holder = pointer::split_last(above).map(|(_, holder)| holder);
    last == "schema"
        || holder.as_deref() == Some("schemas")
        || matches!(takes(&last), Some(Takes::Schema | Takes::SchemaOrBool))
        || matches!(
            holder.and_then(|holder| takes(&holder)),
            Some(Takes::Schemas | Takes::NamedSchemas)
        )
}

/// Returns the old schema at a location except for documentation, in the terms of the new document, and the components that the new one
/// lacks. `None` if a name in it has another meaning now.
fn schema(to: &Correspondence<'_>, at: &str) -> Option<(Value, Components)> {
    // Overrides concern the location, and follow separately.
    let mut said = Value::Object(without_words(to.old.pointer(at)?.as_object()?));
    let (mut open, mut components) = (BTreeSet::new(), Components::new());
    refer(to, &mut said, &mut open)?;
    while let Some(name) = open.pop_first() {
        if components.contains_key(&name) {
            continue;
        }
        let place = pointer::join(COMPONENTS, &name);
        if to.new.pointer(&place).is_some() {
            return None;
        }
        let mut schema = to.old.pointer(&place)?.clone();
        refer(to, &mut schema, &mut open)?;
        components.insert(name, schema);
    }
    // Documentation of the location stays beside the reference.
    let map = said.as_object_mut()?;
    if let Some((key, reference)) = REFERRING
        .iter()
        .find_map(|key| map.shift_remove_entry(*key))
    {
        map.extend(in_part(Map::from_iter([(key, reference)])));
    }
    Some((said, components))
}

impl Emptied {
    /// Returns the actions that restore the schemas. A guard refers to the published document.
    fn actions(&self, new: &Value, published: &Value) -> Vec<String> {
        let components = self.components.iter();
        let components = components.flat_map(|(name, one)| added(new, "schemas", name, one));
        let mut all: Vec<String> = components.collect();
        let guards = Guards { new, published };
        for (said, places) in &self.places {
            let Ok(Value::Object(schema)) = serde_json::from_str(said) else {
                continue;
            };
            for key in wrapping() {
                let mut gone = Grouped::default();
                for place in places {
                    let at = pointer::join(place, key);
                    if let Some(guard) = guards.removed(&at, schema.get(key)) {
                        gone.add(&guards, &at, removal(guard));
                    }
                }
                all.extend(gone.actions(new));
            }
            let (mut gone, mut actions) = (Grouped::default(), Grouped::default());
            for place in places {
                let (mut at, mut wanted) = (place.as_str(), schema.clone());
                let mut keys: Vec<&str> = wrapping().collect();
                // The schema `true` has no keys.
                let is_object = new.pointer(place).is_some_and(Value::is_object);
                let above = pointer::split_last(place).filter(|_| !is_object);
                if let Some((above, key)) = &above {
                    gone.add(&guards, place, removal(true));
                    wanted = Map::from_iter([(key.clone(), Value::Object(schema.clone()))]);
                    (at, keys) = (above, vec![key.as_str()]);
                }
                let guard = guards.found(at, &wanted, &keys);
                actions.add(&guards, at, update(guard, Value::Object(wanted)));
            }
            all.extend(gone.actions(new));
            all.extend(actions.actions(new));
        }
        all
    }
}

/// Renames references to components. `open` gets the components without a counterpart.
fn refer(to: &Correspondence<'_>, value: &mut Value, open: &mut BTreeSet<String>) -> Option<()> {
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(|one| refer(to, one, open)),
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                let reference = value.as_str();
                let reference = reference.filter(|_| REFERRING.contains(&key.as_str()));
                let Some(at) = reference.and_then(pointer::from_fragment) else {
                    refer(to, value, open)?;
                    continue;
                };
                match to.named(at).filter(|now| says_something(to.new, now)) {
                    Some(now) => *value = format!("#{now}").into(),
                    None => {
                        let (kind, name) = component(at)?;
                        (kind == "schemas").then_some(())?;
                        open.insert(name);
                    }
                }
            }
            Some(())
        }
        _ => Some(()),
    }
}
