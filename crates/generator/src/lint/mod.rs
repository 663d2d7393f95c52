//! Finds input that would make the engine panic or the emitted crate fail to compile.
//! Lint never edits.

mod aliases;
mod form;
mod ids;
mod size;
mod subset;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_model::Model;
use serde_json::Value;

/// Compares an OpenAPI 3.0 document, as its author wrote it, with that specification. Differences are warnings: they are read as far as
/// they have a meaning. A schema of a later version takes any keyword.
pub fn form(source: &Source) -> Vec<Finding> {
    let version = source.value.get("openapi").and_then(Value::as_str);
    if version.is_some_and(|version| version.starts_with("3.0")) {
        form::check(source)
    } else {
        Vec::new()
    }
}

/// Checks a document in the one vocabulary, ahead of reading a [`Model`] out of it.
pub fn document(source: &Source) -> Result<(), DocumentError> {
    DocumentError::unless_empty(size::check(source))
}

/// Checks the aliases, the ids and the chosen operations of a model.
pub fn model(source: &Source, model: &Model) -> Result<(), DocumentError> {
    let mut findings = aliases::check(source, model);
    findings.extend(ids::check(source, model));
    findings.extend(subset::check(source, model));
    DocumentError::unless_empty(findings)
}
