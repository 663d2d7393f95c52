//! A schema that the new document inlines, and that overrides refer to: they inline it, too, and others then target that location.

use openapi_overrides::{OverrideSet, Verdict, judge, rebase};
use serde_json::Value;

use super::{DOCUMENT, file, source};
use crate::support::Workspace;

/// Moves the property to another name.
const MOVES: &str = "  - target: $.components.schemas.Thing.properties
    x-expect: {sort: null}
    update: {sort: {$ref: '#/components/schemas/Kind'}}
  - target: $.components.schemas.Thing.properties.kind
    x-expect: {$ref: '#/components/schemas/Kind'}
    remove: true
";
const BOUNDS: &str = "  - target: $.components.schemas.Kind
    x-expect: {maxLength: null}
    update: {maxLength: 9}
";
/// Refers to the schema after the others.
const AGAIN: &str = "  - target: $.components.schemas.Thing.properties
    x-expect: {more: null}
    update: {more: {$ref: '#/components/schemas/Kind'}}
";
fn set() -> OverrideSet {
    let workspace = Workspace::with(DOCUMENT)
        .file("overrides/upstream/moves.yaml", &file(MOVES))
        .file("overrides/assumed/bounds.yaml", &file(BOUNDS))
        .file("overrides/generator/again.yaml", &file(AGAIN));
    OverrideSet::load(workspace.root(), "overrides").unwrap()
}

#[test]
fn what_an_override_writes_out_has_what_the_others_say() {
    let reference = "{$ref: '#/components/schemas/Kind'}";
    let new = DOCUMENT.replace(reference, "{type: string, enum: [a, b]}");
    let new = source(new.split("    Kind:\n").next().unwrap());
    let rebase = rebase(&source(DOCUMENT), &new, &set(), true).unwrap();
    assert_eq!(rebase.decisions, []);
    let judged = judge(&new, &rebase.set);
    for one in &judged.all {
        assert_eq!(one.verdict, Verdict::Applied, "{}", one.applied.by.id);
    }
    let properties = judged
        .document
        .pointer("/components/schemas/Thing/properties");
    let kind = |name: &str| properties.and_then(|all| all.get(name)).cloned();
    let wanted = serde_json::json!({"type": "string", "enum": ["a", "b"], "maxLength": 9, "x-rust-type-name": "Kind"});
    assert_eq!(kind("kind"), None);
    assert_eq!(kind("sort").as_ref(), Some(&wanted));
    assert_eq!(kind("more").as_ref(), Some(&wanted));
    let bounds = rebase.set.overrides.iter().find(|one| one.id == "bounds");
    // A removed value is no longer a target.
    let bounds = &bounds.unwrap().source.text;
    assert!(bounds.contains("properties.sort\n"), "{bounds}");
    assert!(!bounds.contains("kind"), "{bounds}");
}

#[test]
fn what_was_the_only_part_of_all_of_stands_at_its_place() {
    let parts = "allOf: [{$ref: '#/components/schemas/Kind'}]";
    let actions = format!(
        "  - target: $.components.schemas.Thing.properties
    x-expect: {{more: null, loose: null}}
    update:
      more:
        {parts}
        description: Another kind.
        x-aliases: [again]
      loose:
        {parts}
        x-rust-type: Loose
"
    );
    let workspace = Workspace::with(DOCUMENT).file("overrides/assumed/more.yaml", &file(&actions));
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    let written = |new: &str| {
        let new = source(new);
        let rebase = rebase(&source(DOCUMENT), &new, &set, true).unwrap();
        let document = judge(&new, &rebase.set).document;
        let properties = "/components/schemas/Thing/properties";
        let all = document.pointer(properties).unwrap();
        (all["more"].clone(), all["loose"].clone())
    };
    let reference = serde_json::json!([{"$ref": "#/components/schemas/Sort"}]);
    let renamed = DOCUMENT
        .replace("schemas/Kind", "schemas/Sort")
        .replace("    Kind:", "    Sort:");
    let (more, loose) = written(&renamed);
    assert_eq!((&more["allOf"], &loose["allOf"]), (&reference, &reference));

    let kind = "{$ref: '#/components/schemas/Kind'}";
    let new = DOCUMENT.replace(kind, "{type: string, description: Its kind., enum: [a, b]}");
    let (more, loose) = written(new.split("    Kind:\n").next().unwrap());
    assert_eq!(
        more,
        serde_json::json!({"type": "string", "enum": ["a", "b"], "description": "Another kind.", "x-aliases": ["again"], "x-rust-type-name": "Kind"})
    );
    assert_eq!(
        loose["allOf"],
        serde_json::json!([{"type": "string", "enum": ["a", "b"], "x-rust-type-name": "Kind"}])
    );
}

