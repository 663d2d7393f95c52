//! Documents of OpenAPI 3.0, 3.1 and 3.2 in one vocabulary: rewritten idioms, unchanged parts, and warnings.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics is a test that fails"
)]

mod documents;
mod schemas;

use openapi_document::source::Source;
use openapi_schemas::{Normal, normal};
use serde_json::{Value, json};

/// Returns a document of one operation, with these parts added.
fn document(version: &str, more: Value) -> Value {
    let mut document = json!({
        "openapi": version,
        "info": {"title": "Small", "version": "1"},
        "paths": {"/things": {"get": {"operationId": "things", "responses": {"204": {"description": "None."}}}}},
    });
    let map = document.as_object_mut().unwrap();
    map.extend(more.as_object().unwrap().clone());
    document
}

fn rewritten(document: &Value) -> Normal {
    let text = serde_json::to_string_pretty(document).unwrap();
    normal(&Source::parse("small.json", text).unwrap()).unwrap()
}

/// Rewrites a schema in a document of this version; returns it with the rules of the warnings.
fn schema(version: &str, schema: &Value) -> (Value, Vec<&'static str>) {
    let document = document(
        version,
        json!({"components": {"schemas": {"A": schema, "B": {"type": "string"}}}}),
    );
    let normal = rewritten(&document);
    let rules = normal.warnings.iter().map(|warning| warning.rule).collect();
    let value = normal
        .source
        .value
        .pointer("/components/schemas/A")
        .unwrap();
    (value.clone(), rules)
}

/// Returns the pointers of all warnings.
fn places(normal: &Normal) -> Vec<&str> {
    normal
        .warnings
        .iter()
        .map(|one| one.pointer.as_str())
        .collect()
}
