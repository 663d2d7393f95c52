//! The values of a schema that a client has to tell apart.

use serde_json::{Map, Value, json};

use crate::Document;

/// One value for each state of each place: of an object, all properties and only the required ones, and each property absent, null, and in each
/// of its own states; of a list, empty and with each state of an element; of a union and an enumeration, each member.
pub fn states(document: &Document, schema: &Value) -> Vec<Value> {
    within(document, schema, 6)
}

fn within(document: &Document, schema: &Value, depth: u8) -> Vec<Value> {
    let schema = document.meant(schema);
    let of = |part: &Value| match depth {
        0 => Vec::new(),
        _ => within(document, part, depth.saturating_sub(1)),
    };
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    let may_be = |name: &str| match schema.get("type") {
        Some(Value::Array(all)) => all.iter().any(|one| one == name),
        Some(one) => one == name,
        None => false,
    };
    let mut found = Vec::new();
    if let Some(only) = schema.get("const") {
        found.push(only.clone());
    } else if let Some(values) = list("enum") {
        found.extend(values.iter().cloned());
    } else if let Some(members) = list("oneOf").or_else(|| list("anyOf")) {
        found.extend(members.iter().flat_map(of));
    } else if may_be("object") || schema.get("properties").is_some() {
        found.extend(objects(document, schema, &of));
    } else if may_be("array") {
        found.push(json!([]));
        let items = schema.get("items").map(of).unwrap_or_default();
        found.extend(items.into_iter().map(|item| json!([item])));
    } else if may_be("boolean") {
        found.extend([json!(true), json!(false)]);
    } else if may_be("integer") {
        found.push(json!(7));
    } else if may_be("number") {
        found.push(json!(1.5));
    } else if may_be("string") {
        let format = schema.get("format").and_then(Value::as_str);
        found.push(match format {
            Some("date-time") => json!("2026-01-02T03:04:05Z"),
            Some("date") => json!("2026-01-02"),
            Some("uuid") => json!("00000000-0000-4000-8000-000000000001"),
            Some("uri") => json!("https://example.com/a"),
            _ => json!("a \"b\" \u{e4}"),
        });
    }
    if may_be("null") || schema.get("nullable") == Some(&json!(true)) {
        found.push(Value::Null);
    }
    found
}

fn objects(document: &Document, schema: &Value, of: &dyn Fn(&Value) -> Vec<Value>) -> Vec<Value> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &String| {
        let property = properties.and_then(|all| all.get(name));
        let property = property.map(|property| document.meant(property));
        // A client writes a constant without being asked.
        let is_constant = property.is_some_and(|property| {
            let values = property.get("enum").and_then(Value::as_array);
            property.get("const").is_some() || values.is_some_and(|values| values.len() == 1)
        });
        is_constant || required.is_some_and(|all| all.iter().any(|one| one == name))
    };
    let all: Vec<(&String, Vec<Value>)> = properties
        .into_iter()
        .flatten()
        .map(|(name, property)| (name, of(property)))
        .collect();
    let first = |wanted: &dyn Fn(&String) -> bool| -> Map<String, Value> {
        let wanted = all.iter().filter(|(name, _)| wanted(name));
        let first =
            wanted.filter_map(|(name, states)| Some(((*name).clone(), states.first()?.clone())));
        first.collect()
    };
    let (whole, least) = (first(&|_| true), first(&is_required));
    let mut found = vec![whole.clone().into(), least.into()];
    for (name, states) in &all {
        if !is_required(name) {
            let mut without = whole.clone();
            without.remove(*name);
            found.push(without.into());
        }
        for state in states {
            let mut with = whole.clone();
            with.insert((*name).clone(), state.clone());
            found.push(with.into());
        }
    }
    found
}
