//! Finds the keywords that allow null at a location of a document, in each notation of OpenAPI 3, and the locations of its responses.

use std::collections::{BTreeSet, HashSet};

use openapi_schemas::operations;
use openapi_schemas::reading::{
    CHOICES, Document, described, is_null, leaves_open, names_types, resolution_path,
};
use serde_json::{Value, json};

/// A keyword that allows null, at one schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Allowance {
    /// Pointer of the schema.
    pub(super) schema: String,
    /// Path of the keyword below it, as the end of a JSONPath.
    pub(super) end: String,
    /// Value of the keyword, as JSON.
    pub(super) text: String,
}

/// Returns all keywords that have to be removed to forbid null at a location. Empty if null is not allowed.
pub(super) fn allowances(root: &Value, at: &str) -> Vec<Allowance> {
    let mut document = Document::new(root);
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut open = vec![at.to_owned()];
    while let Some(at) = open.pop() {
        for node in resolution_path(root, &at) {
            if !seen.insert(node.clone()) {
                continue;
            }
            found.extend(direct(&mut document, &node));
            // One alternative that allows null is enough.
            for key in CHOICES {
                let list = root.pointer(&node).and_then(|schema| schema.get(key));
                let count = list.and_then(Value::as_array).map_or(0, Vec::len);
                let parts = (0..count).map(|index| format!("{node}/{key}/{index}"));
                open.extend(parts.filter(|part| {
                    let part = root.pointer(part);
                    part.is_some_and(|part| !is_null(&mut document, part))
                }));
            }
        }
    }
    found
}

/// Returns the keywords of one schema that allow null. A schema of only null has nothing to remove.
fn direct(document: &mut Document<'_>, at: &str) -> Vec<Allowance> {
    let root = document.root;
    let Some(schema) = root.pointer(at).and_then(Value::as_object) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut add = |end: String, value: &Value| {
        found.push(Allowance {
            schema: at.to_owned(),
            end,
            text: value.to_string(),
        });
    };
    let is_mark = |key: &str, value: &Value| names_types(key) && *value == Value::Bool(true);
    for (key, value) in schema.iter().filter(|(key, value)| is_mark(key, value)) {
        add(format!(".{key}"), value);
    }
    for key in ["type", "enum"].into_iter().chain(CHOICES) {
        let Some(list) = schema.get(key).and_then(Value::as_array) else {
            continue;
        };
        let all = list.iter().enumerate();
        let nulls = all.filter(|(_, value)| match key {
            "type" => *value == "null",
            "enum" => value.is_null(),
            _ => is_null(document, value),
        });
        let nulls: Vec<(usize, &Value)> = nulls.collect();
        if nulls.len() == list.len() {
            continue;
        }
        for (index, value) in nulls {
            // The position of null in the list differs by location, so that each would need a separate line.
            if value.get("type").is_some_and(|name| name == "null") {
                let end = format!(".{key}[?(@.type == 'null')]");
                add(end, &json!({"type": "null"}));
            } else {
                add(format!(".{key}[{index}]"), value);
            }
        }
    }
    found
}

/// Returns whether a schema restricts its values. An empty schema allows null as it allows everything.
pub(super) fn says_something(root: &Value, at: &str) -> bool {
    let last = resolution_path(root, at).pop();
    let last = last.and_then(|last| root.pointer(&last));
    last.is_some_and(|last| !leaves_open(last))
}

/// Returns the locations of values in responses: bodies, properties, elements of lists and of maps. Each is listed once.
pub(super) fn places(root: &Value) -> BTreeSet<String> {
    let responses = operations(root).flat_map(|operation| operation.below("responses"));
    places_in(root, responses.map(|one| one.value).collect())
}

/// Returns the locations of values in the bodies of requests.
pub(super) fn request_places(root: &Value) -> BTreeSet<String> {
    let bodies = operations(root).filter_map(|operation| operation.value.get("requestBody"));
    places_in(root, bodies.collect())
}

