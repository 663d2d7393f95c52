//! Documents of OpenAPI 3.0, 3.1 and 3.2 in one vocabulary: what each idiom becomes, what stays, and what is said.

use serde_json::{Value, json};
use xtask::dialect::{Normal, Version, normal};
use xtask::source::Source;

/// A document of one operation, with these parts added.
fn document(version: &str, more: Value) -> Value {
    let mut document = json!({
        "openapi": version,
        "info": {"title": "Small", "version": "1"},
        "paths": {"/things": {"get": {"operationId": "things", "responses": {"204": {"description": "None."}}}}},
    });
    let map = document.as_object_mut().unwrap();
    map.extend(more.as_object().unwrap().clone());
    document
}

fn rewritten(document: &Value) -> Normal {
    let text = serde_json::to_string_pretty(document).unwrap();
    normal(&Source::parse("small.json", text).unwrap()).unwrap()
}

/// What a schema becomes in a document of this version, and the rules of the warnings.
fn schema(version: &str, schema: &Value) -> (Value, Vec<&'static str>) {
    let document = document(
        version,
        json!({"components": {"schemas": {"A": schema, "B": {"type": "string"}}}}),
    );
    let normal = rewritten(&document);
    let rules = normal.warnings.iter().map(|warning| warning.rule).collect();
    let value = normal
        .source
        .value
        .pointer("/components/schemas/A")
        .unwrap();
    (value.clone(), rules)
}

/// The pointers of all warnings.
fn places(normal: &Normal) -> Vec<&str> {
    normal
        .warnings
        .iter()
        .map(|one| one.pointer.as_str())
        .collect()
}

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
            json!({"type": "number"}),
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
        // Of 3.0, in documents of 3.1 too.
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
            // Places that two references lead to are rewritten twice.
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
            // Names, all of them.
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

#[test]
fn a_reference_leads_to_its_place_in_whatever_way_it_is_written() {
    let document = document(
        "3.1.0",
        json!({"components": {"schemas": {
            "A b": {"type": "object", "properties": {"c/d": {"type": ["string", "null"]}}},
            "Alias": {"$ref": "#/components/schemas/A%20b"},
            "Encoded": {"$ref": "#/components/schemas/A%20b/properties/c~1d"},
            "Through": {"$ref": "#/components/schemas/Alias/properties/c~1d"},
            "Named": {"$anchor": "named", "type": "string"},
            "ByAnchor": {"$ref": "#named"},
            "Identified": {"$id": "https://example.com/schemas/identified", "type": "object", "properties": {"e": {"type": "string"}}},
            "ById": {"$ref": "https://example.com/schemas/identified#/properties/e"},
            "Tagged": {"oneOf": [{"$ref": "#/components/schemas/A b"}], "discriminator": {"propertyName": "t", "mapping": {
                "a": "#/components/schemas/A%20b", "n": "Named", "lost": "#/components/schemas/Lost",
            }}},
        }}}),
    );
    let normal = rewritten(&document);
    let schemas = &normal.source.value["components"]["schemas"];
    for (name, target) in [
        ("Alias", "#/components/schemas/A b"),
        ("Encoded", "#/components/schemas/A b/properties/c~1d"),
        ("Through", "#/components/schemas/A b/properties/c~1d"),
        ("ByAnchor", "#/components/schemas/Named"),
        ("ById", "#/components/schemas/Identified/properties/e"),
    ] {
        assert_eq!(schemas[name]["$ref"], target, "{name}");
    }
    let mapping = json!({"a": "#/components/schemas/A b", "n": "Named"});
    assert_eq!(schemas["Tagged"]["discriminator"]["mapping"], mapping);
    assert_eq!(
        places(&normal),
        ["/components/schemas/Tagged/discriminator/mapping/lost"]
    );
}

#[test]
fn a_place_outside_of_the_components_that_a_reference_leads_to_is_rewritten() {
    let document = document(
        "3.1.0",
        json!({
            "x-shared": {"Thing": {"type": ["string", "null"]}, "Size": {"name": "size", "in": "query", "schema": {"const": 1}}},
            "components": {
                "schemas": {"A": {"$ref": "#/x-shared/Thing"}},
                "parameters": {"Size": {"$ref": "#/x-shared/Size"}},
            },
        }),
    );
    let normal = rewritten(&document);
    let shared = &normal.source.value["x-shared"];
    assert_eq!(shared["Thing"], json!({"type": "string", "nullable": true}));
    assert_eq!(
        shared["Size"]["schema"],
        json!({"enum": [1], "type": "integer"})
    );
}

#[test]
fn versions_are_read_as_the_nearest_that_is_known() {
    for (written, version, warnings) in [
        (json!("3.0.4"), Version::V3_0, 0),
        (json!("3.1.1"), Version::V3_1, 0),
        (json!(3.1), Version::V3_1, 0),
        (json!("3.1"), Version::V3_1, 0),
        (json!("3.2.0"), Version::V3_2, 0),
        (json!("3.9.0"), Version::V3_2, 1),
    ] {
        let normal = rewritten(&document("3.0.3", json!({"openapi": written})));
        assert_eq!(normal.version, version, "{written}");
        assert_eq!(normal.warnings.len(), warnings, "{written}");
    }
}

