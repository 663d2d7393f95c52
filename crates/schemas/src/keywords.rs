//! Keywords of a schema with an invalid value, or in the form of another OpenAPI version.

use openapi_document::keywords::{KEYWORDS, Role, Takes, is_annotation, keyword};
use serde_json::{Map, Value, json};

use super::media_type::essence;

/// Repairs unambiguous keywords and removes the others. Returns the removed keywords.
pub(super) fn mend(map: &mut Map<String, Value>) -> Vec<&'static str> {
    clear(map);
    let mut dropped = Vec::new();
    for row in KEYWORDS {
        if map
            .get(row.name)
            .is_some_and(|value| !is_right(row.takes, value))
        {
            map.shift_remove(row.name);
            dropped.push(row.name);
        }
    }
    dropped
}

/// Returns whether a value has the form that its keyword takes. Schemas, lists of types and bounds have other rules.
fn is_right(takes: Takes, value: &Value) -> bool {
    match takes {
        Takes::Anything | Takes::Data | Takes::Schema | Takes::SchemaOrBool => true,
        Takes::Text => value.is_string(),
        Takes::Count => value.is_u64(),
        Takes::Float => value.is_number(),
        Takes::Bool => value.is_boolean(),
        Takes::List => value.is_array(),
        Takes::NamedSchemas => value.is_object(),
        Takes::Discriminator => value.get("propertyName").is_some_and(Value::is_string),
        // An empty list of alternatives would allow no value at all, which is never intended.
        Takes::Schemas | Takes::Values => value.as_array().is_some_and(|list| !list.is_empty()),
    }
}

/// Rewrites keywords in the form of another version, or of common mistakes.
fn clear(map: &mut Map<String, Value>) {
    // A single value is an enumeration of one.
    if let Some(only) = map.shift_remove("const")
        && !map.contains_key("enum")
    {
        map.insert("enum".to_owned(), json!([only]));
    }
    if let Some(Value::Array(examples)) = map.get("examples") {
        if let Some(first) = examples.first().cloned()
            && !map.contains_key("example")
        {
            map.insert("example".to_owned(), first);
        }
        map.shift_remove("examples");
    }
    // A tuple before JSON Schema 2020-12.
    if map.get("items").is_some_and(Value::is_array) && !map.contains_key("prefixItems") {
        if let Some(items) = map.shift_remove("items") {
            map.insert("prefixItems".to_owned(), items);
        }
        if let Some(more) = map.shift_remove("additionalItems") {
            map.insert("items".to_owned(), more);
        }
    }
    if let Some(Value::String(name)) = map.get("discriminator") {
        let name = name.clone();
        map.insert("discriminator".to_owned(), json!({"propertyName": name}));
    }
    if let Some(text @ ("true" | "false")) = map.get("nullable").and_then(Value::as_str) {
        let is_nullable = text == "true";
        map.insert("nullable".to_owned(), is_nullable.into());
    }
    for key in ["anyOf", "oneOf"] {
        let list = map.get_mut(key).and_then(Value::as_array_mut);
        for one in list.into_iter().flatten() {
            if means_null(one) {
                *one = json!({"type": "null"});
            }
        }
    }
    for key in ["additionalProperties", "unevaluatedProperties"] {
        match map.get(key) {
            None | Some(Value::Bool(_) | Value::Object(_)) => {}
            Some(other) => {
                let is_allowed = other != "false";
                map.insert(key.to_owned(), is_allowed.into());
            }
        }
    }
    // `required: true` on the property itself, as JSON Schema once had it.
    if map.get("required").is_some_and(Value::is_boolean) {
        map.shift_remove("required");
    }
    if let Some(Value::Array(names)) = map.get_mut("required") {
        names.retain(Value::is_string);
    }
    lengths(map);
    encoding(map);
}

/// Returns whether an alternative of OpenAPI 3.0 means null: it is nothing but nullable, as schemars writes it, or an object that can only be
/// empty.
fn means_null(alternative: &Value) -> bool {
    let Some(map) = alternative.as_object() else {
        return false;
    };
    let form = map.iter().filter(|(key, _)| !is_annotation(key));
    let form: Map<String, Value> = form
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let empty = json!({"type": "object", "nullable": true, "additionalProperties": false});
    [json!({"nullable": true}), empty].contains(&Value::Object(form))
}

/// Rewrites integers that are written as strings or with a decimal point.
fn lengths(map: &mut Map<String, Value>) {
    for row in KEYWORDS.iter().filter(|row| row.takes == Takes::Count) {
        let Some(value) = map.get_mut(row.name).filter(|value| !value.is_u64()) else {
            continue;
        };
        let number = match &*value {
            Value::String(text) => text.trim().parse::<f64>().ok(),
            other => other.as_f64(),
        };
        // Every integer up to 2^53 is exact; no string is longer.
        if let Some(number) = number.filter(|n| n.fract() == 0.0 && (0.0..9e15).contains(n)) {
            *value = (number as u64).into();
        }
    }
}

/// Rewrites binary strings: base64 inside of JSON, raw bytes in a body or a part of one.
fn encoding(map: &mut Map<String, Value>) {
    if map.get("format").and_then(Value::as_str) == Some("binary") {
        text_of_bytes(map);
    }
    if map.contains_key("format") || map.contains_key("$ref") {
        return;
    }
    let [encoding, media_type] =
        ["contentEncoding", "contentMediaType"].map(|key| map.get(key).and_then(Value::as_str));
    let format = match (encoding, media_type) {
        (Some("base64"), _) => "byte",
        // No other alphabet may be sent instead.
        (Some("base64url"), _) => "base64url",
        (Some("binary"), _) => "binary",
        (None, Some(media_type)) if !is_text(media_type) => "binary",
        _ => return,
    };
    map.insert("format".to_owned(), format.into());
    text_of_bytes(map);
}

/// Gives a schema of bytes the type `string`, unless other keywords determine its values.
fn text_of_bytes(map: &mut Map<String, Value>) {
    let mut rows = map.keys().filter_map(|key| keyword(key));
    let says_more = rows.any(|row| {
        let is_other = matches!(row.role, Role::Type | Role::Reference | Role::Values);
        is_other || row.takes.holds_schemas()
    });
    if !says_more {
        map.insert("type".to_owned(), "string".into());
    }
}

/// Returns whether values of a media type are strings.
fn is_text(media_type: &str) -> bool {
    let essence = essence(media_type);
    let subtype = essence.rsplit(['/', '+']).next().unwrap_or_default();
    essence.starts_with("text/")
        || ["json", "xml", "yaml", "javascript", "x-www-form-urlencoded"].contains(&subtype)
}
