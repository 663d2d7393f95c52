//! Finds the keywords that allow null at a location of a document, in each notation of OpenAPI 3, and the locations of its responses.

use std::collections::BTreeSet;

use openapi_document::keywords::Role::{Choice, Content, Part, Type, Values};
use openapi_document::keywords::{names, says};
use openapi_document::resolver::{Target, target};
use openapi_schemas::{composed, operations};
use serde_json::{Value, json};

use super::resolution_path::{is_null, resolution_path};

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
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut open = vec![at.to_owned()];
    while let Some(at) = open.pop() {
        for node in resolution_path(root, &at) {
            if !seen.insert(node.clone()) {
                continue;
            }
            found.extend(direct(root, &node));
            // One alternative that allows null is enough.
            for key in ["oneOf", "anyOf"] {
                let list = root.pointer(&node).and_then(|schema| schema.get(key));
                let count = list.and_then(Value::as_array).map_or(0, Vec::len);
                let parts = (0..count).map(|index| format!("{node}/{key}/{index}"));
                open.extend(parts.filter(|part| {
                    let part = root.pointer(part);
                    part.is_some_and(|part| !is_null(root, part))
                }));
            }
        }
    }
    found
}

/// Returns the keywords of one schema that allow null. A schema of only null has nothing to remove.
fn direct(root: &Value, at: &str) -> Vec<Allowance> {
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
    if schema.get("nullable") == Some(&Value::Bool(true)) {
        add(".nullable".to_owned(), &Value::Bool(true));
    }
    for key in names(&[Type, Values, Choice]) {
        let Some(list) = schema.get(key).and_then(Value::as_array) else {
            continue;
        };
        let is_one = |value: &Value| match key {
            "type" => value == "null",
            "enum" => value.is_null(),
            _ => is_null(root, value),
        };
        if list.iter().all(is_one) {
            continue;
        }
        for (index, value) in list.iter().enumerate().filter(|(_, value)| is_one(value)) {
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
    let nodes = resolution_path(root, at);
    let last = nodes.last().and_then(|last| root.pointer(last));
    let last = last.and_then(Value::as_object);
    last.is_some_and(|schema| says(schema, &[Type, Values, Content, Part, Choice]))
}

/// Returns the locations of values in responses: bodies, properties, elements of lists and of maps. Each is listed once.
pub(super) fn places(root: &Value) -> BTreeSet<String> {
    let bodies = operations(root).flat_map(|operation| {
        let responses = operation.below("responses");
        let responses = responses.map(|one| {
            let reference = one.value.get("$ref").and_then(Value::as_str);
            let referred = reference.and_then(|reference| target(root, reference));
            referred.unwrap_or(one)
        });
        let contents = responses.flat_map(|one| one.below("content").collect::<Vec<_>>());
        contents.filter_map(|one| one.child("schema"))
    });
    let bodies: Vec<Target<'_>> = bodies.filter(|one| one.value.is_object()).collect();
    let mut places: BTreeSet<String> = bodies.iter().map(|one| one.pointer.clone()).collect();
    let within = names(&[Part, Choice, Content]).filter(|key| *key != "patternProperties");
    for schema in composed(root, bodies, &within.collect::<Vec<_>>()) {
        let own = schema.child("items").into_iter();
        let own = own.chain(schema.child("additionalProperties"));
        let all = own.chain(schema.below("properties"));
        let all = all.filter(|one| one.value.is_object());
        places.extend(all.map(|one| one.pointer));
    }
    places
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
