//! `cargo xtask diff`: what a new document means, for any two documents, or for the published one since the last commit.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::diff::{self, Report, Surfaces, Wire};
use crate::emit::DOCUMENT;
use crate::finding::{Finding, Stop};
use crate::layout::Layout;
use crate::overrides::{OverrideReport, OverrideSet, ReconciledDocument, reconcile};
use crate::source::{self, Reading, Source};
use crate::surface;

/// What is compared, and how it is shown.
#[derive(Clone, Debug)]
pub struct Options {
    /// The two documents: files or `git-rev:path`. Without them, the published document as committed and as it is.
    pub documents: Option<(String, String)>,
    /// Compares after the overrides: these, for two documents; for the published one, those of its time.
    pub reconciled: bool,
    /// Leaves the Rust surface out.
    pub wire_only: bool,
    /// How to print.
    pub format: Format,
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

/// Prints the report. Returns whether it stays below `fail_on`.
pub fn diff(layout: &Layout, options: &Options, out: &mut dyn Write) -> Result<bool> {
    let report = report(layout, options)?;
    let text = match options.format {
        Format::Text(colour) => diff::text(&report, colour),
        Format::Json => diff::json(&report).context("writing the report as JSON")?,
        Format::Markdown => diff::markdown(&report),
    };
    out.write_all(text.as_bytes())?;
    Ok(options.fail_on.is_none_or(|limit| report.wire < limit))
}

fn report(layout: &Layout, options: &Options) -> Result<Report, Stop> {
    let here = Path::new("");
    let (old, new) = match &options.documents {
        Some((old, new)) => (read(here, old)?, read(here, new)?),
        None if options.reconciled => (
            // As its overrides were, too.
            read(
                &layout.root,
                &format!("HEAD:{}/{DOCUMENT}", layout.generated),
            )?,
            source::document(&layout.root, &layout.document, Reading::Strict)?,
        ),
        None => (
            read(&layout.root, &format!("HEAD:{}", layout.document))?,
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
    Ok(Report::new(
        &old.source.path,
        &new.source.path,
        differences,
        surfaces,
    ))
}

fn surfaces(old: &ReconciledDocument, new: &ReconciledDocument) -> Surfaces {
    // Callers do not see which override a text comes from.
    let no_overrides = OverrideReport::default();
    let read = |document: &ReconciledDocument| {
        surface::read(&document.source, &no_overrides)
            .map_err(|stop| document.attribute(stop).findings().to_vec())
    };
    match (read(old), read(new)) {
        (Ok(old), Ok(new)) => Surfaces::Compared(surface::compare(&old, &new)),
        (old, new) => Surfaces::Unknown(
            [old.err(), new.err()]
                .into_iter()
                .flatten()
                .flatten()
                .collect(),
        ),
    }
}

/// A file, or a file as git has it at a revision.
fn read(root: &Path, name: &str) -> Result<Source, Stop> {
    let Some((revision, path)) = name.split_once(':').filter(|_| !root.join(name).exists()) else {
        return source::document(root, name, Reading::Strict);
    };
    let unreadable = |message: String| {
        Stop::Unreadable(vec![Finding::about(
            "unreadable-file",
            name,
            message,
            "give a file, or a revision and a path from the top of the repository, as `HEAD:spec/openapi.yaml`",
        )])
    };
    if revision.starts_with('-') {
        return Err(unreadable(format!("`{revision}` is not a revision")));
    }
    let mut git = Command::new("git");
    if !root.as_os_str().is_empty() {
        git.current_dir(root);
    }
    let output = git
        .args(["show", &format!("{revision}:{path}")])
        .output()
        .map_err(|error| unreadable(format!("cannot run git: {error}")))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(unreadable(format!(
            "git does not have this file: {}",
            message.trim()
        )));
    }
    let text = String::from_utf8(output.stdout)
        .map_err(|_| unreadable("the file is not UTF-8 text".to_owned()))?;
    Source::parse(name, text)
}
