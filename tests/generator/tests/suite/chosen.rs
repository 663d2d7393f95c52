//! A crate of some operations of its document, with the types that they use.

use openapi_document::finding::DocumentError;
use serde_json::{Value, json};

use crate::support::made;

/// A document whose package names these operations. One of the others is left out with a warning.
fn document(operations: &Value) -> Value {
    let answer = |schema: &str| {
        let schema = json!({"$ref": format!("#/components/schemas/{schema}")});
        json!({"200": {"description": "d", "content": {"application/json": {"schema": schema}}}})
    };
    let named = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}});
    let body =
        json!({"content": {"application/json": {"schema": {"$ref": "#/components/schemas/News"}}}});
    let nowhere = json!([{"$ref": "#/components/parameters/None"}]);
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Some", "version": "1", "x-rust-package": {"operations": operations}},
        "paths": {
            "/boats": {
                "get": {"operationId": "boat/list", "tags": ["boats"], "responses": answer("Boat")},
                "post": {"operationId": "boat/add", "tags": ["boats"], "responses": answer("Boat")},
            },
            "/cars": {"get": {"operationId": "car/list", "responses": answer("Car")}},
            "/trains": {"get": {"responses": answer("Train")}},
            "/wrong": {"get": {"operationId": "wrong", "parameters": nowhere, "responses": answer("Car")}},
        },
        "webhooks": {"news": {"post": {"tags": ["news"], "requestBody": body}}},
        "components": {"schemas": {
            "Boat": named("sail"), "Car": named("wheel"), "Train": named("rail"), "News": named("text"),
        }},
    })
}

/// Returns the types that the crate of these operations has, and its number of operations.
fn types(operations: Value) -> (Vec<&'static str>, usize) {
    let made = made(&document(&operations), None).unwrap();
    let code = made.tree.get("src/types.rs").unwrap_or_default();
    let has = |name: &&str| code.contains(&format!("pub struct {name} {{"));
    let names = ["Boat", "Car", "Train", "News"].into_iter();
    (names.filter(has).collect(), made.operations)
}

#[test]
fn operations_are_chosen_by_id_by_method_and_path_and_by_tag() {
    assert_eq!(types(json!(["boat/add"])), (vec!["Boat"], 1));
    assert_eq!(
        types(json!(["GET /trains", "car/list"])),
        (vec!["Car", "Train"], 2)
    );
    assert_eq!(types(json!(["tag:boats"])), (vec!["Boat"], 2));
    assert_eq!(
        types(json!(["tag:boats", "tag:news"])),
        (vec!["Boat", "News"], 2)
    );
    assert_eq!(types(json!([])), (vec![], 0));
}

#[test]
fn what_is_not_chosen_has_no_warning_and_is_not_left_out() {
    let all = made(&document(&json!(["tag:boats", "wrong"])), None).unwrap();
    assert_eq!(all.left_out, 1);
    assert!(!all.warnings.is_empty());
    let some = made(&document(&json!(["tag:boats"])), None).unwrap();
    assert_eq!(some.left_out, 0);
    assert_eq!(some.warnings, []);
}

#[test]
fn a_name_that_no_operation_has_is_an_error_with_the_nearest_one() {
    let stop = made(&document(&json!(["tag:boats", "tag:boat"])), None);
    let Err(DocumentError::Findings(findings)) = stop.map(|_| ()) else {
        panic!("it is generated");
    };
    let finding = findings.last().unwrap();
    assert_eq!(finding.pointer, "/info/x-rust-package/operations/1");
    assert_eq!(finding.message, "no operation is called `tag:boat`");
    assert_eq!(finding.notes, ["did you mean `tag:boats`?"]);
}
