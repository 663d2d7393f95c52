//! The document of the crate, in the vocabulary of OpenAPI 3.0 and by the names of its types.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use company_intel_sandbox::vocabulary;
use serde_json::Value;

use super::operations::is_named;

/// The document.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(vocabulary::document);

/// Returns the schema of a type of the crate, behind a wrapper without keywords.
pub(crate) fn schema_of(name: &str) -> &'static Value {
    let place = vocabulary::place(name);
    let schema = place.and_then(|place| DOCUMENT.pointer(place));
    let schema = schema.unwrap_or_else(|| panic!("the document has no schema of `{name}`"));
    let says = |key: &&str| schema.get(*key).is_some();
    if ["type", "enum", "properties", "x-rust-type"]
        .iter()
        .any(says)
    {
        schema
    } else {
        meant(schema)
    }
}

/// Returns the type of a schema, given by its component name or by a pointer. `None` for a schema of the document that no operation uses.
pub(crate) fn type_of(schema: &str) -> Option<String> {
    let place = if schema.starts_with('/') {
        schema.to_owned()
    } else {
        format!("/components/schemas/{schema}")
    };
    let name = vocabulary::type_of(&DOCUMENT, schema);
    let is_unused = DOCUMENT.pointer(&place).is_some() && !is_used(&place);
    assert!(
        name.is_some() || is_unused,
        "{schema} is the schema of no type"
    );
    name.filter(|_| !is_unused)
}

/// Returns whether an operation leads to a schema.
fn is_used(place: &str) -> bool {
    let mut left = vec![&DOCUMENT["paths"]];
    let mut seen = BTreeSet::new();
    while let Some(value) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(object) => left.extend(object.values()),
            Value::String(text) => {
                let Some(at) = text.strip_prefix('#').filter(|at| at.starts_with('/')) else {
                    continue;
                };
                if at == place || place.starts_with(&format!("{at}/")) {
                    return true;
                }
                if seen.insert(at) {
                    left.extend(DOCUMENT.pointer(at));
                }
            }
            _ => {}
        }
    }
    place.starts_with("/paths/")
}

/// Resolves references, and a wrapper of one alternative.
pub(crate) fn meant(schema: &'static Value) -> &'static Value {
    let mut schema = schema;
    for _ in 0..32 {
        let reference = schema["$ref"].as_str();
        let inner = reference.map(|text| text.trim_start_matches('#'));
        let lists = ["allOf", "anyOf", "oneOf"].map(|key| schema[key].as_array());
        let only = lists.into_iter().flatten().find(|all| all.len() == 1);
        schema = match (inner, only) {
            (Some(inner), _) => DOCUMENT.pointer(inner).unwrap(),
            (None, Some(only)) => &only[0],
            (None, None) => return schema,
        };
    }
    panic!("an endless chain of references: {schema}")
}

/// Returns the schema of the response of an operation, by its name in Rust.
pub(crate) fn response_of(operation: &str) -> &'static Value {
    meant(&operation_of(operation)["responses"]["200"]["content"]["application/json"]["schema"])
}

/// Returns a parameter of an operation, by its name in Rust.
pub(crate) fn parameter_of(operation: &str, name: &str) -> &'static Value {
    let parameters = operation_of(operation)["parameters"].as_array().unwrap();
    let mut parameters = parameters.iter().map(meant);
    parameters.find(|one| one["name"] == name).unwrap()
}

fn operation_of(name: &str) -> &'static Value {
    let items = DOCUMENT["paths"].as_object().unwrap().values();
    let mut operations = items.flat_map(|item| item.as_object().unwrap().values());
    operations.find(|one| is_named(one, name)).unwrap()
}
