//! Validation of values by schemas.

use regex_lite::Regex;
use serde_json::{Number, Value, json};

use crate::Document;

/// Checks a value by a schema of a document. Several branches of `oneOf` may fit, because many documents mean `anyOf`, and the value is
/// compared with the caller's arguments anyway.
///
/// # Errors
///
/// The value violates its schema. The error begins with the location, below `at`.
pub(crate) fn check(
    document: &Document,
    schema: &Value,
    value: &Value,
    at: &str,
) -> Result<(), String> {
    let schema = document.meant(schema);
    let list = |key: &str| {
        let list = schema.get(key).and_then(Value::as_array);
        list.into_iter().flatten()
    };
    let refused = |why: &str| Err(format!("{at} {why}: {value}"));
    if schema == &json!(false) {
        return refused("is not allowed");
    }
    if value.is_null() && schema.get("nullable") == Some(&json!(true)) {
        return Ok(());
    }
    if let Some(types) = schema.get("type") {
        let is_one = |name: &Value| name.as_str().is_some_and(|name| has_type(value, name));
        let is_right = types
            .as_array()
            .map_or_else(|| is_one(types), |all| all.iter().any(is_one));
        if !is_right {
            return refused(&format!("is no {types}"));
        }
    }
    if schema.get("const").is_some_and(|only| !same(only, value)) {
        return refused("is not the constant");
    }
    if schema.get("enum").is_some() && !list("enum").any(|one| same(one, value)) {
        return refused("is no value of the enumeration");
    }
    if let Some(key) = beyond(schema, value) {
        return refused(&format!("is beyond the {key}"));
    }
    if let Some(text) = value.as_str() {
        let pattern = schema.get("pattern").and_then(Value::as_str);
        // A pattern that the regex crate cannot parse is not checked.
        let pattern = pattern.and_then(|pattern| Regex::new(pattern).ok());
        if pattern.is_some_and(|pattern| !pattern.is_match(text)) {
            return refused("does not match the pattern");
        }
    }
    for part in list("allOf") {
        check(document, part, value, at)?;
    }
    for key in ["oneOf", "anyOf"] {
        let mut refusals = Vec::new();
        let mut members = list(key).map(|one| check(document, one, value, at));
        let fits = members.any(|one| one.map_err(|refusal| refusals.push(refusal)).is_ok());
        if !fits && !refusals.is_empty() {
            return refused(&format!("fits no `{key}` ({})", refusals.join("; ")));
        }
    }
    if schema.get("discriminator").is_some() && value.is_object() {
        let property = schema.pointer("/discriminator/propertyName");
        let property = property.and_then(Value::as_str).unwrap_or_default();
        if value.get(property).is_none() {
            return refused(&format!("has no `{property}`, which tells its form"));
        }
    }
    if let Some(all) = value.as_array() {
        let is_twice =
            |(index, one): (usize, &Value)| all.iter().skip(index + 1).any(|other| other == one);
        if schema.get("uniqueItems") == Some(&json!(true)) && all.iter().enumerate().any(is_twice) {
            return refused("has an element twice");
        }
        let by_position: Vec<&Value> = list("prefixItems").collect();
        for (index, item) in all.iter().enumerate() {
            if let Some(items) = by_position
                .get(index)
                .copied()
                .or_else(|| schema.get("items"))
            {
                check(document, items, item, &format!("{at}/{index}"))?;
            }
        }
    }
    let Some(object) = value.as_object() else {
        return Ok(());
    };
    for name in list("required").filter_map(Value::as_str) {
        if !object.contains_key(name) {
            return refused(&format!("lacks `{name}`"));
        }
    }
    for (name, value) in object {
        let property = schema.get("properties").and_then(|all| all.get(name));
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let by_pattern = patterns.into_iter().flatten();
        let by_pattern = by_pattern
            .filter(|(pattern, _)| Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(name)));
        let by_pattern = by_pattern.map(|(_, schema)| schema).next();
        match property
            .or(by_pattern)
            .or_else(|| schema.get("additionalProperties"))
        {
            Some(Value::Bool(false)) => return refused(&format!("has no `{name}`")),
            Some(schema) => check(document, schema, value, &format!("{at}/{name}"))?,
            None => {}
        }
    }
    Ok(())
}

/// Returns the keyword of the bound that a value violates.
fn beyond(schema: &Value, value: &Value) -> Option<&'static str> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let is_exclusive = |key: &str| schema.get(key) == Some(&json!(true));
    if let Some(number) = value.as_f64() {
        let low = bound("minimum").is_some_and(|least| {
            number < least || number == least && is_exclusive("exclusiveMinimum")
        });
        let high = bound("maximum").is_some_and(|most| {
            number > most || number == most && is_exclusive("exclusiveMaximum")
        });
        let parts = bound("multipleOf").map(|of| number / of);
        return match () {
            () if low => Some("minimum"),
            () if high => Some("maximum"),
            () if bound("exclusiveMinimum").is_some_and(|least| number <= least) => {
                Some("exclusiveMinimum")
            }
            () if bound("exclusiveMaximum").is_some_and(|most| number >= most) => {
                Some("exclusiveMaximum")
            }
            () if parts.is_some_and(|parts| (parts - parts.round()).abs() > 1e-9) => {
                Some("multipleOf")
            }
            () => None,
        };
    }
    let (size, least, most) = match value {
        Value::String(text) => (text.chars().count(), "minLength", "maxLength"),
        Value::Array(all) => (all.len(), "minItems", "maxItems"),
        Value::Object(all) => (all.len(), "minProperties", "maxProperties"),
        _ => return None,
    };
    let limit = |key: &str| {
        schema
            .get(key)
            .and_then(Value::as_u64)
            .map(|limit| limit as usize)
    };
    match () {
        () if limit(least).is_some_and(|limit| size < limit) => Some(least),
        () if limit(most).is_some_and(|limit| size > limit) => Some(most),
        () => None,
    }
}

/// Returns whether two values are the same JSON: `4` equals `4.0`.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.is_f64() != other.is_f64() && whole(one) == whole(other)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_same = |(name, value)| other.get(name).is_some_and(|other| same(value, other));
            one.len() == other.len() && one.iter().all(is_same)
        }
        _ => one == other,
    }
}

/// Returns a number as an integer; `None` if it has a fraction.
fn whole(number: &Number) -> Option<i128> {
    let integer = number.as_i64().map(i128::from);
    let float = number.as_f64().filter(|float| float.fract() == 0.0);
    integer
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(|| float.map(|float| float as i128))
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64()
                || value.is_u64()
                || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        _ => false,
    }
}
