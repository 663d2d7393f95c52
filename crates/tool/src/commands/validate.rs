//! `validate`: what the generator finds in a document, without a crate.

use std::io::Write;

use annotate_snippets::Renderer;
use anyhow::Result;
use client_generator::generate::generate;
use openapi_document::finding::Finding;
use openapi_document::given::shown;
use openapi_document::readable::counted;
use serde::Serialize;

use super::status::line;
use super::warnings;
use client_generator::generate::Layout;

/// The errors of a document, for programs.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The document.
    pub document: String,
    /// True without errors, and for a strict crate without any finding.
    pub valid: bool,
    /// Operations that a crate has; none of a document with errors.
    pub operations: usize,
    /// The errors, and the parts that a crate would leave out or type less.
    pub findings: Vec<Finding>,
}

/// Reads a document with its Overlays and overrides, and prints each error, and what of the document a crate would leave out or type less.
///
/// # Errors
///
/// Output that cannot be written.
pub fn validate(
    layout: &Layout,
    verbose: bool,
    renderer: &Renderer,
    out: &mut dyn Write,
) -> Result<Report> {
    let tolerant = Layout {
        strict: false,
        ..layout.clone()
    };
    let (findings, operations) = match generate(&tolerant) {
        Ok(made) => (made.warnings, Some(made.operations)),
        Err(stop) => (stop.findings().to_vec(), None),
    };
    warnings::print(&findings, verbose, renderer, out)?;
    let valid = operations.is_some() && (!layout.strict || findings.is_empty());
    let document = shown(&layout.document);
    let summary = match operations {
        Some(operations) => format!(
            "{document}: {}, {}",
            counted(operations, "operation"),
            warnings::by_rule(&findings)
        ),
        None => document.clone(),
    };
    line(out, if valid { "Valid" } else { "Invalid" }, &summary)?;
    Ok(Report {
        document,
        valid,
        operations: operations.unwrap_or_default(),
        findings,
    })
}
