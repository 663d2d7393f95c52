//! `x-scale`: values whose greatest value depends on a word beside them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::extension;
use crate::finding::Finding;
use crate::openapi::extensions::Scale;
use crate::openapi::{Model, ScaledProperty};
use crate::pointer;
use crate::source::Source;

/// The properties with a scale; every word of the sibling has one.
pub(super) fn read(
    model: &Model,
    source: &Source,
    findings: &mut Vec<Finding>,
) -> Vec<ScaledProperty> {
    let mut scales = Vec::new();
    for schema in &model.schemas {
        for (property, value) in schema.properties() {
            let at = pointer::join(&format!("{}/properties", schema.pointer), property);
            let scale: Option<Scale> = extension::read(source, &at, value, "x-scale", findings);
            let Some(scale) = scale else {
                continue;
            };
            let sibling = schema.properties().find(|(name, _)| **name == scale.by);
            let words = sibling
                .and_then(|(_, value)| model.referenced(value)?.value.get("enum")?.as_array());
            let known: BTreeSet<&str> = words
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let given: BTreeSet<&str> = scale.words.keys().map(String::as_str).collect();
            let positive = scale
                .words
                .values()
                .all(|most| most.as_f64().is_some_and(|most| most > 0.0));
            if known != given || !positive {
                findings.push(source.finding(
                    "scale",
                    format!("{at}/x-scale"),
                    format!(
                        "`words` gives a positive number for each word of `{}`, and for no other",
                        scale.by
                    ),
                    "correct the override that writes `x-scale`",
                ));
            } else if value.get("x-rust-type").and_then(Value::as_str) != Some("Scaled") {
                findings.push(source.finding(
                    "scale",
                    format!("{at}/x-scale"),
                    format!(
                        "`{property}` has a scale and not the type that knows what to do with it"
                    ),
                    "write `x-rust-type: Scaled` beside `x-scale`",
                ));
            } else {
                scales.push(ScaledProperty {
                    owner: schema.name.clone(),
                    property: property.clone(),
                    scale,
                });
            }
        }
    }
    scales
}
