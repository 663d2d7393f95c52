//! Compares, and prints the report.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

use super::sides::{Side, elsewhere, sides};
use super::{Format, Options};
use crate::commands::given;
use crate::diff::{self, Report, Surfaces};
use crate::finding::{Finding, Stop};
use crate::layout::Layout;
use crate::overrides::{OverrideReport, ReconciledDocument};
use crate::surface;

/// Compares documents of a workspace, and prints the report. Returns whether it stays below `fail_on`, and knows all that was asked for.
pub fn diff(layout: &Layout, options: &Options, out: &mut dyn Write) -> Result<bool> {
    print(&report(sides(layout, options)?, options)?, options, out)
}

/// Compares two documents on the wire, without a workspace.
pub fn alone(options: &Options, out: &mut dyn Write) -> Result<bool> {
    print(&report(elsewhere(options)?, options)?, options, out)
}

fn print(
    (report, is_known): &(Report, bool),
    options: &Options,
    out: &mut dyn Write,
) -> Result<bool> {
    let text = match options.format {
        _ if options.summary => diff::summary(report),
        Format::Text(colour) => diff::text(report, options.view, colour, options.expand),
        Format::Json => diff::json(report).context("writing the report as JSON")?,
        Format::Markdown => diff::markdown(report),
        Format::Html => diff::html(report, options.view),
        Format::Github => diff::annotations(report),
        Format::Junit => diff::junit(report),
        Format::Sarif => diff::sarif(report).context("writing the report as SARIF")?,
    };
    out.write_all(text.as_bytes())?;
    Ok(*is_known && options.fail_on.is_none_or(|limit| report.wire < limit))
}

/// The report, and whether it knows all that was asked for.
fn report(sides: [Side; 2], options: &Options) -> Result<(Report, bool), Stop> {
    let documents = sides.each_ref().map(|side| &side.document);
    let refused: Vec<Finding> = documents.into_iter().filter_map(diff::refusal).collect();
    if !refused.is_empty() {
        return Err(Stop::Unreadable(refused));
    }
    let surfaces = match options.wire_only {
        true => Surfaces::Skipped,
        false => surfaces(&sides),
    };
    // What an override no longer applies to is compared as it was published.
    let reconciled = match &sides {
        [
            Side {
                callers: Ok(old), ..
            },
            Side {
                callers: Ok(new), ..
            },
        ] if options.reconciled => Some([&old.source, &new.source]),
        _ => None,
    };
    let is_drifted = options.reconciled && reconciled.is_none();
    let [old, new] = reconciled.unwrap_or(documents);
    let differences = diff::compare(old, new);
    let warnings = old.warnings.iter().chain(&new.warnings).cloned();
    let files = documents.map(|document| given::file(Path::new(""), &document.path));
    let mut report = Report {
        warnings: warnings.collect(),
        files: files.map(str::to_owned),
        ..Report::new(
            &documents[0].path,
            &documents[1].path,
            differences,
            surfaces,
        )
    };
    if is_drifted && options.wire_only {
        report.obstacles = obstacles(&sides);
    }
    if let Some(name) = &options.policy {
        let file = given::document(Path::new(""), name)?;
        let today = options.today.as_deref();
        let policy = diff::policy(&file, today)?;
        report = report.under(&policy, &file, old, today.unwrap_or_default());
    }
    let unmatched = options.filter.unmatched(&report.operations);
    report.findings.extend(unmatched);
    report.findings = distinct(std::mem::take(&mut report.findings));
    let is_known = report.findings.is_empty() && !is_drifted;
    Ok((report.filtered(&options.filter), is_known))
}

fn surfaces(sides: &[Side; 2]) -> Surfaces {
    let [
        Side {
            callers: Ok(old), ..
        },
        Side {
            callers: Ok(new), ..
        },
    ] = sides
    else {
        return Surfaces::Unknown(obstacles(sides));
    };
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

/// Why a side has nothing that the Rust of its callers comes from; each reason once.
fn obstacles(sides: &[Side; 2]) -> Vec<Finding> {
    let reasons = sides.iter().filter_map(|side| side.callers.as_ref().err());
    distinct(reasons.flatten().cloned().collect())
}

/// Findings, each once.
fn distinct(mut findings: Vec<Finding>) -> Vec<Finding> {
    let mut seen = HashSet::new();
    findings.retain(|finding| {
        let (file, pointer) = (finding.file.clone(), finding.pointer.clone());
        seen.insert((finding.rule, file, pointer, finding.message.clone()))
    });
    findings
}