/// Returns the locations of values in messages that have content.
fn places_in(root: &Value, messages: Vec<&Value>) -> BTreeSet<String> {
    let mut document = Document::new(root);
    let mut waiting: Vec<&Value> = Vec::new();
    for message in messages {
        let content = document.object(message).and_then(|one| one.get("content"));
        let content = content.and_then(Value::as_object).into_iter().flatten();
        waiting.extend(content.filter_map(|(_, one)| one.get("schema")));
    }
    let mut values = waiting.clone();
    let mut seen = HashSet::new();
    while let Some(value) = waiting.pop() {
        if !seen.insert(std::ptr::from_ref(value)) {
            continue;
        }
        for schema in described(&mut document, value) {
            let properties = schema.get("properties").and_then(Value::as_object);
            let mut inner: Vec<&Value> = properties
                .into_iter()
                .flat_map(|all| all.values())
                .collect();
            inner.extend(schema.get("items"));
            inner.extend(schema.get("additionalProperties"));
            let elements = schema.get("prefixItems").and_then(Value::as_array);
            waiting.extend(elements.into_iter().flatten().chain(inner.iter().copied()));
            values.extend(inner);
        }
    }
    values.retain(|value| value.is_object());
    let places = values.iter().map(|value| document.pointer_of(value));
    places.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(schema: Value) -> Vec<String> {
        let root = json!({
            "place": schema,
            "components": {"schemas": {
                "Null": {"enum": [null]},
                "Text": {"type": "string"},
                "Maybe": {"type": ["string", "null"]},
            }},
        });
        let all = allowances(&root, "/place").into_iter();
        all.map(|one| format!("{}{} {}", one.schema, one.end, one.text))
            .collect()
    }

    #[test]
    fn null_is_found_in_each_form_that_allows_it() {
        let text = json!({"$ref": "#/components/schemas/Text"});
        for (schema, expected) in [
            (json!({"type": "string"}), vec![]),
            (json!({"type": "null"}), vec![]),
            (text.clone(), vec![]),
            (
                json!({"type": "string", "nullable": true}),
                vec!["/place.nullable true"],
            ),
            (
                json!({"type": ["string", "null"]}),
                vec![r#"/place.type[1] "null""#],
            ),
            (
                json!({"anyOf": [text, {"type": "null", "title": "None"}]}),
                vec![r#"/place.anyOf[?(@.type == 'null')] {"type":"null"}"#],
            ),
            (
                json!({"oneOf": [{"type": "string"}, {"type": "integer"}, {"$ref": "#/components/schemas/Null"}]}),
                vec![r##"/place.oneOf[2] {"$ref":"#/components/schemas/Null"}"##],
            ),
            (
                json!({"oneOf": [{"type": "string"}, {"type": "integer", "nullable": true}]}),
                vec!["/place/oneOf/1.nullable true"],
            ),
            (
                json!({"allOf": [text], "nullable": true}),
                vec!["/place.nullable true"],
            ),
            (
                json!({"type": "string", "nullable": true, "enum": ["a", null]}),
                vec!["/place.nullable true", "/place.enum[1] null"],
            ),
            (
                json!({"$ref": "#/components/schemas/Maybe"}),
                vec![r#"/components/schemas/Maybe.type[1] "null""#],
            ),
        ] {
            assert_eq!(ends(schema.clone()), expected, "{schema}");
        }
    }

    #[test]
    fn a_chain_of_alternatives_may_have_any_length() {
        const LENGTH: usize = 50_000;
        let mut schemas = serde_json::Map::new();
        for index in 0..LENGTH {
            let next = format!("#/components/schemas/S{}", index + 1);
            let schema = json!({"oneOf": [{"$ref": next}, {"type": "string"}]});
            schemas.insert(format!("S{index}"), schema);
        }
        schemas.insert(
            format!("S{LENGTH}"),
            json!({"type": "string", "nullable": true}),
        );
        let root = json!({"components": {"schemas": schemas}});
        assert_eq!(allowances(&root, "/components/schemas/S0").len(), 1);
    }

    #[test]
    fn a_place_of_a_response_is_found_once_and_a_circle_ends() {
        let root = json!({
            "paths": {"/a": {
                "get": {"responses": {"200": {"$ref": "#/components/responses/A"}}},
                "post": {"requestBody": {"content": {"x/y": {"schema": {"properties": {"not": {"type": "string"}}}}}}},
            }},
            "components": {
                "responses": {"A": {"content": {"x/y": {"schema": {"$ref": "#/components/schemas/A"}}}}},
                "schemas": {"A": {"properties": {
                    "next": {"$ref": "#/components/schemas/A"},
                    "all": {"type": "array", "items": {"type": "string"}},
                }}},
            },
        });
        let found: Vec<String> = places(&root).into_iter().collect();
        assert_eq!(
            found,
            [
                "/components/responses/A/content/x~1y/schema",
                "/components/schemas/A/properties/all",
                "/components/schemas/A/properties/all/items",
                "/components/schemas/A/properties/next",
            ]
        );
    }
}
