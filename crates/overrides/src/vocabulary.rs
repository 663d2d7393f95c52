//! The extensions that an override may write into a document. A misspelt one would be silent, so any other is an error.

use std::collections::BTreeMap;

use openapi_document::finding::{Finding, near};
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overlay::{Effect, Overlay};
use serde_json::Value;

/// The keywords of the same schema that are only assumed.
pub(super) const ASSUMED: &str = "x-assumed";

/// The extensions that the generator reads.
const KNOWN: [&str; 14] = [
    "x-aliases",
    ASSUMED,
    "x-credits",
    "x-credits-by",
    "x-idempotency",
    "x-metered",
    "x-operation-id",
    "x-pagination",
    "x-rust-name",
    "x-rust-optional",
    "x-rust-package",
    "x-rust-type",
    "x-rust-type-name",
    "x-waiter",
];

/// Unknown extensions in the updates of an overlay.
pub(super) fn check(source: &Source, overlay: &Overlay) -> Vec<Finding> {
    let mut findings = Vec::new();
    let actions = overlay.actions.iter();
    let updates: BTreeMap<&str, &Value> = actions
        .filter_map(|action| match &action.effect {
            Effect::Update(update) => Some((action.fields.as_str(), update)),
            _ => None,
        })
        .collect();
    for (fields, update) in updates {
        let at = format!("{fields}/update");
        pointer::walk(update, &at, &mut |at, value| {
            for key in value.as_object().into_iter().flat_map(|map| map.keys()) {
                // Below `properties` an `x-…` is the name of a field, not an extension.
                let is_name = at.ends_with("/properties") || at.ends_with("/headers");
                if key.starts_with("x-") && !is_name && !KNOWN.contains(&key.as_str()) {
                    let finding = source.finding(
                        "unknown-extension",
                        pointer::join(at, key),
                        format!("the generator reads no extension `{key}`"),
                        format!("known are {}", KNOWN.join(", ")),
                    );
                    findings.push(match near(key, KNOWN) {
                        Some(near) => finding.note(format!("did you mean `{near}`?")),
                        None => finding,
                    });
                }
            }
        });
    }
    findings
}
