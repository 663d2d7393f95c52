//! `cargo xtask diff`: what a new document means, for any two documents, or for the published one since the last commit.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

use super::given;
use crate::diff::{self, Report, Surfaces, Wire};
use crate::emit::DOCUMENT;
use crate::finding::{Finding, Stop};
use crate::layout::Layout;
use crate::overrides::{OverrideReport, OverrideSet, ReconciledDocument, reconcile};
use crate::source::{self, Reading};
use crate::surface;

/// What is compared, and how it is shown.
#[derive(Clone, Debug)]
pub struct Options {
    /// The two documents: files, `git-rev:path`, or `-` for standard input. Without them, the published document as committed and as it is.
    pub documents: Option<(String, String)>,
    /// Compares after the overrides: these, for two documents; for the published one, those of its time.
    pub reconciled: bool,
    /// Leaves the Rust surface out.
    pub wire_only: bool,
    /// How to print.
    pub format: Format,
    /// Lists each of several equal changes.
    pub expand: bool,
    /// The verdict from which on the command fails.
    pub fail_on: Option<Wire>,
}

/// How a report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people; `true` with colours.
    Text(bool),
    /// For programs.
    Json,
    /// For a pull request.
    Markdown,
}

/// Prints the report. Returns whether it stays below `fail_on`, and knows all that the documents refer to.
pub fn diff(layout: &Layout, options: &Options, out: &mut dyn Write) -> Result<bool> {
    let report = report(layout, options)?;
    let text = match options.format {
        Format::Text(colour) => diff::text(&report, colour, options.expand),
        Format::Json => diff::json(&report).context("writing the report as JSON")?,
        Format::Markdown => diff::markdown(&report),
    };
    out.write_all(text.as_bytes())?;
    let is_known = report.findings.is_empty();
    Ok(is_known && options.fail_on.is_none_or(|limit| report.wire < limit))
}

fn report(layout: &Layout, options: &Options) -> Result<Report, Stop> {
    let here = Path::new("");
    let (old, new) = match &options.documents {
        Some((old, new)) => (given::tolerant(here, old)?, given::tolerant(here, new)?),
        None if options.reconciled => (
            // As its overrides were, too.
            given::document(
                &layout.root,
                &format!("HEAD:{}/{DOCUMENT}", layout.generated),
            )?,
            source::document(&layout.root, &layout.document, Reading::Strict)?,
        ),
        None => (
            given::document(&layout.root, &format!("HEAD:{}", layout.document))?,
            source::document(&layout.root, &layout.document, Reading::Strict)?,
        ),
    };
    let refused: Vec<Finding> = [&old, &new].into_iter().filter_map(diff::refusal).collect();
    if !refused.is_empty() {
        return Err(Stop::Unreadable(refused));
    }
    let as_it_is = |source| ReconciledDocument {
        source,
        report: OverrideReport::default(),
    };
    let (old, new) = if options.reconciled {
        let set = OverrideSet::load(&layout.root, &layout.overrides)?;
        let old = match options.documents {
            Some(_) => reconcile(&old, &set)?,
            None => as_it_is(old),
        };
        (old, reconcile(&new, &set)?)
    } else {
        (as_it_is(old), as_it_is(new))
    };
    let surfaces = if options.wire_only {
        Surfaces::Skipped
    } else {
        surfaces(&old, &new)
    };
    let differences = diff::compare(&old.source, &new.source);
    let (old, new) = (&old.source, &new.source);
    let warnings = old.warnings.iter().chain(&new.warnings).cloned();
    Ok(Report {
        warnings: warnings.collect(),
        ..Report::new(&old.path, &new.path, differences, surfaces)
    })
}

fn surfaces(old: &ReconciledDocument, new: &ReconciledDocument) -> Surfaces {
    // Callers do not see which override a text comes from.
    let no_overrides = OverrideReport::default();
    match surface::between(&old.source, &new.source, &no_overrides) {
        Ok(differences) => Surfaces::Compared(differences),
        Err(stops) => {
            let of = |(document, stop): (&ReconciledDocument, Option<Stop>)| {
                stop.map(|stop| document.attribute(stop).findings().to_vec())
            };
            let findings = [old, new].into_iter().zip(stops).filter_map(of);
            Surfaces::Unknown(findings.flatten().collect())
        }
    }
}
