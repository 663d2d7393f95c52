//! Compares the new document with the wish of an override: all of it is there, or a part of it and no contradiction.

use openapi_document::pointer;
use openapi_document::resolver::target;
use openapi_overlay::lists;
use serde_json::Value;

use super::resolution_path::{self, is_blank, resolution_path};

/// Maximum number of references and alternatives that are followed in a row.
const FOLLOWED: usize = 32;

/// Returns whether the document has an update at a location already, except for documentation and extensions. `current` is the document before
/// the action, with the components that overrides have added.
pub(super) fn agrees(root: &Value, current: &Value, at: &str, wanted: &Value) -> bool {
    let nodes = resolution_path(root, at);
    let there = |key: &str| {
        nodes
            .iter()
            .rev()
            .find_map(|node| root.pointer(node)?.get(key))
    };
    match wanted {
        Value::Object(map) => {
            let members: Vec<(&String, &Value)> =
                map.iter().filter(|(key, _)| !is_aside(key)).collect();
            root.pointer(at).is_some()
                && members
                    .iter()
                    .all(|(key, value)| match (key.as_str(), value) {
                        ("$ref", Value::String(reference)) => {
                            target(root, reference).is_some_and(|target| {
                                nodes.contains(&target.pointer)
                                    || agrees(root, current, at, target.value)
                            })
                        }
                        ("allOf", Value::Array(all)) => {
                            all.iter().all(|one| agrees(root, current, at, one))
                        }
                        ("minLength", value) if value.as_u64() == Some(0) => true,
                        (key, value) => {
                            let holder = nodes.iter().rev().find(|node| {
                                root.pointer(node)
                                    .is_some_and(|node| node.get(key).is_some())
                            });
                            holder.is_some_and(|node| {
                                agrees(root, current, &pointer::join(node, key), value)
                            }) && there(key).is_some()
                        }
                    })
        }
        Value::Array(wanted) => {
            let list = root.pointer(at).and_then(Value::as_array);
            let keyed = |one: &Value| lists::key(root, one).or_else(|| lists::key(current, one));
            list.is_some_and(|list| {
                wanted.iter().all(|one| {
                    list.iter().enumerate().any(|(index, there)| {
                        there == one
                            || one.is_object()
                                && keyed(one).is_some()
                                && keyed(one) == keyed(there)
                                && agrees(root, current, &format!("{at}/{index}"), one)
                    })
                })
            })
        }
        wanted => match root.pointer(at) {
            // `type: [string, "null"]` is the other notation of a nullable string.
            Some(Value::Array(types)) => types.contains(wanted),
            Some(there) => same_number(there, wanted),
            None => false,
        },
    }
}

fn same_number(a: &Value, b: &Value) -> bool {
    a == b || a.as_f64().is_some_and(|a| Some(a) == b.as_f64())
}

/// Returns whether a keyword has no effect on messages, or is elsewhere in the other dialect.
pub(super) fn is_aside(key: &str) -> bool {
    resolution_path::is_aside(key) || matches!(key, "nullable" | "required" | "operationId")
}

/// Returns whether the document's keywords at a location are compatible with an update: each is in the update, with a value that agrees or
/// is compatible.
pub(super) fn is_compatible(root: &Value, current: &Value, at: &str, wanted: &Value) -> bool {
    if agrees(root, current, at, wanted) {
        return true;
    }
    let Some(wanted) = meant(root, current, wanted) else {
        return false;
    };
    match (root.pointer(at), wanted) {
        (Some(Value::Object(_)), Value::Object(map)) => {
            resolution_path(root, at).iter().all(|node| {
                let said = root.pointer(node).and_then(Value::as_object);
                said.into_iter().flatten().all(|(key, value)| {
                    let is_wrapper = matches!(key.as_str(), "allOf" | "anyOf" | "oneOf" | "$ref");
                    // Every JSON number fits these formats.
                    let is_fraction = key == "format" && (value == "float" || value == "double");
                    is_aside(key)
                        || is_fraction
                        || is_wrapper
                        || map.get(key).is_some_and(|wanted| {
                            is_compatible(root, current, &pointer::join(node, key), wanted)
                        })
                })
            })
        }
        (Some(Value::Array(_)), Value::Array(wanted)) => {
            let list = root.pointer(at).and_then(Value::as_array);
            let named = |one: &Value| lists::key(root, one).or_else(|| lists::key(current, one));
            wanted.iter().all(|one| {
                let mut there = list.into_iter().flatten().enumerate();
                named(one).is_some()
                    && there.any(|(index, there)| {
                        named(there) == named(one)
                            && is_compatible(root, current, &format!("{at}/{index}"), one)
                    })
            })
        }
        _ => false,
    }
}

/// Resolves the schema of an update at a location: follows references, and drops null from alternatives.
fn meant<'v>(root: &'v Value, current: &'v Value, wanted: &'v Value) -> Option<&'v Value> {
    let mut wanted = wanted;
    for _ in 0..FOLLOWED {
        let reference = wanted.get("$ref").and_then(Value::as_str);
        let alternatives = ["anyOf", "oneOf"].iter().find_map(|key| wanted.get(*key));
        let mut schemas = alternatives
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter(|one| !is_blank(root, one));
        wanted = match (reference, schemas.next(), schemas.next()) {
            (Some(reference), ..) => {
                let found = target(root, reference).or_else(|| target(current, reference))?;
                found.value
            }
            (None, Some(only), None) => only,
            _ => return Some(wanted),
        };
    }
    None
}
