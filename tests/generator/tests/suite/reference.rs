//! The provider's reference is covered completely: `tests/facts/reference.txt` lists all of it, as read by a person, and each
//! entry is in the reconciled document and in the emitted crate. Unlisted names are in neither, unless an override adds them:
//! the list has the content of the reference, and overrides rename and add.

mod list;

use std::collections::BTreeSet;

use openapi_model::Operation;
use openapi_model::names::{pascal, repeats, snake};
use serde_json::Value;

use crate::support::{Inputs, Item, reached};
use list::{Entry, Known, List};

fn texts(value: &Value) -> BTreeSet<String> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn keys(value: &Value) -> BTreeSet<String> {
    let object = value.as_object().into_iter();
    object.flat_map(|object| object.keys().cloned()).collect()
}

/// Returns all schemas of the reconciled document, each with its published form.
fn schemas(inputs: &'static Inputs, document: &Value) -> Vec<(String, Value, Value)> {
    let published = &inputs.published.value["components"]["schemas"];
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let schemas = schemas.iter();
    schemas
        .map(|(name, schema)| (name.clone(), schema.clone(), published[name].clone()))
        .collect()
}

fn fields(inputs: &'static Inputs, document: &Value) -> Vec<Known> {
    let schemas = schemas(inputs, document).into_iter();
    let with_fields = schemas.filter(|(_, schema, _)| schema["properties"].is_object());
    with_fields
        .map(|(owner, schema, published)| Known {
            owner,
            names: schema["properties"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, property)| (name.clone(), texts(&property["x-aliases"])))
                .collect(),
            published: keys(&published["properties"]),
            is_published: published["properties"].is_object(),
        })
        .collect()
}

fn enum_values(inputs: &'static Inputs, document: &Value) -> Vec<Known> {
    let schemas = schemas(inputs, document).into_iter();
    let with_values = schemas.filter(|(_, schema, _)| schema["enum"].is_array());
    with_values
        .map(|(owner, schema, published)| Known {
            owner,
            names: texts(&schema["enum"])
                .into_iter()
                .map(|value| (value.clone(), texts(&schema["x-aliases"][&value])))
                .collect(),
            published: texts(&published["enum"]),
            is_published: published["enum"].is_array(),
        })
        .collect()
}

/// Returns the names of an operation's parameters.
fn parameters_of(document: &Value, operation: &Operation) -> BTreeSet<String> {
    let (item, _) = operation.pointer.rsplit_once('/').unwrap();
    let at = |pointer: &str| document.pointer(&format!("{pointer}/parameters"));
    let lists = [at(item), at(&operation.pointer)].into_iter().flatten();
    let all = lists.flat_map(|list| list.as_array().unwrap());
    let resolved = all.map(|parameter| match parameter["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap(),
        None => parameter,
    });
    resolved
        .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
        .collect()
}

fn parameters(inputs: &'static Inputs, document: &Value) -> Vec<Known> {
    let operations = inputs.model().operations.iter();
    operations
        .map(|operation| Known {
            names: parameters_of(document, operation)
                .into_iter()
                .map(|name| (name, BTreeSet::new()))
                .collect(),
            published: parameters_of(&inputs.published.value, operation),
            is_published: inputs.published.value.pointer(&operation.pointer).is_some(),
            owner: operation.rust_name.clone(),
        })
        .collect()
}

#[test]
fn the_list_of_the_reference_is_what_is_published() {
    let inputs = Inputs::committed();
    let reconciled = inputs.reconciled();
    let document = reconciled.value();
    let reviewed = reviewed_facts::read(reviewed_facts::REFERENCE);
    let mut list = List::parse(&reviewed);
    list.bring_up("fields", fields(inputs, document));
    list.bring_up("enum values", enum_values(inputs, document));
    list.bring_up("parameters", parameters(inputs, document));
    let calls = inputs.model().operations.iter().map(|one| {
        let is_published = inputs.published.value.pointer(&one.pointer).is_some();
        let names = vec![one.method.clone(), one.path.clone()];
        (is_published, Entry::new(one.rust_name.clone(), names))
    });
    list.replace("operations", calls.collect());
    reviewed_facts::assert_reviewed(reviewed_facts::REFERENCE, Some(&list.text()));
}

/// Returns the type of a component, which may have another name in Rust.
fn type_of(schema: &Value, name: &str) -> String {
    pascal(schema["x-rust-name"].as_str().unwrap_or(name))
}

#[test]
fn every_field_is_in_a_type() {
    let inputs = Inputs::committed();
    let emitted = inputs.emitted();
    let reconciled = inputs.reconciled();
    // What no operation leads to has no type.
    let reached = reached(reconciled.value());
    for (schema, value, _) in schemas(inputs, reconciled.value()) {
        let Some(properties) = value["properties"].as_object() else {
            continue;
        };
        if !reached.contains(&schema) {
            continue;
        }
        let item = emitted.item(&format!("types::{}", type_of(&value, &schema)));
        assert_eq!(item.kind, "struct", "{schema}");
        let aliases = properties.values().map(|one| texts(&one["x-aliases"]));
        let aliases: BTreeSet<String> = aliases.flatten().collect();
        // An alias is read into the same field.
        for (field, property) in properties
            .iter()
            .filter(|(name, _)| !aliases.contains(*name))
        {
            let name = property["x-rust-name"].as_str().unwrap_or(field);
            let member = item.member(&snake(name));
            assert!(member.is_public, "{schema}.{field}");
        }
    }
}

#[test]
fn every_enum_value_is_in_a_type() {
    let inputs = Inputs::committed();
    let emitted = inputs.emitted();
    let reconciled = inputs.reconciled();
    let reached = reached(reconciled.value());
    for known in enum_values(inputs, reconciled.value()) {
        let schema = known.owner;
        if !reached.contains(&schema) {
            continue;
        }
        let value = &reconciled.value()["components"]["schemas"][&schema];
        let lines: Vec<String> = known
            .names
            .iter()
            .map(|(value, _)| {
                if value.is_empty() {
                    "The empty string.".to_owned()
                } else {
                    format!("`{value}`")
                }
            })
            .collect();
        let has_all = |item: &&Item| {
            let mut lines = lines.iter();
            item.kind == "enum"
                && lines.all(|line| {
                    let mut members = item.members.iter();
                    // A line that only repeats the name of the variant is omitted.
                    members.any(|variant| {
                        variant.docs.lines().any(|one| one == line) || repeats(line, &variant.name)
                    })
                })
        };
        // An alternative of a union has no type: its values are those of the union.
        let own = emitted.find(&format!("types::{}", type_of(value, &schema)));
        let found = match own {
            Some(own) => has_all(&own),
            None => emitted.items().iter().any(|item| has_all(&item)),
        };
        assert!(found, "{schema}: {lines:?}");
    }
}

#[test]
fn every_parameter_is_written_by_its_builder() {
    let inputs = Inputs::committed();
    let emitted = inputs.emitted();
    let mut written = 0;
    for known in parameters(inputs, inputs.reconciled().value()) {
        let table = format!("(&{}, ", known.owner.to_uppercase());
        for (name, _) in known.names {
            let first = format!("(\"{name}\", ");
            let is_written = |item: &Item| item.code.contains(&table) && item.code.contains(&first);
            assert!(
                emitted.items().iter().any(is_written),
                "{}: `{name}` is never written",
                known.owner
            );
            written += 1;
        }
    }
    let operations = inputs.model().operations.len();
    assert!(written >= 2 * operations, "{written} of {operations}");
}
