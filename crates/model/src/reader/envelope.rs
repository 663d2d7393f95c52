//! What a response has at its top level: the members that tell it from another JSON object, and which of them hold its content.
//!
//! Records further inside stay tolerant: a schema that is also part of another one is a record, and no envelope.

use std::collections::BTreeSet;

use openapi_document::pointer;
use serde_json::Value;

use crate::{Envelope, Model, Schema, properties, reference};

/// The envelopes of all responses, by the name of their schema.
pub(super) fn envelopes(model: &Model) -> Vec<(String, Envelope)> {
    let inside: BTreeSet<&str> = model.schemas.iter().flat_map(references).collect();
    let top = model.operations.iter().filter_map(|operation| {
        let schema = model.referenced(operation.success.as_ref()?)?;
        let is_own = !schema.usage.request && !inside.contains(schema.name.as_str());
        is_own.then(|| (schema.name.clone(), envelope(model, schema)))
    });
    top.collect()
}

fn references(schema: &Schema) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    pointer::walk(&schema.value, "", &mut |_, value| {
        found.extend(reference(value));
    });
    found
}

fn envelope(model: &Model, schema: &Schema) -> Envelope {
    let required = schema.value.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    let listed: BTreeSet<&str> = names.collect();
    let mut envelope = Envelope::default();
    for (_, name, value) in properties(model, schema) {
        if listed.contains(name.as_str()) {
            let never_null = value.get("nullable") != Some(&Value::Bool(true));
            // A member with several names, or whose form is assumed, may be read from elsewhere or be anything.
            let is_plain = value.get("x-aliases").is_none() && value.get("x-rust-type").is_none();
            if never_null && is_plain && holds_content(model, &value) {
                envelope.content.push(name.clone());
            }
            envelope.required.push(name);
        }
    }
    envelope
}

/// Whether values are objects or arrays.
fn holds_content(model: &Model, value: &Value) -> bool {
    let schema = model.referenced(value);
    if let Some(alternatives) = schema.and_then(|schema| schema.alternatives()) {
        return alternatives.iter().all(|one| holds_content(model, one));
    }
    let value = schema.map_or(value, |schema| &schema.value);
    let kind = value.get("type").and_then(Value::as_str);
    value.get("x-rust-type").is_none()
        && value.get("nullable") != Some(&Value::Bool(true))
        && matches!(kind, Some("object" | "array"))
}
