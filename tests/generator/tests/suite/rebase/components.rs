//! Components that overrides refer to or add, and the order of a new document.

use serde_json::{Map, Value};

use super::{DOCUMENT, source};
use crate::diff::rewrites::everywhere;
use crate::support::Inputs;

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
    let thing = "schema: {$ref: '#/components/schemas/Thing'}";
    let new = DOCUMENT
        .replace("schemas/Kind", "schemas/Sort")
        .replace("    Kind:", "    Sort:")
        .replace(thing, &format!("schema: {inline}"))
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
    let size = &item["parameters"][1]["$ref"];
    assert_eq!(size, "#/components/parameters/Size");
    let schema = &item["responses"]["200"]["content"]["application/json"]["schema"];
    assert_eq!(keys(&schema["properties"]), ["name", "new", "kind"]);
    // Enum values keep their order, and a new one its position. Nothing is lost.
    let values = &schema["properties"]["kind"]["enum"];
    assert_eq!(*values, serde_json::json!(["a", "b", "c"]));
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
