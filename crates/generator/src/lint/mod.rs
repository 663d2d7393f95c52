//! Finds input of which the emitted crate would not compile.
//! Lint never edits.

mod aliases;
mod ids;
mod size;
mod subset;

use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use openapi_model::Model;

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
