//! The location of each type's schema.

use std::collections::BTreeMap;

use openapi_model::Model;
use serde_json::Value;

pub(super) fn emit(model: &Model) -> String {
    let types: BTreeMap<&str, &str> = model
        .documented_types()
        .map(|one| (one.name.as_str(), one.pointer.as_str()))
        .collect();
    if types.is_empty() {
        return "types: {}\n".to_owned();
    }
    let mut text = String::from("types:\n");
    for (name, pointer) in types {
        text.push_str(&format!("  {name}: {}\n", Value::from(pointer)));
    }
    text
}