#[test]
fn enum_values_beside_a_list_of_an_extension_stay_in_their_order() {
    let old = source(DOCUMENT);
    let values = |extension: &str| {
        let new = DOCUMENT.replace("enum: [a, b]", &format!("enum: [b, a]\n      {extension}"));
        let new = source(&new);
        let ordered = openapi_overrides::Order::between(&old, &new).whole(&new.value);
        ordered["components"]["schemas"]["Kind"]["enum"].to_string()
    };
    assert_eq!(values("x-labels: [B, A]"), r#"["b","a"]"#);
    assert_eq!(values("x-label: Kinds"), r#"["a","b"]"#);
}

#[test]
fn a_component_that_an_override_adds_follows_that_of_the_document() {
    let adds = "  - target: $.components.schemas
    x-expect: {State: null}
    update:
      State: {type: string, description: Its state., enum: [on, off]}
  - target: $.components.schemas.Thing.properties
    x-expect: {state: null}
    update: {state: {$ref: '#/components/schemas/State'}}
";
    let workspace = Workspace::with(DOCUMENT).file("overrides/upstream/adds.yaml", &file(adds));
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    // The document has added one: a person compares the two.
    let new = format!("{DOCUMENT}    State: {{type: string, enum: ['off', 'on', broken]}}\n");
    let published = rebase(&source(DOCUMENT), &source(&new), &set, true).unwrap();
    let judged = judge(&source(&new), &published.set);
    assert_eq!(judged.all[0].verdict, Verdict::Outdated);
    // Later, the document renames the component that ours refers to.
    let adds = &set.overrides[0].source.text;
    let adds = adds.replace(
        "$ref: '#/components/schemas/State'",
        "$ref: '#/components/schemas/Kind'",
    );
    let workspace = Workspace::with(DOCUMENT).file("overrides/upstream/adds.yaml", &adds);
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    let new = DOCUMENT
        .replace("schemas/Kind", "schemas/Sort")
        .replace("    Kind:", "    Sort:");
    let renamed = rebase(&source(DOCUMENT), &source(&new), &set, true).unwrap();
    let judged = judge(&source(&new), &renamed.set);
    assert_eq!(judged.all[0].verdict, Verdict::Applied);
    let thing = &judged.document["components"]["schemas"]["Thing"];
    assert_eq!(
        thing["properties"]["state"]["$ref"],
        "#/components/schemas/Sort"
    );
}

#[test]
fn a_new_document_stands_in_the_order_of_the_old_one() {
    fn reversed(value: &Value) -> Value {
        match value {
            Value::Object(map) => {
                let all = map.iter().rev();
                Value::Object(all.map(|(key, one)| (key.clone(), reversed(one))).collect())
            }
            Value::Array(items) => items.iter().rev().map(reversed).collect(),
            other => other.clone(),
        }
    }
    fn sorted(value: &Value) -> Value {
        let mut value = match value {
            Value::Object(map) => {
                let all = map.iter();
                Value::Object(all.map(|(key, one)| (key.clone(), sorted(one))).collect())
            }
            Value::Array(items) => {
                let mut items: Vec<Value> = items.iter().map(sorted).collect();
                items.sort_by_key(Value::to_string);
                Value::Array(items)
            }
            other => other.clone(),
        };
        value.sort_all_objects();
        value
    }
    let old = source(DOCUMENT);
    let inline = "{type: object, properties: {name: {type: string, description: Its name.}, new: {type: string}, kind: {type: string, enum: [c, a, b]}}}";
    let new = DOCUMENT
        .replace("schemas/Kind", "schemas/Sort")
        .replace("    Kind:", "    Sort:")
        .replace(
            "schema: {$ref: '#/components/schemas/Thing'}",
            &format!("schema: {inline}"),
        )
        .replace("/v1/things/{id}", "/v2/things/{id}");
    let new = source(&new);
    let new = new.with_value(reversed(&new.value));
    let ordered = openapi_overrides::Order::between(&old, &new).whole(&new.value);
    assert_ne!(ordered.to_string(), new.value.to_string());
    let item = ordered.pointer("/paths/~1v2~1things~1{id}/get").unwrap();
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys(item), ["operationId", "parameters", "responses"]);
    assert_eq!(item["parameters"][0]["name"], "id");
    assert_eq!(
        item["parameters"][1]["$ref"],
        "#/components/parameters/Size"
    );
    let schema = &item["responses"]["200"]["content"]["application/json"]["schema"];
    assert_eq!(keys(&schema["properties"]), ["name", "kind", "new"]);
    // Enum values keep their order, and a new one its position. Nothing is lost.
    assert_eq!(
        schema["properties"]["kind"]["enum"],
        serde_json::json!(["a", "b", "c"])
    );
    assert_eq!(sorted(&ordered), sorted(&new.value));
}
