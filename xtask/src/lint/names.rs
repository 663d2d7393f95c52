//! Names that would collide in Rust, or that the emitted code needs for itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::finding::Finding;
use crate::names;
use crate::openapi::{Model, Operation, properties};
use crate::pointer;
use crate::source::Source;

/// Methods of a builder, and of the client, that no setter or operation may hide.
const BUILDER: [&str; 10] = [
    "assume_price",
    "client",
    "detached",
    "new",
    "options",
    "price",
    "quote",
    "request",
    "retry",
    "send",
];
/// Those of a builder that pages, and of one that waits.
const PAGING: [&str; 2] = ["items", "pages"];
const WAITING: [&str; 1] = ["wait"];
const CLIENT: [&str; 6] = ["builder", "from", "from_env", "ledger", "raw", "scoped"];
/// Types and traits that the module of a builder names without a path, and crates and types whose names a module
/// of a builder would hide.
const OPERATION: [&str; 19] = [
    "bool",
    "char",
    "core",
    "f64",
    "i64",
    "into",
    "into_iterator",
    "metered_client",
    "new",
    "operations",
    "option",
    "result",
    "serde",
    "serde_json",
    "std",
    "str",
    "string",
    "u64",
    "vec",
];
/// The variant that holds values which the document does not list.
const CATCH_ALL: &str = "Unrecognized";

const RENAME: &str = "rename one with `x-rust-name` in an override under overrides/generator/";
const RESPELL: &str = "remove one of the values from `enum` in an override; if it is another spelling of the same value, list it in `x-aliases`";

pub(super) fn check(source: &Source, model: &Model) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut report = |rule, at: String, message: String| {
        let help = if rule == "variant-name" {
            RESPELL
        } else {
            RENAME
        };
        findings.push(source.finding(rule, at, message, help));
    };
    unique(
        model.operations.iter().map(|operation| {
            (
                operation.rust_name.clone(),
                operation.id.clone(),
                operation.pointer.clone(),
            )
        }),
        &[CLIENT.as_slice(), OPERATION.as_slice()].concat(),
        "operation-name",
        &mut report,
    );
    // `a1` and `a_1` are two methods and one type; two of one method are reported above.
    let mut methods = BTreeSet::new();
    unique(
        model
            .operations
            .iter()
            .filter(|operation| methods.insert(operation.rust_name.as_str()))
            .map(|operation| {
                (
                    operation.type_name.clone(),
                    operation.id.clone(),
                    operation.pointer.clone(),
                )
            }),
        &[],
        "operation-name",
        &mut report,
    );
    for operation in &model.operations {
        let mut reserved = BUILDER.to_vec();
        if operation.pagination.is_some() {
            reserved.extend(PAGING);
        }
        if operation.waiter.is_some() {
            reserved.extend(WAITING);
        }
        unique(
            arguments(model, operation),
            &reserved,
            "argument-name",
            &mut report,
        );
    }
    for schema in &model.schemas {
        unique(
            properties(model, schema)
                .into_iter()
                .map(|(at, property, value)| (rust_name(&property, &value), property, at)),
            &[],
            "field-name",
            &mut report,
        );
        let enum_values = schema.value.get("enum").and_then(Value::as_array);
        unique(
            enum_values
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .enumerate()
                .map(|(index, enum_value)| {
                    (
                        names::pascal(enum_value),
                        enum_value.to_owned(),
                        format!("{}/enum/{index}", schema.pointer),
                    )
                }),
            &[CATCH_ALL],
            "variant-name",
            &mut report,
        );
    }
    findings
}

/// Arguments of a builder: parameters, and the properties of a JSON body.
fn arguments(model: &Model, operation: &Operation) -> Vec<(String, String, String)> {
    let mut arguments: Vec<_> = operation
        .parameters
        .iter()
        .map(|parameter| {
            (
                parameter.rust_name.clone(),
                parameter.name.clone(),
                parameter.pointer.clone(),
            )
        })
        .collect();
    let Some(body) = &operation.body else {
        return arguments;
    };
    match model.referenced(&body.schema) {
        Some(schema) if schema.is_flat() => {
            arguments.extend(schema.properties().map(|(property, value)| {
                (
                    rust_name(property, value),
                    property.clone(),
                    pointer::join(&format!("{}/properties", schema.pointer), property),
                )
            }));
        }
        _ => arguments.push((
            "body".to_owned(),
            "the body".to_owned(),
            body.pointer.clone(),
        )),
    }
    arguments
}

fn rust_name(property: &str, value: &Value) -> String {
    names::snake(
        value
            .get("x-rust-name")
            .and_then(Value::as_str)
            .unwrap_or(property),
    )
}

fn unique(
    named: impl IntoIterator<Item = (String, String, String)>,
    reserved: &[&str],
    rule: &'static str,
    report: &mut impl FnMut(&'static str, String, String),
) {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for (rust, original, at) in named {
        if reserved.contains(&rust.as_str()) {
            report(
                rule,
                at,
                format!("`{original}` becomes `{rust}`, which the generated code needs for itself"),
            );
        } else if let Some(earlier) = seen.get(&rust) {
            report(
                rule,
                at,
                format!("`{original}` and `{earlier}` both become `{rust}`"),
            );
        } else {
            seen.insert(rust, original);
        }
    }
}
