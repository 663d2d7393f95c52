//! Finds input that would make the engine panic or the emitted crate fail to compile.
//! Lint never edits.

mod aliases;
mod form;
mod ids;
mod size;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_model::Model;
use openapi_schemas::Version;

/// Compares an OpenAPI 3.0 document, as its author wrote it, with that specification. Differences are warnings: they are read as far as
/// they have a meaning.
pub fn form(source: &Source, version: Version) -> Vec<Finding> {
    match version {
        Version::V3_0 => form::check(source),
        // A schema of these takes any keyword.
        Version::V3_1 | Version::V3_2 => Vec::new(),
    }
}

/// Checks a document in the one vocabulary, ahead of reading a [`Model`] out of it.
pub fn document(source: &Source) -> Result<(), DocumentError> {
    DocumentError::unless_empty(size::check(source))
}

/// Checks the aliases and the ids of a model.
pub fn model(source: &Source, model: &Model) -> Result<(), DocumentError> {
    let mut findings = aliases::check(source, model);
    findings.extend(ids::check(source, model));
    DocumentError::unless_empty(findings)
}
