//! Tests of each idiom of a schema.

use serde_json::json;

use super::{document, rewritten, schema};

#[test]
fn each_idiom_of_a_schema_becomes_the_one_of_the_vocabulary() {
    for (written, becomes) in [
        (
            json!({"type": ["string", "null"]}),
            json!({"type": "string", "nullable": true}),
        ),
        (json!({"type": ["null"]}), json!({"type": "null"})),
        (
            json!({"type": ["integer", "number"]}),
            json!({"anyOf": [{"type": "integer"}, {"type": "number"}]}),
        ),
        (
            json!({"type": ["number", "null", "integer"], "minimum": 1, "format": "double"}),
            json!({"anyOf": [{"type": "number", "minimum": 1, "format": "double"}, {"type": "integer", "minimum": 1, "format": "double"}], "nullable": true}),
        ),
        (
            json!({"type": ["array", "boolean", "integer", "number", "string"], "maxLength": 1}),
            json!({"anyOf": [{"type": "array"}, {"type": "boolean"}, {"type": "integer"}, {"type": "number"}, {"type": "string", "maxLength": 1}]}),
        ),
        (
            json!({"type": "object", "properties": {"a": true}, "additionalProperties": true}),
            json!({"type": "object", "properties": {"a": {}}, "additionalProperties": {}}),
        ),
        (
            json!({"type": "object", "additionalProperties": false}),
            json!({"type": "object", "additionalProperties": false}),
        ),
        (
            json!({"type": "integer", "enum": [1.0, 2, null]}),
            json!({"type": "integer", "enum": [1.0, 2], "nullable": true}),
        ),
        (
            json!({"type": ["string", "array", "null"], "title": "T", "maxLength": 3, "items": {"type": ["integer"]}}),
            json!({"title": "T", "anyOf": [{"type": "string", "maxLength": 3}, {"type": "array", "items": {"type": "integer"}}], "nullable": true}),
        ),
        (
            json!({"type": ["string", "integer"], "format": "int64", "maximum": 5}),
            json!({"anyOf": [{"type": "string"}, {"type": "integer", "maximum": 5, "format": "int64"}]}),
        ),
        (
            json!({"type": ["string", "integer"], "enum": ["a", 1]}),
            json!({"enum": ["a", 1]}),
        ),
        (
            json!({"type": ["integer", "number"], "enum": [1, 2.5]}),
            json!({"type": "number", "enum": [1, 2.5]}),
        ),
        (
            json!({"type": ["integer", "null", "number"], "anyOf": [{"minimum": 1}, {"maximum": -1}]}),
            json!({"type": "number", "anyOf": [{"minimum": 1}, {"maximum": -1}], "nullable": true}),
        ),
        (
            json!({"type": ["integer", "number"], "oneOf": [{"type": "integer"}, {"type": "number", "minimum": 1}]}),
            json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 1}]}),
        ),
        (
            json!({"type": ["array", "boolean", "number", "object", "string"]}),
            json!({}),
        ),
        (
            json!({"const": "a"}),
            json!({"enum": ["a"], "type": "string"}),
        ),
        (json!({"const": 4}), json!({"enum": [4], "type": "integer"})),
        (json!({"const": null}), json!({"type": "null"})),
        (
            json!({"type": "string", "enum": ["a", null, "a"]}),
            json!({"type": "string", "enum": ["a"], "nullable": true}),
        ),
        (
            json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false}),
            json!({"type": "integer", "maximum": 9, "exclusiveMinimum": 1}),
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": 0}),
            json!({"type": "integer", "exclusiveMinimum": 0}),
        ),
        (
            json!({"type": "string", "examples": ["x", "y"]}),
            json!({"type": "string", "example": "x"}),
        ),
        (
            json!({"type": "string", "contentEncoding": "base64"}),
            json!({"type": "string", "contentEncoding": "base64", "format": "byte"}),
        ),
        (
            json!({"type": "string", "contentEncoding": "base64url"}),
            json!({"type": "string", "contentEncoding": "base64url", "format": "base64url"}),
        ),
        (
            json!({"type": "string", "contentMediaType": "application/octet-stream"}),
            json!({"type": "string", "contentMediaType": "application/octet-stream", "format": "binary"}),
        ),
        (
            json!({"type": "string", "contentMediaType": "application/json"}),
            json!({"type": "string", "contentMediaType": "application/json"}),
        ),
        (
            json!({"type": "array", "items": [{"type": ["string"]}, true], "additionalItems": false}),
            json!({"type": "array", "prefixItems": [{"type": "string"}, {}], "items": {"not": {}}}),
        ),
        (
            json!({"properties": {"a": true, "b": false}, "additionalProperties": false, "unevaluatedProperties": false}),
            json!({"properties": {"a": {}, "b": {"not": {}}}, "additionalProperties": false, "unevaluatedProperties": false, "type": "object"}),
        ),
        (
            json!({"$defs": {"C": {"type": ["string"]}}, "patternProperties": {"^x": {"const": "c"}}, "if": true}),
            json!({"$defs": {"C": {"type": "string"}}, "patternProperties": {"^x": {"enum": ["c"], "type": "string"}}, "if": {}, "type": "object"}),
        ),
        (
            json!({"$ref": "#/components/schemas/B", "description": "D", "type": ["string", "null"]}),
            json!({"$ref": "#/components/schemas/B", "description": "D", "type": "string", "nullable": true}),
        ),
        (
            json!({"anyOf": [{"type": "null"}, {"type": "string"}]}),
            json!({"anyOf": [{"type": "null"}, {"type": "string"}]}),
        ),
        // A keyword of 3.0, in documents of 3.1 too.
        (
            json!({"type": "string", "nullable": true}),
            json!({"type": "string", "nullable": true}),
        ),
        (
            json!({"items": {"type": "string"}}),
            json!({"items": {"type": "string"}, "type": "array"}),
        ),
        (
            json!({"type": "string", "maxLength": 5.0}),
            json!({"type": "string", "maxLength": 5}),
        ),
    ] {
        for version in ["3.0.3", "3.1.0", "3.2.0"] {
            let (value, warnings) = schema(version, &written);
            assert_eq!(value, becomes, "{version}: {written}");
            assert!(warnings.is_empty(), "{version}: {written}: {warnings:?}");
            // Locations with two references to them are rewritten twice.
            assert_eq!(schema(version, &value).0, becomes, "{version}: {written}");
        }
    }
}

