//! Nothing of the provider's reference is missing: `fixtures/reference-fields.txt` lists all of it, typed from its
//! tables, and each entry is in the reconciled document and in the emitted crate. What is not listed there is in neither.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use xtask::names::snake;

use crate::support::Inputs;

const REFERENCE: &str = include_str!("../../fixtures/reference-fields.txt");

/// The entries of one part of the list: owner → names as reconciled.
fn listed(part: &str) -> BTreeMap<String, BTreeSet<String>> {
    let (_, rest) = REFERENCE.split_once(&format!("[{part}]\n")).unwrap();
    let mut entries: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in rest.lines().take_while(|line| !line.starts_with('[')) {
        let Some((_, entry)) = line.split_once(' ') else {
            continue;
        };
        let (owner, names) = entry.split_once(':').unwrap();
        entries.entry(owner.to_owned()).or_default().extend(
            names
                .split_whitespace()
                .map(|name| name.rsplit('>').next().unwrap().to_owned()),
        );
    }
    entries
}

/// The item of the emitted types that declares `name`.
fn declaration<'t>(types: &'t str, kind: &str, name: &str) -> &'t str {
    let start = types
        .find(&format!("pub {kind} {name} "))
        .unwrap_or_else(|| panic!("no {kind} {name} is emitted"));
    let end = types[start..].find("\n}\n").unwrap();
    &types[start..start + end]
}

#[test]
fn every_field_is_in_the_document_and_in_a_type() {
    let inputs = Inputs::committed();
    let reconciled = inputs.reconciled();
    let tree = inputs.tree();
    let types = tree.get("src/types.rs").unwrap();
    let listed = listed("fields");
    for (schema, fields) in &listed {
        let properties = &reconciled.value()["components"]["schemas"][schema]["properties"];
        let documented: BTreeSet<String> = properties
            .as_object()
            .unwrap_or_else(|| panic!("no schema {schema}"))
            .keys()
            .cloned()
            .collect();
        assert_eq!(*fields, documented, "{schema}");
        let declaration = declaration(types, "struct", schema);
        for field in fields {
            let name = properties[field]["x-rust-name"].as_str().unwrap_or(field);
            let emitted = format!("\n    pub {}: ", snake(name));
            assert!(
                declaration.contains(&emitted),
                "{schema}.{field}:\n{declaration}"
            );
        }
    }
    let schemas = reconciled.value()["components"]["schemas"]
        .as_object()
        .unwrap();
    let with_properties: BTreeSet<&String> = schemas
        .iter()
        .filter(|(_, schema)| schema.get("properties").is_some())
        .map(|(name, _)| name)
        .collect();
    assert_eq!(with_properties, listed.keys().collect());
}

#[test]
fn every_word_is_in_the_document_and_in_a_type() {
    let inputs = Inputs::committed();
    let reconciled = inputs.reconciled();
    let tree = inputs.tree();
    let types = tree.get("src/types.rs").unwrap();
    for (schema, enum_values) in listed("enum values") {
        let documented: BTreeSet<String> =
            reconciled.value()["components"]["schemas"][&schema]["enum"]
                .as_array()
                .unwrap()
                .iter()
                .map(|enum_value| enum_value.as_str().unwrap().to_owned())
                .collect();
        assert_eq!(enum_values, documented, "{schema}");
        let declaration = declaration(types, "enum", &schema);
        for enum_value in enum_values {
            assert!(
                declaration.contains(&format!("/// `{enum_value}`\n")),
                "{schema} {enum_value}"
            );
        }
    }
}

#[test]
fn every_parameter_is_in_the_document_and_in_a_builder() {
    let inputs = Inputs::committed();
    let reconciled = inputs.reconciled();
    let tree = inputs.tree();
    let listed = listed("parameters");
    let paths = reconciled.value()["paths"].as_object().unwrap();
    let mut operations = BTreeSet::new();
    for (path, item) in paths {
        for (method, operation) in item.as_object().unwrap() {
            operations.insert(format!("{} {path}", method.to_uppercase()));
            let documented: BTreeSet<String> = operation["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .map(
                    |parameter| match parameter.get("$ref").and_then(Value::as_str) {
                        Some(reference) => reconciled.value().pointer(&reference[1..]).unwrap(),
                        None => parameter,
                    },
                )
                .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
                .collect();
            let key = format!("{} {path}", method.to_uppercase());
            assert_eq!(listed.get(&key), Some(&documented), "{key}");
            let id = snake(operation["operationId"].as_str().unwrap());
            let builder = tree.get(&format!("src/operations/{id}.rs")).unwrap();
            for name in documented {
                assert!(
                    builder.contains(&format!("(\"{name}\", ")),
                    "{key}: `{name}` is never written:\n{builder}"
                );
            }
        }
    }
    assert_eq!(operations, listed.keys().cloned().collect());
}
