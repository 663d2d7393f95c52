//! Tests of each idiom of a schema.

use serde_json::{Value, json};

use super::{document, rewritten, schema};

/// Splits a table: a row is a line, its cells have ` | ` between them, and a line after `#` is a comment.
fn rows<const N: usize>(table: &str) -> impl Iterator<Item = [&str; N]> {
    let lines = table.lines().filter(|line| !line.is_empty());
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(" | ").collect::<Vec<_>>().try_into().unwrap())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What is written, and what it becomes.
const IDIOMS: &str = r##"
{"type": ["string", "null"]} | {"type": "string", "nullable": true}
{"type": ["null"]} | {"type": "null"}
{"type": "number", "format": "int64"} | {"type": "integer", "format": "int64"}
{"type": ["number", "null"], "format": "int32"} | {"type": "integer", "format": "int32", "nullable": true}
{"type": "number", "format": "double"} | {"type": "number", "format": "double"}
{"type": ["integer", "number"]} | {"anyOf": [{"type": "integer"}, {"type": "number"}]}
{"type": ["number", "null", "integer"], "minimum": 1, "format": "double"} | {"anyOf": [{"type": "number", "minimum": 1, "format": "double"}, {"type": "integer", "minimum": 1, "format": "double"}], "nullable": true}
{"type": ["array", "boolean", "integer", "number", "string"], "maxLength": 1} | {"anyOf": [{"type": "array"}, {"type": "boolean"}, {"type": "integer"}, {"type": "number"}, {"type": "string", "maxLength": 1}]}
{"type": "object", "properties": {"a": true}, "additionalProperties": true} | {"type": "object", "properties": {"a": {}}, "additionalProperties": {}}
{"type": "object", "additionalProperties": false} | {"type": "object", "additionalProperties": false}
{"type": "integer", "enum": [1.0, 2, null]} | {"type": "integer", "enum": [1.0, 2], "nullable": true}
{"type": ["string", "array", "null"], "title": "T", "maxLength": 3, "items": {"type": ["integer"]}} | {"title": "T", "anyOf": [{"type": "string", "maxLength": 3}, {"type": "array", "items": {"type": "integer"}}], "nullable": true}
{"type": ["string", "integer"], "format": "int64", "maximum": 5} | {"anyOf": [{"type": "string"}, {"type": "integer", "maximum": 5, "format": "int64"}]}
{"type": ["string", "integer"], "enum": ["a", 1]} | {"enum": ["a", 1]}
{"type": ["integer", "number"], "enum": [1, 2.5]} | {"type": "number", "enum": [1, 2.5]}
{"type": ["integer", "null", "number"], "anyOf": [{"minimum": 1}, {"maximum": -1}]} | {"type": "number", "anyOf": [{"minimum": 1}, {"maximum": -1}], "nullable": true}
{"type": ["integer", "number"], "oneOf": [{"type": "integer"}, {"type": "number", "minimum": 1}]} | {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 1}]}
{"type": ["array", "boolean", "number", "object", "string"]} | {}
{"const": "a"} | {"enum": ["a"], "type": "string"}
{"const": 4} | {"enum": [4], "type": "integer"}
{"const": null} | {"type": "null"}
{"type": "string", "enum": ["a", null, "a"]} | {"type": "string", "enum": ["a"], "nullable": true}
{"type": "integer", "minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false} | {"type": "integer", "maximum": 9, "exclusiveMinimum": 1}
{"type": "integer", "exclusiveMinimum": 0} | {"type": "integer", "exclusiveMinimum": 0}
{"type": "string", "examples": ["x", "y"]} | {"type": "string", "example": "x"}
{"type": "string", "contentEncoding": "base64"} | {"type": "string", "contentEncoding": "base64", "format": "byte"}
{"type": "string", "contentEncoding": "base64url"} | {"type": "string", "contentEncoding": "base64url", "format": "base64url"}
{"type": "string", "contentMediaType": "application/octet-stream"} | {"type": "string", "contentMediaType": "application/octet-stream", "format": "binary"}
{"type": "string", "contentMediaType": "application/json"} | {"type": "string", "contentMediaType": "application/json"}
{"type": "array", "items": [{"type": ["string"]}, true], "additionalItems": false} | {"type": "array", "prefixItems": [{"type": "string"}, {}], "items": {"not": {}}}
{"properties": {"a": true, "b": false}, "additionalProperties": false, "unevaluatedProperties": false} | {"properties": {"a": {}, "b": {"not": {}}}, "additionalProperties": false, "unevaluatedProperties": false, "type": "object"}
{"$defs": {"C": {"type": ["string"]}}, "patternProperties": {"^x": {"const": "c"}}, "if": true} | {"$defs": {"C": {"type": "string"}}, "patternProperties": {"^x": {"enum": ["c"], "type": "string"}}, "if": {}, "type": "object"}
{"$ref": "#/components/schemas/B", "description": "D", "type": ["string", "null"]} | {"$ref": "#/components/schemas/B", "description": "D", "type": "string", "nullable": true}
{"anyOf": [{"type": "null"}, {"type": "string"}]} | {"anyOf": [{"type": "null"}, {"type": "string"}]}
{"anyOf": [{"$ref": "#/components/schemas/B"}, {"nullable": true}]} | {"anyOf": [{"$ref": "#/components/schemas/B"}, {"type": "null"}]}
{"oneOf": [{"$ref": "#/components/schemas/B"}, {"title": "Null", "type": "object", "nullable": true, "additionalProperties": false}]} | {"oneOf": [{"$ref": "#/components/schemas/B"}, {"type": "null"}]}
# A keyword of 3.0, in documents of 3.1 too.
{"type": "string", "nullable": true} | {"type": "string", "nullable": true}
{"items": {"type": "string"}} | {"items": {"type": "string"}, "type": "array"}
{"type": "string", "maxLength": 5.0} | {"type": "string", "maxLength": 5}
"##;

#[test]
fn each_idiom_of_a_schema_becomes_the_one_of_the_vocabulary() {
    for [written, becomes] in rows(IDIOMS) {
        let [written, becomes] = [written, becomes].map(json);
        for version in ["3.0.3", "3.1.0", "3.2.0"] {
            let (value, warnings) = schema(version, &written);
            assert_eq!(value, becomes, "{version}: {written}");
            assert!(warnings.is_empty(), "{version}: {written}: {warnings:?}");
            // Locations with two references to them are rewritten twice.
            assert_eq!(schema(version, &value).0, becomes, "{version}: {written}");
        }
    }
}

/// What is written, what it becomes, and the rule of the warning.
const MISTAKES: &str = r##"
{"type": "text2"} | {} | schema-form
{"type": 5} | {} | schema-form
{"allOf": []} | {} | schema-form
{"enum": "a"} | {} | schema-form
{"minimum": "low"} | {} | schema-form
{"properties": []} | {} | schema-form
{"$ref": 1} | {} | schema-form
"text" | {} | schema-form
null | {} | schema-form
{"type": "string", "enum": [1, true]} | {"type": "string", "enum": ["1", "true"]} | schema-form
{"type": "integer", "enum": ["ticket", "comment", null]} | {"type": "string", "enum": ["ticket", "comment"], "nullable": true} | schema-form
{"type": "integer", "enum": ["1", "ticket"]} | {"enum": ["1", "ticket"], "type": "string"} | schema-form
{"type": "integer", "enum": [1, 2.5]} | {"enum": [1, 2.5], "type": "number"} | schema-form
{"type": "boolean", "enum": [true, "unset", 1]} | {"enum": [true, "unset", 1]} | schema-form
{"type": "array", "items": {"type": "string"}, "enum": ["a", "b"]} | {"type": "array", "items": {"type": "string"}} | schema-form
{"$dynamicRef": "#node", "title": "T"} | {"title": "T"} | dynamic-reference
{"$recursiveRef": "#"} | {} | dynamic-reference
{"$ref": "#/components/schemas/None", "title": "T"} | {"title": "T"} | reference
{"$ref": "#/components/schemas/A"} | {} | reference
{"$ref": "https://example.com/a.json"} | {} | reference
{"$ref": "#none"} | {} | reference
"##;

#[test]
fn what_has_no_meaning_in_a_schema_is_taken_away_and_said() {
    for [written, becomes, rule] in rows(MISTAKES) {
        let [written, becomes] = [written, becomes].map(json);
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
