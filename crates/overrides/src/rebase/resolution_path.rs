//! The resolution path from a location to its schema: through references, and wrappers of one element and of null.

use openapi_document::keywords;
use openapi_document::pointer;
use openapi_document::resolver::{self, REFERRING, reference, referred};
use openapi_schemas::method_at;
use serde_json::{Map, Value};

/// Maximum length of a resolution path; a longer one is circular.
const LONGEST: usize = 32;

/// Returns whether a key does not describe values: documentation for people, and extensions.
pub(super) fn is_aside(key: &str) -> bool {
    keywords::is_words(key) || key.starts_with("x-")
}

/// Returns the members of an object except for documentation and extensions.
pub(super) fn without_words(map: &Map<String, Value>) -> Map<String, Value> {
    let said = map.iter().filter(|(key, _)| !is_aside(key));
    said.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Returns the resolution path of a location, which is its first element. A value that is not a schema has only itself and its reference.
pub(super) fn resolution_path(root: &Value, at: &str) -> Vec<String> {
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

/// Returns whether a schema allows any value: it is `true`, or empty except for documentation and extensions.
pub(super) fn is_silent(schema: &Value) -> bool {
    let map = schema.as_object();
    *schema == Value::Bool(true)
        || map.is_some_and(|map| {
            map.keys()
                .all(|key| !REFERRING.contains(&&**key) && is_beside(key))
        })
}

/// Returns the schema whose `allOf` leads to a schema, or the schema.
pub(super) fn whole_schema(mut at: &str) -> &str {
    while let Some((list, _)) = pointer::split_last(at)
        && let Some(whole) = list.strip_suffix("/allOf")
    {
        at = whole;
    }
    at
}

/// Returns the schema that has a property, and the name of the property.
pub(super) fn property(at: &str) -> Option<(&str, String)> {
    let (properties, name) = pointer::split_last(at)?;
    Some((properties.strip_suffix("/properties")?, name))
}

/// Returns the last element of the resolution path.
pub(super) fn target_schema(root: &Value, at: &str) -> String {
    resolution_path(root, at).pop().unwrap_or_default()
}

/// Returns whether a keyword beside a reference does not restrict its values.
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
            // The type is repeated by the wrapper.
            ("type", _) => {}
            (key, _) if is_beside(key) => {}
            _ => return None,
        }
    }
    found
}

/// Returns the target of one reference.
pub(super) fn target(root: &Value, reference: &str) -> Option<String> {
    resolver::target(root, reference).map(|target| target.pointer)
}

/// Returns whether null is the only value of a schema.
pub(super) fn is_null(root: &Value, schema: &Value) -> bool {
    takes_only(root, schema, Value::is_null)
}

/// Returns whether a schema allows only null, or the placeholder of some tools for an omitted choice.
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

/// Returns whether a pointer is that of an operation.
pub(super) fn is_operation(at: &str) -> bool {
    let tokens: Vec<String> = pointer::tokens(at).collect();
    let [paths, _, steps @ ..] = tokens.as_slice() else {
        return false;
    };
    paths == "paths" && method_at(steps).is_some_and(|(_, rest)| rest.is_empty())
}

/// Returns kind and name of a component, if the pointer is one.
pub(super) fn component(at: &str) -> Option<(String, String)> {
    let mut tokens = pointer::tokens(at);
    let found = match (tokens.next()?.as_str(), tokens.next()?, tokens.next()?) {
        ("components", kind, name) => (kind, name),
        _ => return None,
    };
    tokens.next().is_none().then_some(found)
}

/// Returns the pointer of the component that contains a location, or is it.
pub(super) fn component_of(at: &str) -> Option<&str> {
    let rest = at.strip_prefix("/components/")?;
    let kind = rest.find('/')?;
    let name = rest.get(kind + 1..)?;
    let end = name.find('/').unwrap_or(name.len());
    at.get(.."/components/".len() + kind + 1 + end)
}
