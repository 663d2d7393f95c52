//! Tests of references, versions, operations and whole documents.

use serde_json::{Map, Value, json};

use super::{document, places, rewritten, schema};

#[test]
fn a_reference_leads_to_its_place_in_whatever_way_it_is_written() {
    let document = document(
        "3.1.0",
        json!({"components": {"schemas": {
            "A b": {"type": "object", "properties": {"c/d": {"type": ["string", "null"]}}},
            "Alias": {"$ref": "#/components/schemas/A%20b"},
            "Encoded": {"$ref": "#/components/schemas/A%20b/properties/c~1d"},
            "Through": {"$ref": "#/components/schemas/Alias/properties/c~1d"},
            "Around": {"properties": {"f": {"$ref": "#/$defs/F"}}, "$defs": {"F": {"type": "string"}}},
            "Named": {"$anchor": "named", "type": "string"},
            "ByAnchor": {"$ref": "#named"},
            "Identified": {"$id": "https://example.com/schemas/identified", "type": "object", "properties": {"e": {"type": "string"}, "own": {"$ref": "#/properties/e"}}},
            "ById": {"$ref": "https://example.com/schemas/identified#/properties/e"},
            "ByChain": {"$ref": "#/components/schemas/Identified/properties/own"},
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
        ("ByChain", "#/components/schemas/Identified/properties/own"),
    ] {
        assert_eq!(schemas[name]["$ref"], target, "{name}");
    }
    assert_eq!(
        schemas["Identified"]["properties"]["own"]["$ref"],
        "#/components/schemas/Identified/properties/e"
    );
    assert_eq!(
        schemas["Around"]["properties"]["f"]["$ref"],
        "#/components/schemas/Around/$defs/F"
    );
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
    for (written, warnings) in [
        (json!("3.0.4"), 0),
        (json!("3.1.1"), 0),
        (json!(3.1), 0),
        (json!("3.1"), 0),
        (json!("3.2.0"), 0),
        (json!("3.9.0"), 1),
    ] {
        let normal = rewritten(&document("3.0.3", json!({"openapi": written})));
        assert_eq!(normal.warnings.len(), warnings, "{written}");
    }
}

#[test]
fn an_operation_that_misses_a_part_is_left_out_and_the_others_stay() {
    let good =
        json!({"requestBody": null, "responses": {"200": {"$ref": "#/components/responses/Lost"}}});
    let document = document(
        "3.2.0",
        json!({"paths": {
            "/a": {
                "get": {"parameters": [{"$ref": "#/components/parameters/Lost"}], "responses": {}},
                "put": {"requestBody": {"$ref": "#/components/requestBodies/Lost"}, "responses": {}},
                "post": good,
                "patch": null,
                "additionalOperations": {"COPY": {"responses": {}}, "Put": {"responses": {}}},
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
            ("Put", "/a"),
            ("GET", "/b"),
            ("PUT", "/b")
        ]
    );
    let reason = "Its parameter `#/components/parameters/Lost` cannot be read.";
    assert_eq!(normal.left_out[0].sentence(), reason);
    let paths = &normal.source.value["paths"];
    assert_eq!(
        paths["/a"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["post", "additionalOperations"]
    );
    assert!(paths["/a"]["additionalOperations"].get("Put").is_none());
    // The body of an undescribed success is bytes.
    let content = &paths["/a"]["post"]["responses"]["200"]["content"];
    assert_eq!(*content, json!({"*/*": {"schema": {}}}));
    let rules: Vec<&str> = normal.warnings.iter().map(|one| one.rule).collect();
    assert_eq!(rules.iter().filter(|rule| **rule == "left-out").count(), 6);
}

#[test]
fn a_path_item_or_an_operation_that_is_referred_to_stands_at_the_path_and_is_shown_where_it_is_written()
 {
    let document = document(
        "3.1.0",
        json!({
            "paths": {
                "/a": {"$ref": "#/components/pathItems/Shared", "parameters": []},
                "/b": {"$ref": "#/components/pathItems/Lost"},
                "/c": {"get": {"callbacks": {"done": {"url": {"$ref": "#/paths/~1c"}}}, "responses": {}}},
                "/d": {"get": {"$ref": "#/x-operations/d"}},
            },
            "x-operations": {"d": {"callbacks": {"done": {"url": {"get": {"$ref": "#/x-operations/d"}}}}, "responses": {"200": {"description": "D"}}}},
            "components": {"pathItems": {"Shared": {"summary": "S", "get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "odd"}}}}}}}}},
        }),
    );
    let normal = rewritten(&document);
    let item = &normal.source.value["paths"]["/a"];
    assert_eq!(item["summary"], "S");
    assert_eq!(item["parameters"], json!([]));
    assert!(item["get"]["responses"].is_object() && item.get("$ref").is_none());
    let operation = &normal.source.value["paths"]["/d"]["get"];
    assert_eq!(operation["responses"]["200"]["description"], "D");
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
        json!({
            "itemSchema": {"type": "string", "nullable": true},
            "schema": {"type": "string", "format": "binary"},
        })
    );
}

#[test]
fn the_data_of_an_event_is_the_json_that_its_content_is() {
    let data = json!({"type": "string", "contentMediaType": "application/json", "contentSchema": {"type": ["integer", "null"]}});
    let text = json!({"type": "string"});
    let event = |data: &Value| json!({"type": "object", "properties": {"data": data}});
    let events =
        json!({"oneOf": [{"$ref": "#/components/schemas/Number"}, event(&text), event(&data)]});
    let document = document(
        "3.2.0",
        json!({
            "components": {"schemas": {"Number": event(&data), "Other": event(&data)}},
            "paths": {"/a": {"get": {"responses": {"200": {"content": {"text/event-stream": {"itemSchema": events}}}}}}},
        }),
    );
    let value = rewritten(&document).source.value;
    let number = json!({"type": "integer", "nullable": true});
    let schemas = &value["components"]["schemas"];
    assert_eq!(schemas["Number"]["properties"]["data"], number);
    assert!(
        schemas["Other"]["properties"]["data"]["contentSchema"].is_object(),
        "of no event"
    );
    let stream = &value["paths"]["/a"]["get"]["responses"]["200"]["content"]["text/event-stream"];
    let events = &stream["itemSchema"]["oneOf"];
    assert_eq!(events[1]["properties"]["data"], text);
    assert_eq!(events[2]["properties"]["data"], number);
}

/// A copy for each body would make gigabytes of a document that lists many of them.
#[test]
fn bodies_that_share_their_media_types_share_the_schema() {
    let content = json!({"$ref": "#/components/mediaTypes/Made"});
    let get = json!({"get": {"responses": {"200": {"content": content}}}});
    let schema = json!({"type": ["string", "null"]});
    let document = document(
        "3.2.0",
        json!({
            "components": {"mediaTypes": {"Made": {"application/json": {"schema": schema, "example": "shown"}}}},
            "paths": {"/a": get, "/b": get},
        }),
    );
    let value = rewritten(&document).source.value;
    let at = "/components/mediaTypes/Made/application~1json/schema";
    for path in ["/a", "/b"] {
        let content = &value["paths"][path]["get"]["responses"]["200"]["content"];
        let reference = json!({"schema": {"$ref": format!("#{at}")}});
        assert_eq!(content["application/json"], reference, "{path}");
    }
    let schema = json!({"type": "string", "nullable": true});
    assert_eq!(value.pointer(at), Some(&schema));
}

#[test]
fn a_reference_in_place_of_a_map_of_schemas_names_its_members() {
    let document = document(
        "3.1.0",
        json!({
            "x-shared": {"size": {"type": ["integer", "null"]}, "name": {"type": "string"}},
            "components": {"schemas": {
                "$ref": "#/x-more",
                "Thing": {"properties": {"$ref": "#/x-shared", "name": {"type": "boolean"}}},
                "Lost": {"properties": {"$ref": "#/x-lost"}},
            }},
            "x-more": {"More": {"type": "string"}},
        }),
    );
    let normal = rewritten(&document);
    let schemas = &normal.source.value["components"]["schemas"];
    assert_eq!(schemas["More"], json!({"$ref": "#/x-more/More"}));
    assert_eq!(
        schemas["Thing"]["properties"],
        json!({"name": {"type": "boolean"}, "size": {"$ref": "#/x-shared/size"}})
    );
    let size = &normal.source.value["x-shared"]["size"];
    assert_eq!(*size, json!({"type": "integer", "nullable": true}));
    assert_eq!(places(&normal), ["/components/schemas/Lost/properties"]);
}

#[test]
fn references_make_a_document_a_few_times_as_large_at_most() {
    let shared: Map<String, Value> = (0..1_000)
        .map(|number| (format!("p{number}"), json!({"type": "string"})))
        .collect();
    let schema = json!({"type": "object", "properties": {"$ref": "#/x-shared"}});
    let schemas: Map<String, Value> = (0..100)
        .map(|number| (format!("S{number}"), schema.clone()))
        .collect();
    let more = json!({"x-shared": shared, "components": {"schemas": schemas}});
    let normal = rewritten(&document("3.1.0", more));
    let schemas = &normal.source.value["components"]["schemas"];
    let members = |name: &str| schemas[name]["properties"].as_object().unwrap().len();
    assert_eq!([members("S0"), members("S99")], [1_000, 0]);
    let mut messages = normal.warnings.iter().map(|one| one.message.as_str());
    assert!(messages.any(|message| message.contains("many times as large")));
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
