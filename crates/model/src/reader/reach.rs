//! Which schemas operations and webhooks reach, and in which direction their values travel.

use std::collections::{BTreeSet, HashMap};

use openapi_document::pointer;
use serde_json::Value;

use super::schemas::Hoisted;
use crate::{Operation, Schema, Usage, Webhook, reference};

/// Keeps what operations and webhooks reach, with the direction in which it travels.
pub(super) fn reached(
    hoisted: Vec<Hoisted>,
    operations: &[Operation],
    webhooks: &[Webhook],
) -> Vec<Schema> {
    let mut requested = BTreeSet::new();
    let mut responded = BTreeSet::new();
    let by_name: HashMap<&str, &Hoisted> = hoisted
        .iter()
        .map(|schema| (schema.name.as_str(), schema))
        .collect();
    let find = |name: &str| by_name.get(name).copied();
    for operation in operations {
        for sent in operation.sent() {
            collect(sent, &find, &mut requested);
        }
        for received in operation.received() {
            collect(received, &find, &mut responded);
        }
    }
    for webhook in webhooks {
        collect(&webhook.schema, &find, &mut responded);
    }
    let mut schemas: Vec<Schema> = hoisted
        .iter()
        .filter_map(|schema| {
            let usage = Usage {
                request: requested.contains(&schema.name),
                response: responded.contains(&schema.name),
            };
            (usage.request || usage.response).then(|| Schema {
                name: schema.name.clone(),
                pointer: schema.pointer.clone(),
                value: demanded(schema.value.clone(), usage),
                usage,
                origins: schema.origins.clone(),
                tag: schema.tag.clone(),
                envelope: None,
            })
        })
        .collect();
    // Hoisted children were finished before their parents; documentation reads better by name.
    schemas.sort_by(|a, b| a.name.cmp(&b.name));
    schemas
}

/// A schema without the demands that one side does not keep: a caller sends no `readOnly` property, a service no `writeOnly` one.
fn demanded(mut value: Value, usage: Usage) -> Value {
    let is_marked = |name: &Value, key| {
        let properties = value.get("properties");
        let property = properties.and_then(|all| all.get(name.as_str()?));
        property.and_then(|property| property.get(key)) == Some(&Value::Bool(true))
    };
    let required = value.get("required").and_then(Value::as_array);
    let kept: Vec<Value> = required
        .into_iter()
        .flatten()
        .filter(|name| {
            !(usage.request && is_marked(name, "readOnly")
                || usage.response && is_marked(name, "writeOnly"))
        })
        .cloned()
        .collect();
    if let Some(map) = value.as_object_mut()
        && map.contains_key("required")
    {
        map.insert("required".to_owned(), Value::Array(kept));
    }
    value
}

/// Notes all schemas that a value leads to, from a list rather than by recursion: a chain of them may be long.
fn collect<'h>(
    value: &Value,
    find: &impl Fn(&str) -> Option<&'h Hoisted>,
    into: &mut BTreeSet<String>,
) {
    let mut waiting = Vec::new();
    let mut note = |value: &Value, waiting: &mut Vec<&'h Value>| {
        pointer::walk(value, "", &mut |_, value| {
            if let Some(name) = reference(value)
                && !into.contains(name)
                && let Some(schema) = find(name)
            {
                into.insert(name.to_owned());
                waiting.push(&schema.value);
            }
        });
    };
    note(value, &mut waiting);
    while let Some(value) = waiting.pop() {
        note(value, &mut waiting);
    }
}
