//! Merges properties that the document also declares by their `x-aliases`, so that tools without support for the extension find both
//! names. An alias of another form stays, and `lint` refuses it.

use std::collections::BTreeMap;

use openapi_document::keywords::Role::{Annotation, Bound, Direction, Format, Limit, Words};
use openapi_document::keywords::has_role;
use serde_json::{Map, Value, json};

use crate::reading::{Document, is_same};

/// Removes the aliases from the properties of a schema and of its parts. A list of alternatives that each require one of the names
/// becomes a requirement of the property.
pub(super) fn fold(schema: &mut Map<String, Value>, root: &Value) {
    for (property, aliases) in aliased(schema, root) {
        remove(schema, &aliases);
        let names: Vec<&String> = aliases.iter().chain([&property]).collect();
        if is_any_required(schema, &names) {
            schema.shift_remove("anyOf");
            let required = schema.entry("required").or_insert(json!([]));
            if let Value::Array(required) = required {
                required.push(property.into());
            }
        }
    }
}

/// Removes properties from a schema and its parts.
fn remove(schema: &mut Map<String, Value>, names: &[String]) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for name in names {
            properties.shift_remove(name);
        }
    }
    let parts = schema.get_mut("allOf").and_then(Value::as_array_mut);
    for part in parts.into_iter().flatten() {
        if let Value::Object(part) = part {
            remove(part, names);
        }
    }
}

/// Collects the properties of a schema and of its parts.
fn declared<'s>(schema: &'s Map<String, Value>, properties: &mut BTreeMap<&'s String, &'s Value>) {
    let own = schema.get("properties").and_then(Value::as_object);
    properties.extend(own.into_iter().flatten());
    let parts = schema.get("allOf").and_then(Value::as_array);
    let parts = parts.into_iter().flatten();
    for part in parts.filter_map(Value::as_object) {
        declared(part, properties);
    }
}

/// Returns the properties with those of their aliases that are declared in the same form.
fn aliased(schema: &Map<String, Value>, root: &Value) -> Vec<(String, Vec<String>)> {
    let mut properties = BTreeMap::new();
    declared(schema, &mut properties);
    let all = properties.iter().filter_map(|(property, own)| {
        let names = own.get("x-aliases")?.as_array()?.iter();
        let declared = names.filter_map(Value::as_str).filter(|alias| {
            let other = properties.get(&(*alias).to_owned());
            other.is_some_and(|other| is_same(&mut Document::new(root), own, other, is_aside))
        });
        let declared: Vec<String> = declared.map(str::to_owned).collect();
        (!declared.is_empty()).then(|| ((*property).clone(), declared))
    });
    all.collect()
}

/// Returns whether the alternatives of a schema each require one of these names, and cover all of them.
fn is_any_required(schema: &Map<String, Value>, names: &[&String]) -> bool {
    let Some(alternatives) = schema.get("anyOf").and_then(Value::as_array) else {
        return false;
    };
    let mut wanted = names.iter().map(|name| json!({"required": [name]}));
    alternatives.len() == names.len() && wanted.all(|wanted| alternatives.contains(&wanted))
}

/// Returns whether a keyword says nothing about the form of values.
fn is_aside(key: &str, _: &Value) -> bool {
    key.starts_with("x-") || has_role(key, &[Words, Annotation, Direction, Bound, Format, Limit])
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_that_is_declared_by_its_other_name_too_is_one_property() {
        let root = json!({"components": {"schemas": {"Id": {"type": "string"}}}});
        let schema = |wrong: &str| {
            json!({
                "properties": {
                    "id": {"allOf": [{"$ref": "#/components/schemas/Id"}], "x-aliases": ["key", "size"]},
                    "key": {"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}]},
                    "size": {"type": "integer"},
                },
                "required": ["size"],
                "anyOf": [{"required": ["id"]}, {"required": [wrong]}],
            })
        };
        let folded = |mut schema: Value| {
            fold(schema.as_object_mut().unwrap(), &root);
            let names: Vec<String> = schema["properties"]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect();
            (
                names,
                schema["required"].clone(),
                schema.get("anyOf").is_some(),
            )
        };
        // The alias of `size` has another form.
        let names = ["id", "size"].map(str::to_owned).to_vec();
        assert_eq!(
            folded(schema("key")),
            (names.clone(), json!(["size", "id"]), false)
        );
        assert_eq!(folded(schema("size")), (names, json!(["size"]), true));
    }

    #[test]
    fn lists_have_the_same_form_however_their_elements_are_said() {
        let id = json!({"$anchor": "Id", "type": "string"});
        let root = json!({"components": {"schemas": {"Id": id}}});
        let written = [
            (json!({"$ref": "#Id"}), 1),
            (json!({"type": "string"}), 1),
            (json!({"allOf": [{"$ref": "#/components/schemas/Id"}]}), 1),
            (json!({"type": "integer"}), 2),
        ];
        for (items, count) in written {
            let mut schema = json!({"properties": {
                "ids": {"type": "array", "items": {"$ref": "#/components/schemas/Id"}, "x-aliases": ["keys"]},
                "keys": {"type": "array", "items": items},
            }});
            fold(schema.as_object_mut().unwrap(), &root);
            let properties = schema["properties"].as_object().unwrap();
            assert_eq!(properties.len(), count, "{items}");
        }
    }

    #[test]
    fn the_names_may_stand_in_different_parts_of_a_schema() {
        let mut schema = json!({
            "allOf": [
                {"properties": {"key": {"type": "string"}}},
                {"allOf": [{"properties": {"id": {"type": "string", "x-aliases": ["key"]}}}]},
            ],
            "anyOf": [{"required": ["id"]}, {"required": ["key"]}],
        });
        fold(schema.as_object_mut().unwrap(), &Value::Null);
        assert_eq!(schema["allOf"][0]["properties"], json!({}));
        assert_eq!(schema["required"], json!(["id"]));
        assert!(schema.get("anyOf").is_none());
    }
}
