//! A new document in the order of the old one: keys and parameters stand where their counterparts stood, whatever holds them now. What is
//! new comes last. The order of a document means nothing, and emitted code has it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Map, Value};

use super::chain::core;
use super::correspondence::Correspondence;
use super::lists;
use crate::diff;
use crate::source::Source;

/// Objects below a place whose keys are names.
const NAMES: [&str; 3] = ["properties", "responses", "content"];

/// What orders the new document, or the first of its files.
pub fn in_order(old: &Source, new: &Source) -> impl Fn(&Value) -> Value {
    let matched = diff::matched(old, new);
    let to = Correspondence::new(&old.value, &new.value, &matched);
    let mut places: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
    for (a, all) in to.slots.iter().chain(&to.cores) {
        places.entry(a).or_default().extend(all);
    }
    // What is meant at both.
    let pairs = places.into_iter().flat_map(|(a, all)| {
        let a = core(&old.value, a);
        all.into_iter()
            .map(move |b| (a.clone(), core(&new.value, b)))
    });
    let pairs: Vec<(String, String)> = pairs.collect();
    move |value| {
        let mut ordered = value.clone();
        let mut done = HashSet::new();
        for (a, b) in &pairs {
            let like = old.value.pointer(a);
            if let (Some(like), Some(place)) = (like, ordered.pointer_mut(b))
                && done.insert(b)
            {
                node(like, place, (&old.value, &new.value));
            }
        }
        ordered
    }
}

fn node(like: &Value, place: &mut Value, roots: (&Value, &Value)) {
    let (Value::Object(like), Value::Object(place)) = (like, place) else {
        return;
    };
    keys(like, place);
    for name in NAMES {
        if let (Some(Value::Object(like)), Some(Value::Object(place))) =
            (like.get(name), place.get_mut(name))
        {
            keys(like, place);
        }
    }
    if let (Some(Value::Array(like)), Some(Value::Array(place))) =
        (like.get("parameters"), place.get_mut("parameters"))
    {
        let known: Vec<_> = like.iter().map(|one| lists::key(roots.0, one)).collect();
        let position = |one: &Value| {
            let key = lists::key(roots.1, one);
            let found = known
                .iter()
                .position(|known| known.is_some() && *known == key);
            found.unwrap_or(known.len())
        };
        place.sort_by_key(position);
    }
}

fn keys(like: &Map<String, Value>, place: &mut Map<String, Value>) {
    let known = like.keys().filter(|key| place.contains_key(*key));
    let new = place.keys().filter(|key| !like.contains_key(*key));
    let order: Vec<String> = known.chain(new).cloned().collect();
    let ordered = order.into_iter().filter_map(|key| {
        let value = place.get_mut(&key)?.take();
        Some((key, value))
    });
    *place = ordered.collect();
}
