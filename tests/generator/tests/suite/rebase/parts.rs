//! Schemas that say other things with the same keywords: a part, an alternative or a reference has another meaning.

use openapi_document::source::Source;
use openapi_overrides::{Verdict, judge, rebase};
use serde_json::{Value, json};

use super::set;

/// A document with these component schemas, all in one response.
fn document(schemas: &Value) -> Source {
    let properties: serde_json::Map<String, Value> = schemas
        .as_object()
        .unwrap()
        .keys()
        .map(|name| {
            (
                name.clone(),
                json!({"$ref": format!("#/components/schemas/{name}")}),
            )
        })
        .collect();
    let schema = json!({"type": "object", "properties": properties});
    let response = json!({"description": "", "content": {"application/json": {"schema": schema}}});
    let document = json!({
        "openapi": "3.1.0", "info": {"title": "A", "version": "1"},
        "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": response}}}},
        "components": {"schemas": schemas},
    });
    Source::parse("openapi.json", document.to_string()).unwrap()
}

/// Returns the verdict of an override that guards the whole schema `T`, or what `guard` says of it.
fn verdict(old: &Value, new: &Value, guard: &Value, update: &Value) -> Verdict {
    let (old, new) = (document(old), document(new));
    let action = json!([{"target": "$.components.schemas.T", "x-expect": guard, "update": update}]);
    let set = set(&serde_yaml::to_string(&action).unwrap());
    assert_eq!(judge(&old, &set).all[0].verdict, Verdict::Applied);
    let moved = rebase(&old, &new, &set, true).unwrap();
    let judged = judge(&new, &moved.set);
    judged
        .all
        .first()
        .map_or(Verdict::Retired, |one| one.verdict)
}

#[test]
fn keywords_that_belong_together_do_not_change_their_part() {
    let (a, b) = (json!({"required": ["a"]}), json!({"required": ["b"]}));
    let (p, q) = (json!({"required": ["p"]}), json!({"required": ["q"]}));
    let text = json!({"type": "string"});
    for (old, new) in [
        (
            json!([{"if": a, "then": p}, {"if": b, "then": q}]),
            json!([{"if": a, "then": q}, {"if": b, "then": p}]),
        ),
        (
            json!([{"contains": {"const": 1}, "minContains": 2}, {"contains": {"const": 2}, "minContains": 3}]),
            json!([{"contains": {"const": 1}, "minContains": 3}, {"contains": {"const": 2}, "minContains": 2}]),
        ),
        (
            json!([{"properties": {"a": text}, "additionalProperties": false}, {"properties": {"b": text}}]),
            json!([{"properties": {"a": text}}, {"properties": {"b": text}, "additionalProperties": false}]),
        ),
    ] {
        let (old, new) = (json!({"T": {"allOf": old}}), json!({"T": {"allOf": new}}));
        let verdict = verdict(&old, &new, &old["T"], &json!({"x-rust-name": "Ours"}));
        assert_eq!(verdict, Verdict::Outdated, "{new}");
    }
}

#[test]
fn keywords_of_a_constant_stay_at_their_constant() {
    let old = json!({"T": {"oneOf": [{"const": "a", "deprecated": true}, {"const": "b"}]}});
    let new = json!({"T": {"oneOf": [{"const": "a"}, {"const": "b", "deprecated": true}]}});
    let verdict = verdict(&old, &new, &old["T"], &json!({"x-rust-name": "Ours"}));
    assert_eq!(verdict, Verdict::Outdated);
}

/// The diff pairs the targets: nothing else refers to them.
#[test]
fn a_reference_to_another_schema_that_was_there_is_another_reference() {
    let schemas = |target: &str| {
        json!({
            "T": {"type": "object", "properties": {"n": {"$ref": target}, "o": {"$ref": "#/components/schemas/B"}}},
            "A": {"type": "string"}, "B": {"type": "integer"},
        })
    };
    let (old, new) = (
        schemas("#/components/schemas/A"),
        schemas("#/components/schemas/B"),
    );
    let guard = json!({"properties": {"n": {"$ref": "#/components/schemas/A"}}});
    let verdict = verdict(&old, &new, &guard, &json!({"x-rust-name": "Ours"}));
    assert_eq!(verdict, Verdict::Outdated);
}