#[test]
fn an_operation_that_misses_a_part_is_left_out_and_the_others_stay() {
    let good = json!({"responses": {"200": {"$ref": "#/components/responses/Lost"}}});
    let document = document(
        "3.2.0",
        json!({"paths": {
            "/a": {
                "get": {"parameters": [{"$ref": "#/components/parameters/Lost"}], "responses": {}},
                "put": {"requestBody": {"$ref": "#/components/requestBodies/Lost"}, "responses": {}},
                "post": good,
                "patch": null,
                "additionalOperations": {"COPY": {"responses": {}}},
            },
            "/b": {"parameters": [{"name": "x"}], "get": good, "put": good},
        }}),
    );
    let normal = rewritten(&document);
    let left: Vec<(&str, &str)> = normal
        .left_out
        .iter()
        .map(|one| (one.method.as_str(), one.path.as_str()))
        .collect();
    assert_eq!(
        left,
        [
            ("GET", "/a"),
            ("PUT", "/a"),
            ("PATCH", "/a"),
            ("COPY", "/a"),
            ("GET", "/b"),
            ("PUT", "/b")
        ]
    );
    let reason = "its parameter `#/components/parameters/Lost` cannot be read";
    assert_eq!(normal.left_out[0].reason, reason);
    let paths = &normal.source.value["paths"];
    assert_eq!(
        paths["/a"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["post"]
    );
    // Of a success that is not described, the bytes are known.
    let content = &paths["/a"]["post"]["responses"]["200"]["content"];
    assert_eq!(*content, json!({"*/*": {"schema": {}}}));
    let rules: Vec<&str> = normal.warnings.iter().map(|one| one.rule).collect();
    assert_eq!(rules.iter().filter(|rule| **rule == "left-out").count(), 6);
}

#[test]
fn a_path_item_that_is_referred_to_stands_at_the_path_and_is_shown_where_it_is_written() {
    let document = document(
        "3.1.0",
        json!({
            "paths": {
                "/a": {"$ref": "#/components/pathItems/Shared", "parameters": []},
                "/b": {"$ref": "#/components/pathItems/Lost"},
                "/c": {"get": {"callbacks": {"done": {"url": {"$ref": "#/paths/~1c"}}}, "responses": {}}},
            },
            "components": {"pathItems": {"Shared": {"summary": "S", "get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "odd"}}}}}}}}},
        }),
    );
    let normal = rewritten(&document);
    let item = &normal.source.value["paths"]["/a"];
    assert_eq!(item["summary"], "S");
    assert_eq!(item["parameters"], json!([]));
    assert!(item["get"]["responses"].is_object() && item.get("$ref").is_none());
    assert_eq!(
        places(&normal),
        [
            "/components/pathItems/Shared/get/responses/200/content/application~1json/schema",
            "/paths/~1b",
        ]
    );
    let line = normal.warnings[0].excerpt.as_ref().unwrap();
    assert!(
        line.text.contains("odd") || line.text.contains("schema"),
        "{line:?}"
    );
}

#[test]
fn webhooks_and_streams_have_types() {
    let nullable = json!({"type": ["string", "null"]});
    let document = document(
        "3.2.0",
        json!({
            "webhooks": {"done": {"post": {"requestBody": {"content": {"application/json": {"schema": nullable}}}}}},
            "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/jsonl": {"itemSchema": nullable}}}}}}},
        }),
    );
    let value = rewritten(&document).source.value;
    let body = &value["webhooks"]["done"]["post"]["requestBody"]["content"]["application/json"];
    assert_eq!(body["schema"], json!({"type": "string", "nullable": true}));
    let stream = &value["paths"]["/a"]["get"]["responses"]["200"]["content"]["application/jsonl"];
    assert_eq!(
        *stream,
        json!({"schema": {"type": "string", "format": "binary"}})
    );
}

#[test]
fn a_parameter_as_swagger_had_it_is_read_as_meant() {
    let parameter =
        json!({"name": "size", "in": "query", "description": "D", "type": "integer", "maximum": 5});
    let document = document(
        "3.0.3",
        json!({"components": {"parameters": {"Size": parameter}}}),
    );
    let normal = rewritten(&document);
    assert_eq!(
        normal.source.value["components"]["parameters"]["Size"],
        json!({"name": "size", "in": "query", "description": "D", "schema": {"type": "integer", "maximum": 5}})
    );
    assert_eq!(places(&normal), ["/components/parameters/Size"]);
}

#[test]
fn a_schema_that_is_nested_too_deeply_takes_any_json_from_there() {
    let deep = (0..100).fold(
        json!({"type": "string"}),
        |inner, _| json!({"items": inner}),
    );
    let (_, warnings) = schema("3.1.0", &deep);
    assert_eq!(warnings, ["nesting"]);
}
