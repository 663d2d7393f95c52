//! Completes the bodies of tests with the other members that they need: a number, a boolean, a date or an identifier that a response
//! always has. Added values are neutral: zero, `false`, and the empty string.

use serde_json::{Map, Value, json};

use super::document::{meant, response_of};

/// Page metadata that records do not need.
const OF_PAGES: [&str; 4] = ["total", "count", "limit", "offset"];

/// Returns the body of an operation with its missing members added.
pub(crate) fn whole(operation: &str, body: &str) -> String {
    let mut value = serde_json::from_str(body).unwrap();
    complete(response_of(operation), &mut value);
    value.to_string()
}

/// Adds the missing members of a schema to a value.
pub(crate) fn complete(schema: &'static Value, value: &mut Value) {
    let schema = object_or_list(schema);
    match value {
        Value::Array(elements) => {
            let elements = elements.iter_mut();
            elements.for_each(|element| complete(&schema["items"], element));
        }
        Value::Object(object) => {
            add_missing(schema, object);
            for (name, member) in object {
                if let Some(property) = schema["properties"].get(name) {
                    complete(property, member);
                }
            }
        }
        _ => {}
    }
}

fn add_missing(schema: &'static Value, object: &mut Map<String, Value>) {
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        let property = &schema["properties"][name];
        let aliases = property["x-aliases"].as_array().into_iter().flatten();
        let mut names = aliases.filter_map(Value::as_str).chain([name]);
        if names.any(|name| object.contains_key(name)) || OF_PAGES.contains(&name) {
            continue;
        }
        if let Some(value) = least(property) {
            object.insert(name.to_owned(), value);
        }
    }
}

/// Returns the neutral value of a property that a response always has.
fn least(property: &'static Value) -> Option<Value> {
    let schema = meant(property);
    let is = |key: &str, text: &str| [property, schema].iter().any(|one| one[key] == text);
    if [property, schema].iter().any(|one| one["nullable"] == true) || is("x-rust-type", "Credits")
    {
        return None;
    }
    let is_date =
        is("x-rust-type", "TextDate") || is("format", "date") || is("format", "date-time");
    let is_named = is_reference(property) && schema.get("enum").is_none();
    match schema["type"].as_str()? {
        "integer" | "number" => Some(json!(0)),
        "boolean" => Some(json!(false)),
        "string" if is_date || is_named => Some(json!("")),
        "object" => {
            let mut object = json!({});
            complete(schema, &mut object);
            (object != json!({})).then_some(object)
        }
        _ => None,
    }
}

/// Returns whether a schema is a reference, or a wrapper of one.
fn is_reference(schema: &Value) -> bool {
    let parts = ["allOf", "anyOf", "oneOf"].iter();
    let mut parts = parts.filter_map(|key| schema[key].as_array());
    schema.get("$ref").is_some() || parts.any(|all| all.len() == 1 && is_reference(&all[0]))
}

/// Resolves references and returns the non-null alternative.
pub(crate) fn object_or_list(schema: &'static Value) -> &'static Value {
    let schema = meant(schema);
    let alternatives = ["anyOf", "oneOf"].into_iter();
    let alternatives = alternatives
        .filter_map(|key| schema[key].as_array())
        .flatten();
    let mut fitting = alternatives.map(meant);
    fitting
        .find(|one| matches!(one["type"].as_str(), Some("object" | "array")))
        .unwrap_or(schema)
}
