//! A component that an override adds to a document that lacks it.

use openapi_document::pointer;
use serde_json::{Map, Value};

use super::query::queries;

/// The text of the action. Where the document has no components of the kind, it adds what holds them.
pub(super) fn action(new: &Value, kind: &str, name: &str, component: &Value) -> String {
    let path = ["components", kind, name];
    let first = |count: usize| {
        let keys = path.iter().take(count);
        keys.fold(String::new(), |at, key| pointer::join(&at, key))
    };
    let is_there = |count: &usize| new.pointer(&first(*count)).is_some();
    let known = (1..path.len()).rev().find(is_there).unwrap_or(0);
    let missing: Vec<&str> = path.iter().skip(known).copied().collect();
    let nested = |value: Value| {
        missing
            .iter()
            .rev()
            .fold(value, |inner, key| one(key, inner))
    };
    let update = nested(component.clone());
    let guard = one(missing.first().copied().unwrap_or(name), Value::Null);
    let targets = queries(new, &[first(known)]).into_iter();
    let text = targets.map(|(target, _)| {
        let target = Value::String(target);
        format!("  - target: {target}\n    x-expect: {guard}\n    update: {update}\n")
    });
    text.collect()
}

/// An object with this key alone.
pub(super) fn one(key: &str, value: Value) -> Value {
    let mut map = Map::new();
    map.insert(key.to_owned(), value);
    map.into()
}
