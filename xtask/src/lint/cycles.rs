//! Schemas that contain themselves without an object or array in between: the engine would not end on them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::finding::Finding;
use crate::openapi::resolve;
use crate::pointer;
use crate::source::Source;

const COMPONENTS: &str = "/components/schemas";

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = compositions(source);
    // The second family presumes that `allOf` ends.
    if findings.is_empty() {
        findings = merges(source);
    }
    findings
}

/// `allOf` whose parts give one property differently, with a type in it that contains itself: the engine merges the
/// two, what they refer to, what that refers to, and overflows its stack.
fn merges(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    pointer::walk(&source.value, "", &mut |at, value| {
        let Some(parts) = value.get("allOf").and_then(Value::as_array) else {
            return;
        };
        let mut seen: BTreeMap<&str, &Value> = BTreeMap::new();
        let own = std::iter::once(value.get("properties"));
        let of_parts = parts.iter().flat_map(|part| properties(source, part));
        for (name, property) in own
            .flatten()
            .filter_map(Value::as_object)
            .flatten()
            .map(|(name, property)| (name.as_str(), property))
            .chain(of_parts)
        {
            let Some(earlier) = seen.insert(name, property).filter(|one| *one != property) else {
                continue;
            };
            if reaches_itself(source, property) || reaches_itself(source, earlier) {
                findings.push(source.finding(
                    "schema-cycle",
                    at,
                    format!(
                        "parts of `allOf` give `{name}` differently, and its type contains itself"
                    ),
                    "take the property out of one of the parts in an override",
                ));
            }
        }
    });
    findings
}

/// The properties of a part of `allOf`, and of the parts that it has.
fn properties<'d>(source: &'d Source, part: &'d Value) -> Vec<(&'d str, &'d Value)> {
    let part = match part.get("$ref").and_then(Value::as_str) {
        Some(reference) => pointer::from_fragment(reference)
            .and_then(|target| resolve(&source.value, target))
            .map_or(part, |(_, part)| part),
        None => part,
    };
    let parts = part.get("allOf").and_then(Value::as_array);
    part.get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(name, property)| (name.as_str(), property))
        .chain(
            parts
                .into_iter()
                .flatten()
                .flat_map(|part| properties(source, part)),
        )
        .collect()
}

/// Whether anything that a schema refers to refers back to itself.
fn reaches_itself(source: &Source, schema: &Value) -> bool {
    let reached = reached(source, schema);
    reached.iter().any(|target| {
        let at = source.value.pointer(target).unwrap_or(&Value::Null);
        self::reached(source, at).contains(target)
    })
}

fn reached(source: &Source, schema: &Value) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        pointer::walk(schema, "", &mut |_, value| {
            let target = value.get("$ref").and_then(Value::as_str);
            if let Some(target) = target.and_then(pointer::from_fragment)
                && seen.insert(target.to_owned())
            {
                open.extend(source.value.pointer(target));
            }
        });
    }
    seen
}

fn compositions(source: &Source) -> Vec<Finding> {
    let schemas = source.value.pointer(COMPONENTS).and_then(Value::as_object);
    schemas
        .into_iter()
        .flatten()
        .filter(|(name, _)| contains_itself(source, name))
        .map(|(name, _)| {
            source.finding(
                "schema-cycle",
                pointer::join(COMPONENTS, name),
                format!("`{name}` contains itself through `allOf`, `oneOf` or `anyOf`"),
                "break the circle in an override: a property or an array between the two makes it a type",
            )
        })
        .collect()
}

fn contains_itself(source: &Source, name: &str) -> bool {
    let start = pointer::join(COMPONENTS, name);
    let mut seen = BTreeSet::new();
    let mut open = vec![start.clone()];
    while let Some(at) = open.pop() {
        let Some(schema) = source.value.pointer(&at) else {
            continue;
        };
        let mut parts = vec![schema];
        while let Some(part) = parts.pop() {
            if let Some(target) = part
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(pointer::from_fragment)
            {
                if target == start {
                    return true;
                }
                if seen.insert(target.to_owned()) {
                    open.push(target.to_owned());
                }
            }
            for key in ["allOf", "oneOf", "anyOf"] {
                parts.extend(
                    part.get(key)
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten(),
                );
            }
        }
    }
    false
}
