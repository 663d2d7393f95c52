//! Lookups at a pointer: a schema, a property, a component or an operation.

use openapi_document::keywords;
use openapi_document::pointer;
use openapi_overlay::lists;
use openapi_schemas::method_at;
use openapi_schemas::reading::resolution_path;
use serde_json::Value;

/// Returns whether a key does not describe values: documentation for people, and extensions.
pub(super) fn is_aside(key: &str) -> bool {
    keywords::is_words(key) || key.starts_with("x-")
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

/// Returns whether a pointer is that of an operation.
pub(super) fn is_operation(at: &str) -> bool {
    let tokens: Vec<String> = pointer::tokens(at).collect();
    let [paths, _, steps @ ..] = tokens.as_slice() else {
        return false;
    };
    paths == "paths" && method_at(steps).is_some_and(|(_, rest)| rest.is_empty())
}

/// Returns the pointer of the operation that contains a location, or is it.
pub(super) fn operation_of(at: &str) -> Option<&str> {
    let ends = at.match_indices('/').map(|(end, _)| end);
    let mut starts = ends.chain([at.len()]).filter_map(|end| at.get(..end));
    starts.find(|start| is_operation(start))
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

/// Returns the parameter of a list that has a key.
pub(super) fn parameter<'v>(
    root: &'v Value,
    list: Option<&'v Value>,
    key: &Option<(String, String)>,
) -> Option<&'v Value> {
    let mut all = list?.as_array()?.iter();
    all.find(|one| lists::key(root, one) == *key)
}

/// Returns a member of the value at a pointer.
pub(super) fn member<'v>(root: &'v Value, at: &str, key: &str) -> Option<&'v Value> {
    root.pointer(at)?.get(key)
}
