//! Compares two documents and prints the report.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use openapi_document::finding::{DocumentError, Finding, distinct};
use openapi_document::given;
use openapi_document::source::{Root, Source};

use super::{Format, Options};
use crate::{Report, Surfaces};

/// Compares two documents on the wire, without a workspace. Returns whether the report is complete and stays below
/// `fail_on`.
///
/// # Errors
///
/// A document cannot be read, or output cannot be written.
pub fn alone(old: &str, new: &str, options: &Options, out: &mut dyn Write) -> Result<bool> {
    let documents = read(old, new, options)?;
    let documents = documents.each_ref();
    refuse(documents)?;
    run(documents, Surfaces::Skipped, options, out)
}

/// Reads both documents.
///
/// # Errors
///
/// A document cannot be read, or both are standard input, which can be read only once.
pub fn read(old: &str, new: &str, options: &Options) -> Result<[Source; 2], DocumentError> {
    if (old, new) == (given::INPUT, given::INPUT) {
        return Err(DocumentError::Unreadable(vec![Finding::about(
            "usage",
            "arguments",
            "standard input cannot be both documents",
            "give a file for one of them",
        )]));
    }
    let root = Root::Option(options.root.clone());
    let here = Path::new("");
    Ok([
        given::tolerant(here, old, &root)?,
        given::tolerant(here, new, &root)?,
    ])
}

/// Refuses documents that are not OpenAPI 3.
///
/// # Errors
///
/// One finding per such document.
pub fn refuse(documents: [&Source; 2]) -> Result<(), DocumentError> {
    let refused: Vec<Finding> = documents.into_iter().filter_map(crate::refusal).collect();
    if refused.is_empty() {
        Ok(())
    } else {
        Err(DocumentError::Unreadable(refused))
    }
}

/// Compares two documents and prints the report. `surfaces` are the differences in callers' Rust. Returns whether the report is complete and
/// stays below `fail_on`.
///
/// # Errors
///
/// Output cannot be written.
pub fn run(
    documents: [&Source; 2],
    surfaces: Surfaces,
    options: &Options,
    out: &mut dyn Write,
) -> Result<bool> {
    let report = report(documents, surfaces);
    let is_known = report.findings.is_empty();
    let text = match options.format {
        Format::Text => crate::text(&report, options.colour, options.expand),
        Format::Json => crate::json(&report).context("writing the report as JSON")?,
        Format::Markdown => crate::markdown(&report),
        Format::Sarif => crate::sarif(&report).context("writing the report as SARIF")?,
    };
    out.write_all(text.as_bytes())?;
    Ok(is_known && options.fail_on.is_none_or(|limit| report.wire < limit))
}

/// Returns the report with all changes.
fn report(documents: [&Source; 2], surfaces: Surfaces) -> Report {
    let [old, new] = documents;
    let warnings = old.warnings.iter().chain(&new.warnings).cloned();
    let files = documents.map(|document| given::file(Path::new(""), &document.path));
    let mut report = Report {
        warnings: warnings.collect(),
        files: files.map(str::to_owned),
        ..Report::new(&old.path, &new.path, crate::compare(old, new), surfaces)
    };
    report.findings = distinct(std::mem::take(&mut report.findings));
    report
}
