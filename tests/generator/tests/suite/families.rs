//! The time that it takes to read alternatives with a tag. Their types are in `fixtures/cases/families.yaml`.

use std::time::Duration;

use openapi_document::source::Source;
use serde_json::{Map, Value, json};

use crate::support::shortest;

/// Returns the shortest of several times to read so many alternatives, which share an enumeration of all their tags.
fn time_of_tags(count: usize) -> Duration {
    let names: Vec<String> = (0..count).map(|index| format!("C{index}")).collect();
    let target = |name: &String| format!("#/components/schemas/{name}");
    let alternatives: Vec<Value> = names
        .iter()
        .map(|name| json!({"$ref": target(name)}))
        .collect();
    let one = |name: &str| json!({"type": "object", "properties": {"kind": {"$ref": "#/components/schemas/Kind"}, name: {"type": "string"}}});
    let mut schemas: Map<String, Value> =
        names.iter().map(|name| (name.clone(), one(name))).collect();
    schemas.insert("Kind".to_owned(), json!({"type": "string", "enum": names}));
    let mapping: Map<String, Value> = names
        .iter()
        .map(|name| (name.clone(), target(name).into()))
        .collect();
    let any = json!({"oneOf": alternatives, "discriminator": {"propertyName": "kind", "mapping": mapping}});
    let content = json!({"application/json": {"schema": any}});
    let operation =
        json!({"operationId": "a", "responses": {"200": {"description": "d", "content": content}}});
    let document = json!({"openapi": "3.0.3", "info": {"title": "Many", "version": "1"}, "paths": {"/a": {"get": operation}},
        "components": {"schemas": schemas}});
    let source = Source::parse("openapi.json", document.to_string()).unwrap();
    shortest(|| {
        let model = openapi_model::read(&source).unwrap();
        let mut unions = model.schemas.iter().filter_map(|one| one.alternatives());
        assert!(unions.any(|one| one.len() == count));
    })
}

/// Eight times as many have 64 times as many values, and 512 times as many claims on them.
#[test]
fn claims_of_tags_are_looked_up() {
    let (few, many) = (time_of_tags(60), time_of_tags(480));
    assert!(many < few * 50, "{few:?}, then {many:?}");
}
