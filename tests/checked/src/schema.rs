//! Whether a value is what a schema says.

use serde_json::{Value, json};

use crate::Document;

/// Checks a value by a schema of a document.
///
/// # Errors
///
/// Where the value differs from its schema, beginning with `at`.
pub fn check(document: &Document, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let schema = document.meant(schema);
    let list = |key: &str| {
        schema
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let refused = |why: &str| Err(format!("{at} {why}: {value}"));
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
    if schema.get("const").is_some_and(|only| only != value) {
        return refused("is not the constant");
    }
    if schema.get("enum").is_some() && !list("enum").any(|one| one == value) {
        return refused("is no value of the enumeration");
    }
    for (key, beyond) in [("minimum", -1.0), ("maximum", 1.0)] {
        let bound = schema.get(key).and_then(Value::as_f64);
        if let (Some(bound), Some(number)) = (bound, value.as_f64())
            && (number - bound) * beyond > 0.0
        {
            return refused(&format!("is beyond the {key}"));
        }
    }
    for part in list("allOf") {
        check(document, part, value, at)?;
    }
    for key in ["oneOf", "anyOf"] {
        let mut refusals = Vec::new();
        let fitting = list(key).filter(|one| match check(document, one, value, at) {
            Ok(()) => true,
            Err(refusal) => {
                refusals.push(refusal);
                false
            }
        });
        let (fitting, of) = (fitting.count(), list(key).count());
        if of > 0 && fitting == 0 || key == "oneOf" && fitting > 1 {
            return refused(&format!(
                "fits {fitting} of `{key}` ({})",
                refusals.join("; ")
            ));
        }
    }
    if schema.get("discriminator").is_some() {
        let property = schema.pointer("/discriminator/propertyName");
        let property = property.and_then(Value::as_str).unwrap_or_default();
        if value.get(property).is_none() {
            return refused(&format!("has no `{property}`, which tells its form"));
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        if let Some(items) = schema.get("items") {
            check(document, items, item, &format!("{at}/{index}"))?;
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
        match property.or_else(|| schema.get("additionalProperties")) {
            Some(Value::Bool(false)) => return refused(&format!("has no `{name}`")),
            Some(schema) => check(document, schema, value, &format!("{at}/{name}"))?,
            None => {}
        }
    }
    Ok(())
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