#[test]
fn what_has_no_meaning_in_a_schema_is_taken_away_and_said() {
    for (written, becomes, rule) in [
        (json!({"type": "text2"}), json!({}), "schema-form"),
        (json!({"type": 5}), json!({}), "schema-form"),
        (json!({"allOf": []}), json!({}), "schema-form"),
        (json!({"enum": "a"}), json!({}), "schema-form"),
        (json!({"minimum": "low"}), json!({}), "schema-form"),
        (json!({"properties": []}), json!({}), "schema-form"),
        (json!({"$ref": 1}), json!({}), "schema-form"),
        (json!("text"), json!({}), "schema-form"),
        (json!(null), json!({}), "schema-form"),
        (
            json!({"type": "string", "enum": [1, true]}),
            json!({"type": "string", "enum": ["1", "true"]}),
            "schema-form",
        ),
        (
            json!({"type": "integer", "enum": ["ticket", "comment", null]}),
            json!({"type": "string", "enum": ["ticket", "comment"], "nullable": true}),
            "schema-form",
        ),
        (
            json!({"type": "integer", "enum": ["1", "ticket"]}),
            json!({"enum": ["1", "ticket"], "type": "string"}),
            "schema-form",
        ),
        (
            json!({"type": "integer", "enum": [1, 2.5]}),
            json!({"enum": [1, 2.5], "type": "number"}),
            "schema-form",
        ),
        (
            json!({"type": "boolean", "enum": [true, "unset", 1]}),
            json!({"enum": [true, "unset", 1]}),
            "schema-form",
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "enum": ["a", "b"]}),
            json!({"type": "array", "items": {"type": "string"}}),
            "schema-form",
        ),
        (
            json!({"$dynamicRef": "#node", "title": "T"}),
            json!({"title": "T"}),
            "dynamic-reference",
        ),
        (
            json!({"$recursiveRef": "#"}),
            json!({}),
            "dynamic-reference",
        ),
        (
            json!({"$ref": "#/components/schemas/None", "title": "T"}),
            json!({"title": "T"}),
            "reference",
        ),
        (
            json!({"$ref": "#/components/schemas/A"}),
            json!({}),
            "reference",
        ),
        (
            json!({"$ref": "https://example.com/a.json"}),
            json!({}),
            "reference",
        ),
        (json!({"$ref": "#none"}), json!({}), "reference"),
    ] {
        let (value, warnings) = schema("3.1.0", &written);
        assert_eq!(value, becomes, "{written}");
        assert_eq!(warnings, [rule], "{written}");
    }
}

#[test]
fn data_that_looks_like_a_schema_is_left_alone() {
    let data = json!({"type": ["string", "null"], "const": 1, "$ref": "#/none", "nullable": "x"});
    let written = json!({
        "type": "object",
        "default": data,
        "example": data,
        "x-data": data,
        "enum": [data],
        "properties": {
            // All of these are names.
            "type": {"type": "string"},
            "const": {"type": "string"},
            "$ref": {"type": "string"},
            "enum": {"type": "string"},
            "items": {"type": "string"},
        },
    });
    let (value, warnings) = schema("3.1.0", &written);
    assert_eq!(value, written);
    assert!(warnings.is_empty(), "{warnings:?}");
    let more = json!({"x-any": data, "components": {"examples": {"A": {"value": data}}}});
    let document = document("3.1.0", more);
    let normal = rewritten(&document);
    assert_eq!(normal.source.value, document);
    assert!(normal.warnings.is_empty());
}
