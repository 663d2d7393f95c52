//! Operations that page without an extension.

use openapi_document::source::Source;
use openapi_model::Model;
use openapi_model::extensions::Pagination;
use serde_json::{Value, json};

/// Reads a document of one operation with these parameters, this response and more members.
fn read(parameters: &Value, response: &Value, more: &Value) -> Model {
    let parameters = with_schemas(parameters.clone());
    let parameters = parameters.as_object().unwrap().iter();
    let parameters: Vec<Value> = parameters
        .map(|(name, schema)| {
            json!({"name": name, "in": "query", "schema": schema, "description": schema["description"].as_str().unwrap_or("")})
        })
        .collect();
    let schema = object(&with_schemas(response.clone()));
    let mut operation = json!({
        "operationId": "things",
        "parameters": parameters,
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}},
    });
    for (key, value) in with_schemas(more.clone()).as_object().unwrap() {
        match key.as_str() {
            "headers" => operation["responses"]["200"][key] = value.clone(),
            _ => operation[key] = value.clone(),
        }
    }
    let document = json!({
        "openapi": "3.0.3",
        "info": {"title": "A", "version": "1"},
        "paths": {"/things": {"get": operation}},
    });
    let source = Source::parse("a.json", document.to_string()).unwrap();
    openapi_model::read(&source).unwrap()
}

/// Returns a value in which `text`, `number`, `flag`, `record` and `list` are schemas.
fn with_schemas(value: Value) -> Value {
    let text = json!({"type": "string"});
    let record = json!({"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}});
    match value {
        Value::String(name) => match name.as_str() {
            "text" => text,
            "number" => json!({"type": "integer"}),
            "flag" => json!({"type": "boolean"}),
            "record" => record,
            "list" => json!({"type": "array", "items": record}),
            _ => Value::String(name),
        },
        Value::Array(items) => items.into_iter().map(with_schemas).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, with_schemas(value)))
            .collect(),
        other => other,
    }
}

/// Returns an object schema of these properties, unless it has a type itself.
fn object(properties: &Value) -> Value {
    if properties.get("type").is_some_and(Value::is_string) {
        return properties.clone();
    }
    let properties = properties.as_object().unwrap().iter();
    let properties: serde_json::Map<_, _> = properties
        .map(|(name, one)| (name.clone(), object(one)))
        .collect();
    json!({"type": "object", "properties": properties})
}

/// Returns the detected `x-pagination`.
fn found(parameters: &Value, response: &Value, more: &Value) -> Option<Pagination> {
    let model = read(parameters, response, more);
    assert_eq!(model.pages.len(), model.detections.len());
    let detection = model.detections.first()?;
    Some(detection.pagination.clone())
}

/// Returns the rows of a table.
fn rows(table: &str) -> Vec<Vec<Value>> {
    let mut file: Value =
        serde_yaml::from_str(include_str!("../../fixtures/detection.yaml")).unwrap();
    serde_json::from_value(file[table].take()).unwrap()
}

#[test]
fn what_agrees_is_certain() {
    for row in rows("certain") {
        let expected = Pagination {
            is_detected: true,
            ..serde_json::from_value(row[3].clone()).unwrap()
        };
        assert_eq!(found(&row[0], &row[1], &row[2]), Some(expected));
    }
    for row in rows("found") {
        assert!(found(&row[0], &row[1], &json!({})).is_some(), "{row:?}");
    }
}

#[test]
fn what_only_looks_like_it_does_not_page() {
    for row in rows("uncertain") {
        assert_eq!(found(&row[0], &row[1], &json!({})), None, "{row:?}");
    }
}

#[test]
fn what_does_not_page_is_not_spoken_of() {
    for row in rows("silent") {
        assert_eq!(found(&row[0], &row[1], &row[2]), None);
    }
}

/// Names in a document cannot end a code span, begin a doc test of a README or move the cursor.
#[test]
fn names_that_are_no_names_are_not_repeated() {
    let odd = "`\n```rust\npanic!()\n```\n\u{1b}[31m";
    let cursor = json!({"cursor": "text"});
    let response = json!({"things": "list", "next_cursor": "text"});
    let model = read(&cursor, &response, &json!({"operationId": odd}));
    let [found] = model.detections.as_slice() else {
        panic!("{:?}", model.detections);
    };
    assert!(
        !found.operation.contains(['`', '\n', '\u{1b}']),
        "{found:?}"
    );
    let odd = |name: &str| format!("{name}{odd}");
    for (parameter, list_name, next) in [
        (odd("cursor"), "things".to_owned(), "next_cursor".to_owned()),
        ("cursor".to_owned(), odd("things"), "next_cursor".to_owned()),
        ("cursor".to_owned(), "things".to_owned(), odd("next_cursor")),
    ] {
        let page = json!({(list_name): "list", (next): "text"});
        let model = read(&json!({(parameter): "text"}), &page, &json!({}));
        for one in &model.detections {
            let said = format!("{:?}{}", one.pagination, one.reason);
            assert!(!said.contains(['\n', '\u{1b}']), "{said}");
        }
        assert!(model.pages.is_empty());
    }
}
