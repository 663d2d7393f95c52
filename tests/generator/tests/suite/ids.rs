//! The ids of operations: budgets, prices and spans are by id, so that no two operations share one.

use std::time::Duration;

use openapi_document::source::Source;
use openapi_model::Model;
use serde_json::{Map, Value, json};

use crate::support::shortest;

const RESPONSE: &str = "responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}";

/// A document with these operations, each with the same response.
fn document(operations: &[(&str, &str)]) -> String {
    let paths: String = operations
        .iter()
        .map(|(path, id)| format!("  {path}: {{get: {{{id}{RESPONSE}}}}}\n"))
        .collect();
    format!(
        "openapi: 3.0.3\ninfo: {{title: Small, version: '1'}}\npaths:\n{paths}\
         components:\n  schemas:\n    A: {{type: object, required: [x], properties: {{x: {{type: string}}}}}}\n"
    )
}

fn model(document: &str) -> Model {
    let source = Source::parse("openapi.yaml", document.to_owned()).unwrap();
    let normal = openapi_schemas::normal(&source).unwrap();
    openapi_model::read(&normal.source).unwrap()
}

/// The ids by which callers give budgets, and the rules of the warnings.
fn read(operations: &[(&str, &str)]) -> (Vec<String>, Vec<&'static str>) {
    let model = model(&document(operations));
    let ids = model.operations.iter();
    let ids = ids.map(|one| format!("{}={}", one.known_as, one.rust_name));
    let rules = model.warnings.iter().map(|one| one.rule);
    (ids.collect(), rules.collect())
}

#[test]
fn a_second_operation_of_an_id_has_its_own_and_it_is_said() {
    let (ids, rules) = read(&[
        ("/v1/keys", "operationId: list, "),
        ("/v1/items/{id}/agent-keys", "operationId: list, "),
        ("/v1/items/{id}/tags", "operationId: list, "),
        ("/v1/users/{id}/tags", "operationId: list, "),
    ]);
    let names = ["list", "list_agent_keys", "list_tags", "list_users_tags"];
    assert_eq!(ids, names.map(|name| format!("{name}={name}")));
    let said = rules.iter().filter(|rule| **rule == "operation-name");
    assert_eq!(said.count(), 3);
}

#[test]
fn no_made_up_id_is_that_of_a_later_operation() {
    let (ids, _) = read(&[
        ("/a", "operationId: list, "),
        ("/{b}", "operationId: list, "),
        ("/{b}/{c}", "operationId: list, "),
        ("/c/b", "operationId: list, "),
        ("/e", "operationId: list_2, "),
        ("/f", "operationId: list_b, "),
        ("/d", ""),
        ("/g", "operationId: 'get  d', "),
    ]);
    assert_eq!(
        ids,
        [
            "list=list",
            "list_3=list_3",
            "list_4=list_4",
            "list_c_b=list_c_b",
            "list_2=list_2",
            "list_b=list_b",
            "get  d=get_d",
            "get  d_g=get_d_g"
        ]
    );
}

#[test]
fn an_id_that_an_override_gives_is_taken_as_it_is() {
    let (ids, rules) = read(&[
        ("/a", "operationId: list, "),
        ("/b", "operationId: list, x-rust-name: others, "),
    ]);
    assert_eq!(ids, ["list=list", "others=others"]);
    assert!(rules.is_empty(), "{rules:?}");
}

#[test]
fn a_response_type_of_two_operations_of_one_id_belongs_to_the_first() {
    let operations = [("/a", "operationId: list, "), ("/b", "operationId: list, ")];
    let tree = crate::support::tool::tree_of(&document(&operations));
    let texts = tree.iter().map(|(_, text)| text);
    let count: usize = texts
        .map(|text| text.matches("::documented!(").count())
        .sum();
    // Two would not compile.
    assert_eq!(count, 1);
}

/// Returns the shortest of several times to read so many operations of one id.
fn time_of_equal_ids(count: usize) -> Duration {
    let operation =
        json!({"get": {"operationId": "list", "responses": {"204": {"description": "d"}}}});
    let paths: Map<String, Value> = (0..count)
        .map(|index| (format!("/a{index}"), operation.clone()))
        .collect();
    let document =
        json!({"openapi": "3.0.3", "info": {"title": "Many", "version": "1"}, "paths": paths});
    let source = Source::parse("openapi.json", document.to_string()).unwrap();
    shortest(|| {
        let model = openapi_model::read(&source).unwrap();
        assert_eq!(model.operations.len(), count);
    })
}

#[test]
fn equal_ids_take_time_by_their_number() {
    let (few, many) = (time_of_equal_ids(500), time_of_equal_ids(4_000));
    assert!(many < few * 20, "{few:?}, then {many:?}");
}
