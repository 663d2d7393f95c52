//! Enum values: those of the schema's type, and `null` as a mark of the schema.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

/// Rewrites an enumeration as values of one type, if it has one. Returns descriptions of the changes.
pub(super) fn plain(map: &mut Map<String, Value>) -> Vec<String> {
    let Some(Value::Array(values)) = map.get_mut("enum") else {
        return Vec::new();
    };
    let before = values.len();
    let has_null = values.iter().any(Value::is_null);
    let mut seen = HashSet::new();
    let mut is_kept = |value: &Value| !value.is_null() && seen.insert(value.to_string());
    let kept: Vec<bool> = values.iter().map(&mut is_kept).collect();
    retain(values, &kept);
    let is_empty = values.is_empty();
    for (_, list) in map.iter_mut().filter(|(key, _)| key.starts_with("x-enum")) {
        if let Value::Array(list) = list
            && list.len() == before
        {
            retain(list, &kept);
        }
    }
    if is_empty {
        map.shift_remove("enum");
        map.shift_remove("nullable");
        map.insert("type".to_owned(), "null".into());
        return Vec::new();
    }
    let type_of = match map.get("type").and_then(Value::as_str) {
        Some(name) => Some(name.to_owned()),
        None => map
            .get("enum")
            .and_then(Value::as_array)
            .and_then(|values| common(values)),
    };
    if has_null {
        map.insert("nullable".to_owned(), true.into());
    }
    let Some(type_of) = type_of else {
        return Vec::new();
    };
    let mut changed: Vec<String> = Vec::new();
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        for value in values {
            if let Some(meant) = meant(value, &type_of) {
                changed.push(value.to_string());
                *value = meant;
            }
        }
    }
    if !map.contains_key("$ref") {
        map.insert("type".to_owned(), type_of.as_str().into());
    }
    if changed.is_empty() {
        return changed;
    }
    let values = changed.join(", ");
    vec![format!(
        "the type is {type_of}, and these enum values are read as that: {values}"
    )]
}

fn retain(list: &mut Vec<Value>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next() == Some(&true));
}

/// Returns the type of all values; `None` if there are several, or if it is not scalar.
fn common(values: &[Value]) -> Option<String> {
    let all = |is: fn(&Value) -> bool| values.iter().all(is);
    let name = if all(Value::is_string) {
        "string"
    } else if all(Value::is_boolean) {
        "boolean"
    } else if all(|value| value.is_i64() || value.is_u64()) {
        "integer"
    } else if all(Value::is_number) {
        "number"
    } else {
        return None;
    };
    Some(name.to_owned())
}

/// Returns a value of the type, if YAML has converted it to another one: `yes` and `1` without quotes.
fn meant(value: &Value, type_of: &str) -> Option<Value> {
    match (type_of, value) {
        ("string", Value::Bool(_) | Value::Number(_)) => Some(json!(value.to_string())),
        ("boolean", Value::String(text)) => text.parse::<bool>().ok().map(Value::from),
        ("integer", Value::String(text)) => text.parse::<i64>().ok().map(Value::from),
        ("number", Value::String(text)) => {
            let number = text.parse::<f64>().ok()?;
            serde_json::Number::from_f64(number).map(Value::Number)
        }
        _ => None,
    }
}
