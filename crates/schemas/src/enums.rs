//! Enum values: those of the schema's type, and `null` as a mark of the schema. Values that contradict the type count more than it.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::decimal::decimal;

/// Rewrites an enumeration as values of one type, if it has one. Returns descriptions of the changes.
pub(super) fn plain(map: &mut Map<String, Value>) -> Vec<String> {
    let Some(Value::Array(values)) = map.get_mut("enum") else {
        return Vec::new();
    };
    let before = values.len();
    let has_null = values.iter().any(Value::is_null);
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for value in values.iter() {
        kept.push(!value.is_null() && seen.insert(value.to_string()));
    }
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
    if has_null {
        map.insert("nullable".to_owned(), true.into());
    }
    agree(map)
}

/// Lets the type and the values of an enumeration agree. Returns descriptions of the changes.
fn agree(map: &mut Map<String, Value>) -> Vec<String> {
    let values = map.get("enum").and_then(Value::as_array);
    let values = values.cloned().unwrap_or_default();
    let Some(type_of) = map.get("type").and_then(Value::as_str) else {
        if !map.contains_key("$ref") {
            put_type(map, &values);
        }
        return Vec::new();
    };
    let type_of = type_of.to_owned();
    let others = values.iter().filter(|value| !is_of(value, &type_of));
    let others: Vec<String> = others.map(Value::to_string).collect();
    if others.is_empty() {
        return Vec::new();
    }
    let others = others.join(", ");
    let meant = values.iter().map(|value| meant(value, &type_of));
    let result = if let Some(meant) = meant.collect::<Option<Vec<Value>>>() {
        map.insert("enum".to_owned(), meant.into());
        "and these enum values are read as that"
    } else if ["array", "object"].contains(&type_of.as_str()) {
        map.shift_remove("enum");
        "and these enum values, which have another, are not read"
    } else {
        map.shift_remove("type");
        put_type(map, &values);
        "but these enum values have another, and the values count"
    };
    vec![format!("the type is {type_of}, {result}: {others}")]
}

/// Gives a schema the type of its values, if they have one.
fn put_type(map: &mut Map<String, Value>, values: &[Value]) {
    if let Some(name) = common(values) {
        map.insert("type".to_owned(), name.into());
    }
}

fn retain(list: &mut Vec<Value>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next() == Some(&true));
}

/// Returns the type of all values; `None` if there are several, or if it is not scalar.
fn common(values: &[Value]) -> Option<&'static str> {
    let mut all = values.iter().map(|value| match value {
        Value::String(_) => Some("string"),
        Value::Bool(_) => Some("boolean"),
        Value::Number(number) if number.is_f64() => Some("number"),
        Value::Number(_) => Some("integer"),
        _ => None,
    });
    let first = all.next().unwrap_or(Some("string"))?;
    all.try_fold(first, |common, other| match (common, other?) {
        (common, other) if common == other => Some(common),
        ("integer" | "number", "integer" | "number") => Some("number"),
        _ => None,
    })
}

/// Returns whether a value has a type.
fn is_of(value: &Value, type_of: &str) -> bool {
    match type_of {
        "array" => value.is_array(),
        "boolean" => value.is_boolean(),
        "integer" => decimal(value).is_some_and(|number| number.is_whole()),
        "number" => value.is_number(),
        "object" => value.is_object(),
        "string" => value.is_string(),
        _ => true,
    }
}

/// Returns a value of the type, if YAML has converted it to another one: `yes` and `1` without quotes.
fn meant(value: &Value, type_of: &str) -> Option<Value> {
    match (type_of, value) {
        _ if is_of(value, type_of) => Some(value.clone()),
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
