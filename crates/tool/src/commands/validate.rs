//! `validate`: what the generator finds in a document, without a crate.

use std::io::Write;

use annotate_snippets::Renderer;
use anyhow::Result;
use client_generator::generate::generate;
use openapi_document::finding::Severity;

use super::status::{counted, line};
use super::warnings;
use crate::layout::Layout;

/// Reads a document with its Overlays and overrides, and prints each error, and what of the document a crate would leave out or type less. Returns
/// whether there is no error, and of a strict crate nothing at all.
///
/// # Errors
///
/// Output that cannot be written.
pub fn validate(
    layout: &Layout,
    verbose: bool,
    renderer: &Renderer,
    out: &mut dyn Write,
) -> Result<bool> {
    let mut task = layout.task();
    task.strict = false;
    let (findings, operations) = match generate(&task) {
        Ok(made) => (made.warnings, Some(made.operations)),
        Err(stop) => (stop.findings().to_vec(), None),
    };
    warnings::print(&findings, verbose, renderer, out)?;
    let errors = findings
        .iter()
        .filter(|one| one.severity == Severity::Error);
    let (errors, said) = (errors.count(), warnings::by_rule(&findings));
    let is_valid = operations.is_some() && (!layout.strict || findings.is_empty());
    let subject = match operations {
        Some(operations) => format!(
            "{}: {}, {said}",
            layout.document,
            counted(operations, "operation")
        ),
        None => format!("{}: {}", layout.document, counted(errors, "error")),
    };
    line(out, if is_valid { "Valid" } else { "Invalid" }, &subject)?;
    Ok(is_valid)
}
