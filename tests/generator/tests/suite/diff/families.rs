//! A parent with a discriminator and its children, which an `allOf` or a mapping names.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{compare, document, lines, yaml};
use crate::support::shortest;

/// Wrappers of the parent in each operation.
const PETS: &str = "
openapi: 3.0.3
info: {title: Case, version: '1'}
paths:
  /a:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}}
    put: {requestBody: {content: {application/json: {schema: {allOf: [{$ref: '#/components/schemas/Pet'}], nullable: true}}}}, responses: {'204': {description: ok}}}
  /b:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Owned'}}}}}}
components:
  schemas:
    Pet: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {lives: {type: integer}}}]}
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {bones: {type: integer}}}]}
    Owned: {type: object, properties: {pet: {allOf: [{$ref: '#/components/schemas/Pet'}], description: Its pet.}, other: {$ref: '#/components/schemas/MaybePet'}}}
    MaybePet: {allOf: [{$ref: '#/components/schemas/Pet'}], nullable: true, description: A pet or null.}
    Lynx: {allOf: [{$ref: '#/components/schemas/MaybePet'}, {type: object, properties: {tufts: {type: integer}}}]}
";

#[test]
fn a_wrapper_of_a_parent_is_no_child_and_hides_none() {
    let old = yaml(PETS);
    let mut new = old.clone();
    let schemas = new["components"]["schemas"].as_object_mut().unwrap();
    schemas.shift_remove("MaybePet");
    schemas["Owned"]["properties"]["other"] = json!({"allOf": [{"$ref": "#/components/schemas/Pet"}], "nullable": true, "description": "A pet or null."});
    schemas["Lynx"]["allOf"][0] = json!({"$ref": "#/components/schemas/Pet"});
    for (a, b) in [(&old, &new), (&new, &old)] {
        let changes = compare(a, b).changes;
        let is_documentation = changes.iter().all(|one| one.rule.id == "docs.changed");
        assert!(is_documentation, "{:#?}", lines(&changes));
    }
    for (child, member) in [("Cat", "lives"), ("Lynx", "tufts")] {
        let mut new = old.clone();
        new["components"]["schemas"][child]["allOf"][1]["properties"][member] =
            json!({"type": "string"});
        let changes = compare(&old, &new).changes;
        assert_eq!(changes.len(), 1, "{:#?}", lines(&changes));
        let reached: Vec<&str> = changes[0].operations.iter().collect();
        assert_eq!(reached, ["GET /a", "PUT /a", "GET /b"], "{child}");
    }
}

#[test]
fn a_removed_child_is_one_change() {
    let old = yaml(PETS);
    for child in ["Dog", "Lynx"] {
        let mut new = old.clone();
        let schemas = new["components"]["schemas"].as_object_mut().unwrap();
        schemas.shift_remove(child);
        for (a, b) in [(&old, &new), (&new, &old)] {
            let changes = compare(a, b).changes;
            let is_reached = |one: &&openapi_diff::Change| !one.operations.is_empty();
            let reaching: Vec<_> = changes.iter().filter(is_reached).collect();
            assert_eq!(reaching.len(), 1, "{:#?}", lines(&changes));
            let reached: Vec<&str> = reaching[0].operations.iter().collect();
            assert_eq!(reached, ["GET /a", "PUT /a", "GET /b"], "{child}");
        }
    }
}

/// Returns a parent with so many children, by `allOf` and by mapping, one of them of this type.
fn parent(count: usize, kind: &str) -> Value {
    let name = |index: usize| format!("Child{index:04}");
    let refer = |index: usize| format!("#/components/schemas/{}", name(index));
    let mapping: Map<String, Value> = (0..count)
        .map(|index| (format!("c{index}"), refer(index).into()))
        .collect();
    let mut schemas: Map<String, Value> = (0..count)
        .map(|index| {
            let own = json!({"type": if index == 7 { kind } else { "string" }});
            let own = json!({"type": "object", "properties": {format!("own{index}"): own}});
            let parent = json!({"$ref": "#/components/schemas/Parent"});
            (name(index), json!({"allOf": [parent, own]}))
        })
        .collect();
    schemas.insert(
        "Parent".to_owned(),
        json!({
            "type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}},
            "discriminator": {"propertyName": "kind", "mapping": mapping},
        }),
    );
    let mut document = super::in_response(&json!({"$ref": "#/components/schemas/Parent"}));
    document["components"] = json!({"schemas": schemas});
    document
}

fn time_of_one_change(old: &Value, new: &Value) -> Duration {
    shortest(|| {
        let changes = compare(old, new).changes;
        assert_eq!(changes.len(), 1, "{:#?}", lines(&changes));
    })
}

#[test]
fn a_family_is_compared_in_time_by_its_size() {
    let time =
        |count: usize| time_of_one_change(&parent(count, "string"), &parent(count, "integer"));
    let (few, many) = (time(100), time(800));
    assert!(many < few * 24, "{few:?}, then {many:?}");
}

/// Returns a document with this many members, each a choice between as many objects.
fn members(count: usize, more: usize) -> Value {
    let alternatives: Vec<Value> = (0..count)
        .map(|number| json!({"type": "object", "properties": {format!("p{number}"): {"type": "string"}}}))
        .collect();
    let names = (0..count + more).map(|number| format!("m{number}"));
    let properties: Map<String, Value> = names
        .map(|name| (name, json!({"$ref": "#/components/schemas/Big"})))
        .collect();
    let schema = json!({"type": "object", "properties": properties});
    let content = json!({"application/json": {"schema": schema}});
    document(&json!({
        "paths": {"/a": {"get": {"responses": {"200": {"content": content}}}}},
        "components": {"schemas": {"Big": {"oneOf": alternatives}}},
    }))
}

#[test]
fn members_of_one_large_choice_are_compared_in_time_by_their_number() {
    let time = |count: usize| time_of_one_change(&members(count, 0), &members(count, 1));
    let (few, many) = (time(50), time(400));
    assert!(many < few * 24, "{few:?}, then {many:?}");
}
