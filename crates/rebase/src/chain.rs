//! From a place to the schema that is meant there: references followed, wrappers of one element and of null seen through.

use openapi_document::keywords;
use openapi_document::pointer;
use openapi_document::resolver::{self, REFERRING, reference, referred};
use openapi_schemas::method_at;
use serde_json::{Map, Value};

/// A longer chain is a circle.
const LONGEST: usize = 32;

/// Returns whether a key says nothing of values: words for people, and extensions.
pub(super) fn is_aside(key: &str) -> bool {
    keywords::is_words(key) || key.starts_with("x-")
}

/// What an object says besides words and extensions.
pub(super) fn without_words(map: &Map<String, Value>) -> Map<String, Value> {
    let said = map.iter().filter(|(key, _)| !is_aside(key));
    said.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// The nodes from a place to what is meant, the place first. Never empty; what is no schema is a chain of itself and its reference.
pub(super) fn chain(root: &Value, at: &str) -> Vec<String> {
    let mut nodes = vec![at.to_owned()];
    for _ in 0..LONGEST {
        let Some(last) = nodes.last() else { break };
        match inner(root, last) {
            Some(next) if !nodes.contains(&next) => nodes.push(next),
            _ => break,
        }
    }
    nodes
}

/// Whether a schema constrains no value: it is `true`, or empty but for words and extensions.
pub(super) fn is_silent(schema: &Value) -> bool {
    let map = schema.as_object();
    *schema == Value::Bool(true)
        || map.is_some_and(|map| {
            map.keys()
                .all(|key| !REFERRING.contains(&&**key) && is_beside(key))
        })
}

/// What is meant at a place.
pub(super) fn core(root: &Value, at: &str) -> String {
    chain(root, at).pop().unwrap_or_default()
}

/// Whether a keyword beside a reference leaves open which values are meant.
fn is_beside(key: &str) -> bool {
    keywords::is_silent(key)
        || REFERRING.contains(&key)
        || matches!(key, "nullable" | "discriminator")
}

fn inner(root: &Value, at: &str) -> Option<String> {
    let map = root.pointer(at)?.as_object()?;
    if let Some(reference) = root.pointer(at).and_then(reference) {
        let target = target(root, reference)?;
        return map.keys().all(|key| is_beside(key)).then_some(target);
    }
    let mut found = None;
    for (key, value) in map {
        match (key.as_str(), value.as_array()) {
            ("allOf" | "oneOf" | "anyOf", Some(list)) if found.is_none() => {
                let mut left = list
                    .iter()
                    .enumerate()
                    .filter(|(_, one)| key == "allOf" || !is_blank(root, one));
                let (index, _) = left.next()?;
                if left.next().is_some() {
                    return None;
                }
                found = Some(format!("{at}/{key}/{index}"));
            }
            // The type that a wrapper repeats.
            ("type", _) => {}
            (key, _) if is_beside(key) => {}
            _ => return None,
        }
    }
    found
}

/// Where a reference leads, one step.
pub(super) fn target(root: &Value, reference: &str) -> Option<String> {
    resolver::target(root, reference).map(|target| target.pointer)
}

/// Whether null is the only value of a schema.
pub(super) fn is_null(root: &Value, schema: &Value) -> bool {
    takes_only(root, schema, Value::is_null)
}

/// Whether a schema takes null alone, or what some tools write for a choice that was left out.
pub(super) fn is_blank(root: &Value, schema: &Value) -> bool {
    takes_only(root, schema, |value| value.is_null() || value == "")
}

fn takes_only(root: &Value, schema: &Value, is_one: impl Fn(&Value) -> bool) -> bool {
    let schema = referred(root, schema).unwrap_or(schema);
    match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(values)), _) => !values.is_empty() && values.iter().all(is_one),
        (_, Some(value)) => is_one(value),
        _ => schema.get("type").is_some_and(|name| name == "null"),
    }
}

/// Whether a pointer is that of an operation.
pub(super) fn is_operation(at: &str) -> bool {
    let tokens: Vec<String> = pointer::tokens(at).collect();
    let [paths, _, steps @ ..] = tokens.as_slice() else {
        return false;
    };
    paths == "paths" && method_at(steps).is_some_and(|(_, rest)| rest.is_empty())
}

/// Whether a pointer is that of a component: its kind and its name.
pub(super) fn component(at: &str) -> Option<(String, String)> {
    let mut tokens = pointer::tokens(at);
    let found = match (tokens.next()?.as_str(), tokens.next()?, tokens.next()?) {
        ("components", kind, name) => (kind, name),
        _ => return None,
    };
    tokens.next().is_none().then_some(found)
}

/// The pointer of the component that a place is in or is.
pub(super) fn component_of(at: &str) -> Option<&str> {
    let rest = at.strip_prefix("/components/")?;
    let kind = rest.find('/')?;
    let name = rest.get(kind + 1..)?;
    let end = name.find('/').unwrap_or(name.len());
    at.get(.."/components/".len() + kind + 1 + end)
}
