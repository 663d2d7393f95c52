//! `x-aliases`: other names of a property, other spellings of an enum value. Each stands for exactly one of them.

use std::collections::BTreeSet;

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use openapi_model::names;
use openapi_model::{Aliases, Model};

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
        for property in schema.properties() {
            let (at, name) = (&property.pointer, &property.name);
            let aliases = match &property.place.aliases {
                None => continue,
                Some(Aliases::Names(names)) => names,
                Some(Aliases::Spellings(_) | Aliases::Malformed) => {
                    wrong(
                        at,
                        format!("the other names of `{name}` must be a list of texts"),
                    );
                    continue;
                }
            };
            let mut fields = BTreeSet::new();
            for alias in aliases {
                if schema.property(alias).is_some() {
                    wrong(
                        at,
                        format!(
                            "`{alias}` is a property of another form, and cannot be another name of `{name}`"
                        ),
                    );
                } else if !fields.insert(names::snake(alias)) {
                    wrong(
                        at,
                        format!("`{alias}` and another name of `{name}` become the same field"),
                    );
                }
            }
        }
        let Some(aliases) = &schema.place.aliases else {
            continue;
        };
        let enum_values = schema.texts();
        let (false, Aliases::Spellings(aliases)) = (enum_values.is_empty(), aliases) else {
            wrong(
                &schema.pointer,
                "`x-aliases` of a schema must be a map from its enum values to lists of other spellings"
                    .to_owned(),
            );
            continue;
        };
        let mut spellings: BTreeSet<&String> = enum_values.iter().collect();
        for (enum_value, others) in aliases {
            if !enum_values.contains(enum_value) {
                wrong(
                    &schema.pointer,
                    format!("`{enum_value}` is not a value of the enumeration"),
                );
            }
            let Some(others) = others else {
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
