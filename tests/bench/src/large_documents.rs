//! Documents of any size: many copies of the project's document.

use serde_json::{Map, Value, json};

/// The reconciled document.
const DOCUMENT: &str = include_str!(concat!(env!("OUT_DIR"), "/document.json"));

/// Names that must be unique in a document.
const NAMES: [&str; 2] = ["x-rust-name", "x-rust-type-name"];

/// Returns a document of this many megabytes. The next version has one more property in each object.
pub fn document(megabytes: usize, is_next: bool) -> Result<String, serde_json::Error> {
    let original: Value = serde_json::from_str(DOCUMENT)?;
    let copies = (megabytes * 1_000_000 / DOCUMENT.len()).max(1);
    let mut document = original.clone();
    let mut paths = Map::new();
    let mut components: Map<String, Value> = Map::new();
    for number in 0..copies {
        for (path, item) in original["paths"].as_object().into_iter().flatten() {
            paths.insert(
                format!("/copy{number}{path}"),
                copied(item, number, is_next),
            );
        }
        for (kind, named) in original["components"].as_object().into_iter().flatten() {
            let all = components.entry(kind.clone()).or_insert_with(|| json!({}));
            for (name, component) in named.as_object().into_iter().flatten() {
                let is_shared = kind == "securitySchemes";
                let name = if is_shared {
                    name.clone()
                } else {
                    format!("{name}{number}")
                };
                all[name] = copied(component, number, is_next);
            }
        }
    }
    document["paths"] = Value::Object(paths);
    document["components"] = Value::Object(components);
    serde_json::to_string_pretty(&document)
}

/// Copies a part of the document, with the names of this copy.
fn copied(value: &Value, number: usize, is_next: bool) -> Value {
    match value {
        Value::Array(elements) => elements
            .iter()
            .map(|element| copied(element, number, is_next))
            .collect(),
        Value::Object(members) => {
            let members = members
                .iter()
                .filter(|(key, _)| !NAMES.contains(&key.as_str()));
            let mut copy: Map<String, Value> = members
                .map(|(key, member)| {
                    let member = match (key.as_str(), member) {
                        ("$ref", Value::String(text)) => json!(format!("{text}{number}")),
                        ("operationId", Value::String(text)) => json!(format!("{text}{number}")),
                        _ => copied(member, number, is_next),
                    };
                    (key.clone(), member)
                })
                .collect();
            if let (true, Some(Value::Object(properties))) = (is_next, copy.get_mut("properties")) {
                properties.insert("added_later".to_owned(), json!({"type": "string"}));
            }
            Value::Object(copy)
        }
        other => other.clone(),
    }
}
