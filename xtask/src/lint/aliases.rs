//! `x-aliases`: other names of a property, other spellings of a word. Each means one thing.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::finding::Finding;
use crate::names;
use crate::openapi::{Model, properties};
use crate::source::Source;

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
                    format!("the other names of `{property}` are no list of texts"),
                );
                continue;
            };
            let mut fields = BTreeSet::new();
            for alias in aliases {
                if all.iter().any(|(_, other, _)| other == alias) {
                    wrong(
                        at,
                        format!(
                            "`{alias}` is a property, and cannot be another name of `{property}`"
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
        let words = schema.value.get("enum").and_then(Value::as_array);
        let (Some(words), Some(aliases)) = (words, aliases.as_object()) else {
            wrong(
                &schema.pointer,
                "`x-aliases` of a schema is a map from its words to lists of other spellings"
                    .to_owned(),
            );
            continue;
        };
        let mut spellings: BTreeSet<&str> = words.iter().filter_map(Value::as_str).collect();
        for (word, others) in aliases {
            if !words.iter().any(|one| one.as_str() == Some(word)) {
                wrong(
                    &schema.pointer,
                    format!("`{word}` is no word of the enumeration"),
                );
            }
            let Some(others) = texts(others) else {
                wrong(
                    &schema.pointer,
                    format!("the other spellings of `{word}` are no list of texts"),
                );
                continue;
            };
            for other in others {
                if !spellings.insert(other) {
                    wrong(
                        &schema.pointer,
                        format!("`{other}` is a word or a spelling already"),
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
