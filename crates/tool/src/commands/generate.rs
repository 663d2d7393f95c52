//! `generate` and `check`: document, Overlays and overrides → the files of a crate.

use std::collections::BTreeMap;
use std::io::Write;

use annotate_snippets::Renderer;
use anyhow::Result;
use client_generator::emit::{FileTree, Runtime};
use client_generator::generate::{Generated, generate as make};
use openapi_document::finding::{DocumentError, Finding, Severity};
use openapi_document::program;
use openapi_document::readable::counted;
use serde::Serialize;

use super::status::line;
use super::{once, paging, warnings};
use crate::install::{self, State};
use client_generator::generate::Layout;

/// Files of one state that are listed one by one.
const LISTED: usize = 20;

/// How to generate.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Writes nothing, and lists the files that differ.
    pub check: bool,
    /// Shows all warnings, and lists all files.
    pub verbose: bool,
}

/// The result of generating a crate, for programs.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The name of the package.
    pub package: String,
    /// Its folder.
    pub output: String,
    /// True if it is up to date (now).
    pub fresh: bool,
    /// Operations of the document that it has.
    pub operations: usize,
    /// Operations of the document that it does not have.
    pub left_out: usize,
    /// The files that were or are not up to date, by their result.
    pub files: BTreeMap<&'static str, Vec<String>>,
    /// The parts of the document that it leaves out, or types less.
    pub warnings: Vec<Finding>,
}

/// Generates a crate, or with `check` only compares. Warnings go to `err`. Returns the result.
///
/// # Errors
///
/// Nothing is written if a document cannot be read, a step has errors (the first one's findings are returned), or a file that was not
/// generated is in the way.
pub fn generate(
    layout: &Layout,
    options: Options,
    renderer: &Renderer,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Report> {
    let made = match prepared(layout) {
        Ok(made) => made,
        Err(stop) => {
            let (warned, errors) = (stop.of(Severity::Warning), stop.of(Severity::Error));
            warnings::print(&warned, options.verbose, renderer, err)?;
            return Err(stop.only(errors).into());
        }
    };
    if !options.check && !layout.strict {
        warnings::print(&made.warnings, options.verbose, renderer, err)?;
        paging::print(&made.detections, options.verbose, out)?;
    }
    let overrides = made.reconciled.report.applied.len();
    if overrides > 0 {
        let document = &layout.document;
        line(
            out,
            "Reconciled",
            &format!("{document} with {overrides} overrides"),
        )?;
    }
    let files = installed(layout, &layout.generated, &made.tree, options, out)?;
    let stands_alone = layout.packaging.runtime != Runtime::Workspace;
    if !options.check && stands_alone && !layout.root.as_os_str().is_empty() {
        let missing = once::missing(layout, &made);
        install::change(&layout.root, &missing)?;
        for (path, _) in &missing {
            line(out, "Wrote", &format!("{path}, which is yours now"))?;
        }
    }
    let report = Report {
        fresh: files.is_empty() || !options.check,
        files,
        package: made.package,
        output: layout.generated.clone(),
        operations: made.operations,
        left_out: made.left_out,
        warnings: made.warnings,
    };
    if report.fresh && !layout.strict {
        line(
            out,
            if options.check {
                "Checked"
            } else {
                "Generated"
            },
            &format!(
                "{}: {}, {} left out, {}",
                report.package,
                counted(report.operations, "operation"),
                report.left_out,
                warnings::by_rule(&report.warnings),
            ),
        )?;
    }
    Ok(report)
}

/// Generates a crate in memory, if it may be written.
///
/// # Errors
///
/// A document cannot be read, a step has errors, or what is on the disk is in the way.
pub(super) fn prepared(layout: &Layout) -> Result<Generated, DocumentError> {
    let made = make(layout)?;
    unless_elsewhere(layout)?;
    unless_foreign(layout, &made.tree)?;
    Ok(made)
}

/// Writes the tree of a folder, or with `check` only compares. Returns the files that are or were not up to date, by their result.
///
/// # Errors
///
/// A file cannot be read or written.
pub fn installed(
    layout: &Layout,
    folder: &str,
    tree: &FileTree,
    options: Options,
    out: &mut dyn Write,
) -> Result<BTreeMap<&'static str, Vec<String>>> {
    let there = layout.root.join(folder);
    let states = install::compare(tree, &there)?;
    if !options.check {
        // Beside what is replaced: a crate that arguments describe may be anywhere.
        let (root, folder) = if layout.root.as_os_str().is_empty() {
            (there, "")
        } else {
            (layout.root.clone(), folder)
        };
        install::change(&root, &install::changes(tree, &states, folder))?;
    }
    let mut by_verb: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for (path, state) in &states {
        let verb = match (state, options.check) {
            (State::Fresh, _) => continue,
            (State::Foreign, _) if !layout.strict => continue,
            (State::Foreign, _) => "Foreign",
            (State::Stale, true) => "Stale",
            (State::Missing, true) => "Missing",
            (State::Stray, true) => "Stray",
            (State::Stray, false) => "Deleted",
            (State::Stale | State::Missing, false) => "Wrote",
        };
        let path = match verb {
            "Foreign" => format!("{folder}/{path} (not generated: move it elsewhere)"),
            _ => format!("{folder}/{path}"),
        };
        by_verb.entry(verb).or_default().push(path);
    }
    let fresh = by_verb.is_empty() || !options.check;
    for (verb, paths) in &by_verb {
        let listed = if options.verbose { paths.len() } else { LISTED };
        for path in paths.iter().take(listed) {
            line(out, verb, path)?;
        }
        let more = paths.len().saturating_sub(listed);
        if more > 0 {
            line(
                out,
                verb,
                &format!("{} in {folder}", counted(more, "more file")),
            )?;
        }
    }
    if fresh {
        let files = counted(tree.iter().count(), "file");
        line(out, "Fresh", &format!("{folder} ({files})"))?;
    } else {
        let help = format!("run `{}` and commit what it writes", program::generate());
        line(out, "Help", &help)?;
    }
    Ok(by_verb)
}

/// Refuses a folder that a link leads out of that of the file.
fn unless_elsewhere(layout: &Layout) -> Result<(), DocumentError> {
    let output = layout.root.join(&layout.generated);
    let there = output
        .ancestors()
        .find_map(|folder| folder.canonicalize().ok());
    let root = layout.root.canonicalize().ok();
    match (root, there) {
        (Some(root), Some(there)) if !there.starts_with(&root) => {
            Err(DocumentError::Unreadable(vec![Finding::about(
                "config",
                &layout.package_file,
                format!(
                    "{} leads to {}, out of the folder of the file",
                    layout.generated,
                    there.display()
                ),
                "give the crate a folder, and no link",
            )]))
        }
        _ => Ok(()),
    }
}

/// Refuses to replace files that a person wrote.
fn unless_foreign(layout: &Layout, tree: &FileTree) -> Result<(), DocumentError> {
    let output = layout.root.join(&layout.generated);
    let files = install::in_the_way(tree, &output);
    let findings = files.into_iter().map(|path| {
        Finding::about(
            "foreign-file",
            output.join(path).to_string_lossy(),
            "the crate has a file of this name, and this one was not generated",
            "choose another folder for the crate, or move the file elsewhere",
        )
    });
    DocumentError::unless_empty(findings.collect())
}
