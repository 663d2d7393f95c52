//! Checks that evidence proves its point: a payload that fits the corrected document and not the published one.

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use openapi_schemas::reading::component_schemas;
use serde_json::Value;

use super::evidence::Evidence;
use super::fits::differences;
use super::load::{Override, OverrideSet};

const RULE: &str = "override-evidence";

/// Checks all evidence against the published document and the reconciled one.
pub fn shown(published: &Source, reconciled: &Source, set: &OverrideSet) -> Vec<Finding> {
    if set.overrides.iter().all(|one| one.evidence.is_empty()) {
        return Vec::new();
    }
    // An unreadable document has another finding.
    let (Ok(before), Ok(after)) = (
        openapi_schemas::normal(published),
        openapi_schemas::normal(reconciled),
    ) else {
        return Vec::new();
    };
    let (before, after) = (before.source.value, after.source.value);
    let all = set.overrides.iter();
    all.flat_map(|one| one.evidence.iter().map(move |evidence| (one, evidence)))
        .flat_map(|(one, evidence)| of(&before, &after, one, evidence))
        .collect()
}

fn of(before: &Value, after: &Value, one: &Override, evidence: &Evidence) -> Vec<Finding> {
    let name = &evidence.said.schema;
    let Some(schema) = component(after, name) else {
        let finding = evidence.source.finding(
            RULE,
            "/schema",
            if name.starts_with('/') {
format!("the document has nothing at `{name}`")
} else {
format!("the document has no schema `{name}` in its components")
},
            "name the component that the payload is a value of, or give the JSON Pointer of an inline schema",
        );
        let known = component_schemas(after).map(|(name, _)| name.as_str());
        return vec![finding.suggest(name, known)];
    };
    let mut findings = Vec::new();
    let misfits = differences(after, schema, &evidence.said.payload);
    if !misfits.is_empty() {
        let finding = evidence.source.finding(
            RULE,
            "/payload",
            format!("with all overrides, `{name}` is not what the payload shows"),
            format!("correct the payload, or {}", one.source.path),
        );
        findings.push(misfits.into_iter().fold(finding, Finding::note));
    }
    // A schema that an override brings has no published form.
    let Some(schema) = component(before, name) else {
        return findings;
    };
    let misfits = differences(before, schema, &evidence.said.published);
    if !misfits.is_empty() {
        let finding = evidence.source.finding(
            RULE,
            "/published",
            format!("the published `{name}` has another form than `published`"),
            "write the same fact in the form of the published document",
        );
        findings.push(misfits.into_iter().fold(finding, Finding::note));
    }
    // No schema refuses a payload that only prose describes: there the two forms differ.
    let shows_nothing = is_contained(&evidence.said.published, &evidence.said.payload)
        && differences(before, schema, &evidence.said.payload).is_empty();
    if shows_nothing {
        findings.push(evidence.source.finding(
            RULE,
            "/payload",
            format!("the published `{name}` has all that the payload shows, so it is not evidence for `{}`", one.id),
            "write the smallest payload that differs from the published document, or delete the override",
        ));
    }
    findings
}

/// Returns whether a value contains all of another one.
fn is_contained(inner: &Value, outer: &Value) -> bool {
    match (inner, outer) {
        (Value::Object(inner), Value::Object(outer)) => inner.iter().all(|(key, inner)| {
            let outer = outer.get(key);
            outer.is_some_and(|outer| is_contained(inner, outer))
        }),
        (Value::Array(inner), Value::Array(outer)) => {
            let mut pairs = inner.iter().zip(outer);
            inner.len() == outer.len() && pairs.all(|(inner, outer)| is_contained(inner, outer))
        }
        (inner, outer) => inner == outer,
    }
}

fn component<'d>(document: &'d Value, name: &str) -> Option<&'d Value> {
    if name.starts_with('/') {
        document.pointer(name)
    } else {
        document.pointer("/components/schemas")?.get(name)
    }
}
