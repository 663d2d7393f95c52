//! Adapts an update to its location in the new document: names of properties, and a type that is one of a list.

use openapi_document::pointer;
use openapi_overlay::lists::settle;
use openapi_schemas::reading::resolution_path;
use serde_json::{Map, Value};

use super::correspondence::Correspondence;
use super::outcome::{Documents, Pairing};
use super::pointers::{property, whole_schema};
use crate::required::has_property;

/// Returns the update for a pair of locations. Required properties and aliases get their new names.
pub(super) fn fitted(
    to: &Correspondence<'_>,
    documents: &Documents<'_>,
    pair: &Pairing,
    update: &Value,
) -> Value {
    let Value::Object(map) = update else {
        return update.clone();
    };
    let mut kept = Map::new();
    for (key, value) in map {
        let there = to.new.pointer(&pair.new).and_then(|node| node.get(key));
        let left = match (key.as_str(), value, there) {
            ("required", Value::Array(names), _) => Some(required(to, pair, names)),
            // The names beside that of the document: its new one is none of them, and its old one is.
            ("x-aliases", Value::Array(names), _) => aliases(to, documents, pair, names),
            // An update would be appended to the list.
            ("type", Value::String(_), Some(Value::Array(types))) if types.contains(value) => None,
            (_, Value::Object(_), Some(Value::Object(_))) => {
                let below = Pairing {
                    old: pointer::join(&pair.old, key),
                    new: pointer::join(&pair.new, key),
                };
                let below = fitted(to, documents, &below, value);
                (&below == value || !is_empty(&below)).then_some(below)
            }
            _ => Some(value.clone()),
        };
        kept.extend(left.map(|left| (key.clone(), left)));
    }
    kept.into()
}

/// Returns the other names of a property, which the new document may have renamed. A name that only the new document has as a property is an
/// alias no more: one of the two would swallow the other. `None` if no name is left.
fn aliases(
    to: &Correspondence<'_>,
    documents: &Documents<'_>,
    Pairing { old, new }: &Pairing,
    names: &[Value],
) -> Option<Value> {
    let owners = owner(old).zip(owner(new));
    let is_new = |name: &str| {
        owners.is_some_and(|(before, after)| {
            let was = settle(to.old, documents.old, before).0;
            has(to.new, after, name) && !has(documents.old, &was, name)
        })
    };
    let both = pointer::split_last(old).zip(pointer::split_last(new));
    let renamed = both.filter(|((_, was), (_, now))| was != now);
    let (was, now) = renamed.map(|((_, was), (_, now))| (was, now)).unzip();
    let own = names
        .iter()
        .filter(|name| now != name.as_str().map(str::to_owned));
    let (taken, own): (Vec<&Value>, Vec<&Value>) =
        own.partition(|name| name.as_str().is_some_and(is_new));
    let left = own.into_iter().cloned().chain(was.map(Value::from));
    let left: Vec<Value> = left.collect();
    (taken.is_empty() || !left.is_empty()).then(|| left.into())
}

/// Returns the schema that has a property, with all parts of its `allOf`.
fn owner(at: &str) -> Option<&str> {
    property(at).map(|(schema, _)| whole_schema(schema))
}

/// Returns the required names, each as the new document calls the property.
fn required(to: &Correspondence<'_>, pair: &Pairing, names: &[Value]) -> Value {
    let owners = resolution_path(to.old, &pair.old);
    let renamed = |name: &str| {
        let mut counterparts = owners.iter().filter_map(|owner| {
            let properties = pointer::join(owner, "properties");
            to.slots.get(&pointer::join(&properties, name))?.first()
        });
        let (_, new) = pointer::split_last(counterparts.next()?)?;
        (new != name).then_some(new)
    };
    let names = names.iter().map(|name| {
        let new = renamed(name.as_str().unwrap_or_default());
        new.map_or_else(|| name.clone(), Value::from)
    });
    names.collect()
}

/// Returns whether the schema at a location has a property.
fn has(root: &Value, at: &str, name: &str) -> bool {
    root.pointer(at)
        .is_some_and(|schema| has_property(root, schema, name))
}

/// Returns whether an update is empty.
pub(super) fn is_empty(update: &Value) -> bool {
    update.as_object().is_some_and(Map::is_empty)
}
