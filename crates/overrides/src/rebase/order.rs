//! Puts a new document in the order of the old one: what both have keeps its relative order, and what is new its position. The order of a
//! document has no meaning, but emitted code follows it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use openapi_document::resolver::reference;
use openapi_document::source::Source;
use openapi_overlay::lists;
use serde_json::{Map, Value};

use super::correspondence::Correspondence;
use super::pointers::target_schema;

/// Objects below a location whose keys are names.
const NAMES: [&str; 3] = ["properties", "responses", "content"];

/// Lists of a schema that are sets.
const SETS: [&str; 2] = ["enum", "required"];

/// The order that the new document, or its first file, takes from the old one.
pub struct Order<'d> {
    old: &'d Value,
    new: &'d Value,
    /// Matching schemas.
    pairs: Vec<(String, String)>,
}

impl<'d> Order<'d> {
    /// Creates the order from the matches of the diff.
    pub fn between(old: &'d Source, new: &'d Source) -> Self {
        let matched = openapi_diff::matched(old, new);
        let (old, new) = (&old.value, &new.value);
        let to = Correspondence::new(old, new, &matched);
        let mut places: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
        for (a, all) in to.slots.iter().chain(&to.cores) {
            places.entry(a).or_default().extend(all);
        }
        let pairs = places.into_iter().flat_map(|(a, all)| {
            let a = target_schema(old, a);
            all.into_iter()
                .map(move |b| (a.clone(), target_schema(new, b)))
        });
        let mut pairs: Vec<(String, String)> = pairs.collect();
        // A place is first compared with itself, so that a second update finds the order of the first.
        pairs.sort_by_key(|(a, b)| a != b);
        Self { old, new, pairs }
    }

    /// Returns the document in this order.
    pub fn whole(&self, value: &Value) -> Value {
        let settled = self.ordered(value, value, settle);
        // Last: the pointers of the pairs lead to parameters at their positions in the new document.
        self.ordered(&settled, value, |like, place| self.parameters(like, place))
    }

    /// Returns the document with JSON Pointers in this order, except for those of enum values and required names. Of several files, only the
    /// first is reordered.
    pub fn with_pointers(&self, value: &Value, first: &Value) -> Value {
        self.ordered(value, first, settle)
    }

    fn ordered(
        &self,
        value: &Value,
        first: &Value,
        order: impl Fn(&Map<String, Value>, &mut Map<String, Value>),
    ) -> Value {
        let mut ordered = value.clone();
        let mut done = HashSet::new();
        // The content of another file is behind a reference to it.
        let is_own = |at: &str| {
            let own = first.pointer(at).map(reference);
            own.is_some() && own == value.pointer(at).map(reference)
        };
        for (a, b) in &self.pairs {
            let like = self.old.pointer(a);
            if let (Some(Value::Object(like)), Some(Value::Object(place))) =
                (like, ordered.pointer_mut(b))
                && is_own(b)
                && done.insert(b)
            {
                order(like, place);
            }
        }
        ordered
    }

    fn parameters(&self, like: &Map<String, Value>, place: &mut Map<String, Value>) {
        let (Some(Value::Array(like)), Some(Value::Array(place))) =
            (like.get("parameters"), place.get_mut("parameters"))
        else {
            return;
        };
        let known: Vec<_> = like.iter().map(|one| lists::key(self.old, one)).collect();
        reorder(place, |one| {
            let key = lists::key(self.new, one)?;
            known.iter().position(|known| known.as_ref() == Some(&key))
        });
    }
}

fn settle(like: &Map<String, Value>, place: &mut Map<String, Value>) {
    keys(like, place);
    for name in NAMES {
        if let (Some(Value::Object(like)), Some(Value::Object(place))) =
            (like.get(name), place.get_mut(name))
        {
            keys(like, place);
        }
    }
    // Lists of extensions may describe each value, in the same order.
    if place
        .iter()
        .any(|(key, value)| key.starts_with("x-") && value.is_array())
    {
        return;
    }
    for name in SETS {
        if let (Some(Value::Array(like)), Some(Value::Array(place))) =
            (like.get(name), place.get_mut(name))
        {
            reorder(place, |one| like.iter().position(|known| known == one));
        }
    }
}

/// Sorts the elements that have a position, within their places in the list.
fn reorder<T: Clone>(list: &mut [T], position: impl Fn(&T) -> Option<usize>) {
    let places = list.iter_mut().filter(|one| position(one).is_some());
    let mut places: Vec<&mut T> = places.collect();
    let mut sorted: Vec<T> = places.iter().map(|one| (**one).clone()).collect();
    sorted.sort_by_key(|one| position(one));
    for (place, one) in places.iter_mut().zip(sorted) {
        **place = one;
    }
}

fn keys(like: &Map<String, Value>, place: &mut Map<String, Value>) {
    let mut members: Vec<(String, Value)> = std::mem::take(place).into_iter().collect();
    let positions: HashMap<&String, usize> = like.keys().zip(0..).collect();
    reorder(&mut members, |(key, _)| positions.get(key).copied());
    *place = members.into_iter().collect();
}
