//! Schemas that contain themselves without an object or array in between: the engine would not end on them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::finding::Finding;
use crate::pointer;
use crate::source::Source;

const COMPONENTS: &str = "/components/schemas";

pub(super) fn check(source: &Source) -> Vec<Finding> {
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
