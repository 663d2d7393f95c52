//! Every `$ref` leads somewhere inside the document.

use serde_json::Value;

use crate::finding::Finding;
use crate::openapi::resolve;
use crate::pointer;
use crate::source::Source;

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    pointer::walk(&source.value, "", &mut |at, value| {
        // A property may be called `$ref`, and an example may hold anything.
        if at.ends_with("/properties") || at.contains("/example") {
            return;
        }
        let Some(Value::String(reference)) = value.get("$ref") else {
            return;
        };
        let (message, help) = if pointer::from_fragment(reference).is_none() {
            (
                format!("`{reference}` leaves the document"),
                "bundle the documents into one before regenerating",
            )
        } else if resolve(&source.value, at).is_none() {
            (
                format!("`{reference}` leads nowhere, or back to itself"),
                "correct the reference, or add what it names, in an override",
            )
        } else {
            return;
        };
        findings.push(source.finding("reference", at, message, help));
    });
    findings
}
