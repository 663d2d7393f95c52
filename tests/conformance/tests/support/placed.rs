//! Puts a payload of a type into a response that has one, as the document of the crate says.

use serde_json::{Value, json};

use super::document::{DOCUMENT, schema_of};
use super::operations::{is_named, names};

/// Returns the operation, by its name in Rust, whose response has this type with the least around it, and its body with the payload.
pub(crate) fn placed(name: &str, payload: &Value) -> (String, Value) {
    let document: &Value = &DOCUMENT;
    let target = schema_of(name);
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    let bodies = operations.filter_map(|operation| {
        let content = &operation["responses"]["200"]["content"]["application/json"];
        let body = around(
            document,
            &content["schema"],
            target,
            payload,
            &mut Vec::new(),
        )?;
        let mut names = names().into_iter();
        let name = names.find(|name| is_named(operation, name))?;
        Some((name.to_owned(), body))
    });
    bodies
        .min_by_key(|(_, body)| body.to_string().len())
        .unwrap_or_else(|| panic!("no response has the type {name}"))
}

/// Returns the smallest value of `schema` that has the payload in place of `target`. `within` lists the schemas already entered.
fn around<'d>(
    document: &'d Value,
    schema: &'d Value,
    target: &'d Value,
    payload: &Value,
    within: &mut Vec<&'d str>,
) -> Option<Value> {
    if std::ptr::eq(schema, target) {
        return Some(payload.clone());
    }
    if let Some(reference) = schema["$ref"].as_str() {
        if within.contains(&reference) {
            return None;
        }
        within.push(reference);
        let inner = document.pointer(reference.trim_start_matches('#')).unwrap();
        let found = around(document, inner, target, payload, within);
        within.pop();
        return found;
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        let parts = schema[key].as_array().into_iter().flatten();
        let mut found = parts.filter_map(|part| around(document, part, target, payload, within));
        if let Some(found) = found.next() {
            return Some(found);
        }
    }
    if schema["items"].is_object() {
        return around(document, &schema["items"], target, payload, within)
            .map(|inner| json!([inner]));
    }
    let properties = schema["properties"].as_object()?.iter();
    let found = properties.filter_map(|(name, property)| {
        let inner = around(document, property, target, payload, within)?;
        Some(json!({ name.as_str(): inner }))
    });
    found.min_by_key(|value| value.to_string().len())
}
