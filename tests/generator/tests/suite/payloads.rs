//! The payloads of the reference, `tests/facts/payloads/`: one for each operation, with every documented field and no other. Values were
//! written by people; a new field has a made-up value until they write another.

use std::collections::BTreeSet;

use openapi_document::pointer;
use serde_json::{Map, Value, json};

use crate::support::Inputs;

/// Folder of the payloads below that of the facts.
const FOLDER: &str = "payloads";
/// Maximum depth of nested schemas, which may be recursive; deeper ones get no value.
const DEEPEST: usize = 12;

struct Refresh<'a> {
    document: &'a Value,
}

impl<'a> Refresh<'a> {
    fn resolve(&self, schema: &'a Value) -> &'a Value {
        if let Some(reference) = schema["$ref"].as_str() {
            return self.resolve(self.document.pointer(&reference[1..]).unwrap());
        }
        match schema["allOf"].as_array().map(Vec::as_slice) {
            Some([only]) => self.resolve(only),
            _ => schema,
        }
    }

    /// Updates a payload: keeps documented fields in order and, if `fills`, appends the missing ones.
    fn value(&self, schema: &'a Value, old: &Value, fills: bool) -> Value {
        let resolved = self.resolve(schema);
        let is_loose = |schema: &Value| schema.get("x-rust-type").is_some();
        // The field is read from several forms, and people chose one.
        if is_loose(schema) || is_loose(resolved) || old.is_null() {
            return old.clone();
        }
        let schema = resolved;
        match (schema["type"].as_str(), old) {
            (Some("object"), Value::Object(old)) => self.object(schema, old, fills).into(),
            // The first of several elements has every field.
            (Some("array"), Value::Array(old)) => (0..)
                .zip(old)
                .map(|(index, item)| self.value(&schema["items"], item, fills && index == 0))
                .collect(),
            (Some("string"), Value::String(_))
            | (Some("integer" | "number"), Value::Number(_))
            | (Some("boolean"), Value::Bool(_))
            | (None, _) => old.clone(),
            _ => self.made_up(schema, 0),
        }
    }

    fn object(
        &self,
        schema: &'a Value,
        old: &Map<String, Value>,
        fills: bool,
    ) -> Map<String, Value> {
        let Some(properties) = schema["properties"].as_object() else {
            return old.clone();
        };
        let names = |name: &str| -> BTreeSet<String> {
            let owner = properties.iter().find(|(_, one)| is_alias(one, name));
            let name = owner.map_or(name, |(owner, _)| owner);
            let aliases = properties[name]["x-aliases"].as_array();
            let aliases = aliases.into_iter().flatten().filter_map(Value::as_str);
            aliases.chain([name]).map(str::to_owned).collect()
        };
        let mut new = Map::new();
        for (name, value) in old {
            let property = properties.iter().find(|(own, _)| names(own).contains(name));
            if let Some((_, property)) = property {
                new.insert(name.clone(), self.value(property, value, fills));
            } else if schema["additionalProperties"] == true {
                new.insert(name.clone(), value.clone());
            }
        }
        for (name, property) in properties.iter().filter(|_| fills) {
            if names(name).iter().all(|name| !new.contains_key(name)) {
                new.insert(name.clone(), self.made_up(property, 0));
            }
        }
        new
    }

    fn made_up(&self, schema: &'a Value, depth: usize) -> Value {
        let schema = self.resolve(schema);
        if depth > DEEPEST {
            return Value::Null;
        }
        if let Some(value) = schema.get("example").or_else(|| schema["enum"].get(0)) {
            return value.clone();
        }
        match (schema["type"].as_str(), schema["format"].as_str()) {
            (Some("string"), Some("date")) => json!("2025-01-02"),
            (Some("string"), Some("date-time")) => json!("2025-01-02T03:04:05Z"),
            (Some("string"), Some("uuid")) => json!("3d0c1a52-9b1e-4f6c-8a57-0e2b7c9d4f10"),
            (Some("string"), Some("uri")) => json!("https://made-up.example"),
            (Some("integer"), _) => schema.get("minimum").cloned().unwrap_or(json!(1)),
            (Some("number"), _) => schema.get("minimum").cloned().unwrap_or(json!(0.5)),
            (Some("boolean"), _) => json!(true),
            (Some("array"), _) => json!([self.made_up(&schema["items"], depth + 1)]),
            (Some("object"), _) => {
                let properties = schema["properties"].as_object().into_iter().flatten();
                let own = properties.clone().filter(|(name, _)| {
                    let mut all = properties.clone();
                    all.all(|(_, one)| !is_alias(one, name))
                });
                own.map(|(name, property)| (name.clone(), self.made_up(property, depth + 1)))
                    .collect()
            }
            _ => json!("made up"),
        }
    }
}

/// Returns whether a property is read from another name, too.
fn is_alias(property: &Value, name: &str) -> bool {
    let aliases = property["x-aliases"].as_array();
    aliases.is_some_and(|aliases| aliases.iter().any(|alias| alias == name))
}

#[test]
fn every_operation_has_a_payload_with_every_documented_field_and_no_other() {
    let inputs = Inputs::committed();
    let document = inputs.reconciled().value();
    let mut reviewed = reviewed_facts::all(FOLDER);
    assert!(reviewed.len() > 5, "{reviewed:?}");
    for operation in &inputs.model().operations {
        let content = pointer::join(&operation.success_pointer, "content");
        let schema = document.pointer(&format!("{content}/application~1json/schema"));
        let Some(schema) = schema else { continue };
        let text = reviewed.remove(&operation.rust_name).unwrap_or_default();
        let old: Value = serde_json::from_str(&text).unwrap_or_default();
        let refresh = Refresh { document };
        let new = match &old {
            Value::Null => refresh.made_up(schema, 0),
            old => refresh.value(schema, old, true),
        };
        let new = if new == old {
            text
        } else {
            serde_json::to_string_pretty(&new).unwrap() + "\n"
        };
        let file = format!("{FOLDER}/{}.json", operation.rust_name);
        reviewed_facts::assert_reviewed(&file, Some(&new));
    }
    for gone in reviewed.keys() {
        reviewed_facts::assert_reviewed(&format!("{FOLDER}/{gone}.json"), None);
        let snapshot = format!("../conformance/tests/snapshots/payload-{gone}.snap");
        reviewed_facts::assert_reviewed(&snapshot, None);
    }
}

#[test]
fn a_payload_keeps_what_people_wrote_and_gets_what_is_new() {
    let document = json!({"components": {"schemas": {
        "Kind": {"type": "string", "enum": ["a", "b"]},
        "Thing": {"type": "object", "properties": {
            "kind": {"$ref": "#/components/schemas/Kind"},
            "own": {"type": "string", "x-aliases": ["other"]},
            "size": {"type": "integer"},
        }},
    }}});
    let schema = json!({"type": "array", "items": {"$ref": "#/components/schemas/Thing"}});
    let refresh = Refresh {
        document: &document,
    };
    let old = json!([{"size": "large", "other": "as written", "gone": 1}]);
    let new = json!([{"size": 1, "other": "as written", "kind": "a"}]);
    assert_eq!(refresh.value(&schema, &old, true), new);
    assert_eq!(refresh.value(&schema, &new, true), new);
    let made_up = json!([{"kind": "a", "own": "made up", "size": 1}]);
    assert_eq!(refresh.made_up(&schema, 0), made_up);
}
