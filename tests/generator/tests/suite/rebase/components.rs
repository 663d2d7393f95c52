//! Components that overrides refer to or add, and the order of a new document.

use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, Verdict, judge, rebase};
use serde_json::{Map, Value};

use super::{DOCUMENT, file, set, source};
use crate::diff::rewrites::everywhere;
use crate::support::{Inputs, Workspace};

#[test]
fn a_reference_to_a_schema_that_the_document_writes_out_is_written_out() {
    let sort = "  - target: $.components.schemas.Thing.properties
    x-expect: {sort: null}
    update: {sort: {$ref: '#/components/schemas/Kind'}}
";
    let reference = "{$ref: '#/components/schemas/Kind'}";
    let without = |values: &str| {
        let new = DOCUMENT.replace(reference, &format!("{{type: string, enum: [{values}]}}"));
        source(new.split("    Kind:\n").next().unwrap())
    };
    let moved = |new: &Source| rebase(&source(DOCUMENT), new, &set(sort), true).unwrap();
    let new = without("a, b");
    let same = moved(&new);
    assert_eq!(same.decisions, []);
    let document = judge(&new, &same.set).document;
    let sort = &document["components"]["schemas"]["Thing"]["properties"]["sort"];
    assert_eq!(sort["enum"], serde_json::json!(["a", "b"]));
    // Written out with other values, it is for a person.
    let other = moved(&without("a, b, c"));
    assert_eq!(other.decisions[0].reason, "`Kind` has no counterpart");
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
    assert_eq!(keys(&schema["properties"]), ["name", "new", "kind"]);
    // Enum values keep their order, and a new one its position. Nothing is lost.
    assert_eq!(
        schema["properties"]["kind"]["enum"],
        serde_json::json!(["a", "b", "c"])
    );
    assert_eq!(sorted(&ordered), sorted(&new.value));
}

/// Returns the committed document with all components renamed.
pub(crate) fn with_other_names(inputs: &'static Inputs) -> Value {
    let mut document = inputs.published.value.clone();
    for kind in ["schemas", "parameters"] {
        let Some(Value::Object(all)) = document["components"].get_mut(kind).map(Value::take) else {
            continue;
        };
        let all: Map<String, Value> = all
            .into_iter()
            .map(|(name, one)| (format!("{name}Dto"), one))
            .collect();
        document["components"][kind] = all.into();
    }
    let renamed = |value: &mut Value| {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            value["$ref"] = format!("{reference}Dto").into();
        }
    };
    everywhere(&mut document, &|_, value| renamed(value), "");
    document
}

#[test]
fn a_component_never_refers_to_itself_where_a_place_refers_to_it_now() {
    let untyped = "name: {type: string, description: Its name.}";
    let old = source(&DOCUMENT.replace(untyped, "name: {description: Its name.}"));
    let new = source(&DOCUMENT.replace(
        untyped,
        "name: {anyOf: [{$ref: '#/components/schemas/Kind'}], description: Its name.}",
    ));
    let actions = "  - target: $.components.schemas.Thing.properties.name
    x-expect: {allOf: null, x-rust-type: null}
    update:
      allOf: [{$ref: '#/components/schemas/Kind'}]
      x-rust-type: Loose
";
    let moved = rebase(&old, &new, &set(actions), true).unwrap();
    let judged = judge(&new, &moved.set);
    assert_eq!(judged.all[0].verdict, Verdict::Applied);
    let schemas = &judged.document["components"]["schemas"];
    assert_eq!(schemas["Kind"], new.value["components"]["schemas"]["Kind"]);
    let name = &schemas["Thing"]["properties"]["name"];
    assert_eq!(name["x-rust-type"], "Loose");
    assert_eq!(name.get("allOf"), None);
}
