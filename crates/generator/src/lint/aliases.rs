//! `x-aliases`: other names of a property, other spellings of an enum value. Each stands for exactly one of them.

use std::collections::BTreeSet;

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use openapi_model::names;
use openapi_model::{Model, properties};
use serde_json::Value;

const CORRECT: &str =
    "correct the override that writes `x-aliases`; overrides/README.md shows the form";

pub(super) fn check(source: &Source, model: &Model) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut wrong = |at: &str, message: String| {
        let at = format!("{at}/x-aliases");
        let finding = source.finding("aliases", at, message, CORRECT);
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    };
    for schema in &model.schemas {
        let all = properties(model, schema);
        for (at, property, value) in &all {
            let Some(aliases) = value.get("x-aliases") else {
                continue;
            };
            let Some(aliases) = texts(aliases) else {
                wrong(
                    at,
                    format!("the other names of `{property}` must be a list of texts"),
                );
                continue;
            };
            let mut fields = BTreeSet::new();
            for alias in aliases {
                if all.iter().any(|(_, other, _)| other == alias) {
                    wrong(
                        at,
                        format!(
                            "`{alias}` is a property of another form, and cannot be another name of `{property}`"
                        ),
                    );
                } else if !fields.insert(names::snake(alias)) {
                    wrong(
                        at,
                        format!("`{alias}` and another name of `{property}` become the same field"),
                    );
                }
            }
        }
        let Some(aliases) = schema.value.get("x-aliases") else {
            continue;
        };
        let enum_values = schema.value.get("enum").and_then(Value::as_array);
        let (Some(enum_values), Some(aliases)) = (enum_values, aliases.as_object()) else {
            wrong(
                &schema.pointer,
                "`x-aliases` of a schema must be a map from its enum values to lists of other spellings"
                    .to_owned(),
            );
            continue;
        };
        let mut spellings: BTreeSet<&str> = enum_values.iter().filter_map(Value::as_str).collect();
        for (enum_value, others) in aliases {
            if !enum_values
                .iter()
                .any(|one| one.as_str() == Some(enum_value))
            {
                wrong(
                    &schema.pointer,
                    format!("`{enum_value}` is not a value of the enumeration"),
                );
            }
            let Some(others) = texts(others) else {
                wrong(
                    &schema.pointer,
                    format!("the other spellings of `{enum_value}` must be a list of texts"),
                );
                continue;
            };
            for other in others {
                if !spellings.insert(other) {
                    wrong(
                        &schema.pointer,
                        format!("`{other}` is already an enum value or a spelling of one"),
                    );
                }
            }
        }
    }
    findings
}

fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}
