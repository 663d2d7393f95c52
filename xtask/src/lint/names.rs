//! Names that would collide in Rust, or that the emitted code needs for itself.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::finding::Finding;
use crate::names;
use crate::openapi::{Model, properties};
use crate::source::Source;

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
