//! Nothing of the provider's reference is missing: `fixtures/reference-fields.txt` lists all of it, typed from its
//! tables, and each entry is in the reconciled document and in the emitted crate. What is not listed there is in neither, unless an
//! override brings it: the list has what the reference says, and overrides rename and add.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use xtask::names::snake;

use crate::support::{Emitted, Inputs};

const REFERENCE: &str = include_str!("../../fixtures/reference-fields.txt");

/// The entries of one part of the list: owner → names.
fn listed(part: &str) -> BTreeMap<String, BTreeSet<String>> {
    let (_, rest) = REFERENCE.split_once(&format!("[{part}]\n")).unwrap();
    let mut entries: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in rest.lines().take_while(|line| !line.starts_with('[')) {
        let Some((_, entry)) = line.split_once(' ') else {
            continue;
        };
        let (owner, names) = entry.split_once(':').unwrap();
        let names = names.split_whitespace().map(str::to_owned);
        entries.entry(owner.to_owned()).or_default().extend(names);
    }
    entries
}

/// Names of the reconciled document, each with the other names that are read for it.
type Known = BTreeMap<String, BTreeSet<String>>;

/// Compares what is listed with what is documented: each listed name is a name or another name of one, and a name that neither way is
/// listed comes from an override, as `published` lacks it.
fn assert_complete(
    of: &str,
    listed: &BTreeSet<String>,
    known: &Known,
    published: &BTreeSet<String>,
) {
    for name in listed {
        let is_known = known.contains_key(name) || known.values().any(|all| all.contains(name));
        assert!(
            is_known,
            "{of}: `{name}` of the reference is not documented"
        );
    }
    for (name, others) in known {
        let is_listed = listed.contains(name) || others.iter().any(|other| listed.contains(other));
        assert!(
            is_listed || !published.contains(name),
            "{of}: `{name}` is published, and not in the list of the reference"
        );
    }
}

fn texts(value: &Value) -> BTreeSet<String> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn keys(value: &Value) -> BTreeSet<String> {
    let object = value.as_object().into_iter();
    object.flat_map(|object| object.keys().cloned()).collect()
}

#[test]
fn every_field_is_in_the_document_and_in_a_type() {
    let inputs = Inputs::committed();
    let reconciled = inputs.reconciled();
    let emitted = Emitted::of_tree(&inputs.tree());
    let listed = listed("fields");
    let schemas = &reconciled.value()["components"]["schemas"];
    let published = &inputs.published.value["components"]["schemas"];
    for schema in listed.keys() {
        assert!(schemas[schema]["properties"].is_object(), "no {schema}");
    }
    for (schema, value) in schemas.as_object().unwrap() {
        let Some(properties) = value["properties"].as_object() else {
            continue;
        };
        let known = properties
            .iter()
            .map(|(name, property)| (name.clone(), texts(&property["x-aliases"])))
            .collect();
        let in_the_list = listed.get(schema).cloned().unwrap_or_default();
        let published = keys(&published[schema]["properties"]);
        assert_complete(schema, &in_the_list, &known, &published);
        let item = emitted.item(&format!("types::{schema}"));
        assert_eq!(item.kind, "struct", "{schema}");
        for (field, property) in properties {
            let name = property["x-rust-name"].as_str().unwrap_or(field);
            let member = item.member(&snake(name));
            assert!(member.is_public, "{schema}.{field}");
        }
    }
}

#[test]
fn every_enum_value_is_in_the_document_and_in_a_type() {
    let inputs = Inputs::committed();
    let reconciled = inputs.reconciled();
    let emitted = Emitted::of_tree(&inputs.tree());
    let schemas = &reconciled.value()["components"]["schemas"];
    let published = &inputs.published.value["components"]["schemas"];
    for (schema, listed) in listed("enum values") {
        let aliases = &schemas[&schema]["x-aliases"];
        let values = texts(&schemas[&schema]["enum"]);
        let known = values
            .iter()
            .map(|value| (value.clone(), texts(&aliases[value])))
            .collect();
        let published = texts(&published[&schema]["enum"]);
        assert_complete(&schema, &listed, &known, &published);
        let item = emitted.item(&format!("types::{schema}"));
        assert_eq!(item.kind, "enum", "{schema}");
        for value in values {
            let line = format!("`{value}`");
            let has_it = |docs: &str| docs.lines().any(|one| one == line);
            assert!(
                item.members.iter().any(|variant| has_it(&variant.docs)),
                "{schema} {value}"
            );
        }
    }
}

#[test]
fn every_parameter_is_in_the_document_and_in_a_builder() {
    let inputs = Inputs::committed();
    let reconciled = inputs.reconciled();
    let emitted = Emitted::of_tree(&inputs.tree());
    let listed = listed("parameters");
    let names = |document: &Value, path: &str, method: &str| -> BTreeSet<String> {
        let parameters = document["paths"][path][method]["parameters"].as_array();
        let parameters = parameters.into_iter().flatten();
        let parameters =
            parameters.map(
                |parameter| match parameter.get("$ref").and_then(Value::as_str) {
                    Some(reference) => document.pointer(&reference[1..]).unwrap(),
                    None => parameter,
                },
            );
        parameters
            .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let mut operations = BTreeSet::new();
    for (path, item) in reconciled.value()["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let key = format!("{} {path}", method.to_uppercase());
            let documented = names(reconciled.value(), path, method);
            let published = names(&inputs.published.value, path, method);
            let known = documented
                .iter()
                .map(|name| (name.clone(), BTreeSet::new()))
                .collect();
            let in_the_list = listed.get(&key).cloned().unwrap_or_default();
            assert_complete(&key, &in_the_list, &known, &published);
            let is_published = inputs.published.value["paths"][path][method].is_object();
            assert!(listed.contains_key(&key) || !is_published, "{key}");
            let id = snake(operation["operationId"].as_str().unwrap());
            let module = format!("operations::{id}");
            for name in documented {
                let first = format!("(\"{name}\", ");
                assert!(
                    emitted
                        .module(&module)
                        .any(|item| item.code.contains(&first)),
                    "{key}: `{name}` is never written"
                );
            }
            operations.insert(key);
        }
    }
    for key in listed.keys() {
        assert!(operations.contains(key), "{key} is not documented");
    }
}
