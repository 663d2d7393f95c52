//! The changes of a release, worked out in memory.

use std::io::ErrorKind;

use anyhow::Result;
use client_generator::emit::FileTree;
use client_generator::generate::{self, Generated};
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source;
use openapi_overrides::{OverrideSet, reconcile};
use semver::Version;

use super::changelog;
use super::known::Known;
use super::last::{Release, is_taken, last};
use super::notes::{Since, since};
use super::options::Options;
use crate::commands::lock;
use crate::commands::update::changelog as entries;
use crate::commands::update::saved::{self, Command, Saved};
use crate::commands::update::version::{self, Step};
use crate::install::{self, Changes};
use crate::layout::Layout;

/// A release that needs no person's decision first.
pub(super) struct Plan {
    /// The name of the package, and the version that it gets.
    pub(super) package: (String, String),
    /// The version as a person reads it, with the reason.
    pub(super) step: String,
    /// The release before, if there is one.
    pub(super) last: Option<Release>,
    /// True if callers see a difference from it.
    pub(super) is_different: bool,
    /// The entry in the changelog.
    pub(super) entry: String,
    /// The files.
    pub(super) changes: Changes,
}

/// Plans a release.
///
/// # Errors
///
/// Findings that stop the release.
pub(super) fn plan(layout: &Layout, options: &Options) -> Result<Plan> {
    if !options.dry_run {
        Saved::read(layout, &saved::places(layout), Command::Release)?;
    }
    let made = generate::generate(&layout.task())?;
    let now = Known::generated(layout, &made.tree)?;
    if now.version().is_empty() {
        return Err(version::nowhere(layout).into());
    }
    let last = last(layout)?;
    let since = match &last {
        Some(last) => since(layout, last, &now)?,
        None => None,
    };
    let from = version::step(&now.version(), None, None, None)?.from;
    let step = step(
        &from,
        last.as_ref(),
        since.as_ref(),
        options.version.as_deref(),
    )?;
    let version = step.to.to_string();
    let is_different = since.is_some() || last.is_none() || step.to != from;
    let is_released = last.as_ref().is_some_and(|last| last.version == step.to);
    let mut changes = Changes::new();
    let before = read_or_empty(layout, &layout.changelog)?;
    let mut entry = changelog::body(&before, &version).to_owned();
    if is_different && !is_released {
        let tag = format!("{}{version}", layout.tag);
        if is_taken(layout, &tag) {
            return Err(taken(&tag).into());
        }
        let interface = since.as_ref().and_then(|since| since.interface.clone());
        let new = match &since {
            Some(since) => entries::entry(&version, interface.as_deref(), &since.notes()),
            None => String::new(),
        };
        let after = changelog::completed(&before, &version, !options.bump, &new);
        entry = changelog::body(&after, &version).to_owned();
        if after != before {
            changes.push((layout.changelog.clone(), Some(after)));
        }
    }
    changes.extend(files(layout, &made, &step)?);
    changes.extend(lock::changes(layout, &made.package, &version)?);
    if !options.dry_run {
        Saved::read(layout, &saved::places(layout), Command::Release)?
            .has_all_of(layout, &changes)?;
    }
    Ok(Plan {
        package: (made.package, version),
        step: step_line(&from, &step, last.as_ref(), since.as_ref())?,
        last,
        is_different,
        entry,
        changes,
    })
}

/// From the version that the package has to the one that it gets.
fn step(
    from: &Version,
    last: Option<&Release>,
    since: Option<&Since>,
    asked: Option<&str>,
) -> Result<Step, DocumentError> {
    let due = match (last, since) {
        (Some(last), Some(since)) => since.step(last, asked)?,
        (Some(last), None) => version::step(&last.version.to_string(), asked, None, None)?,
        (None, _) => version::step(&from.to_string(), asked, None, None)?,
    };
    let to = due.to.clone().max(from.clone());
    if asked.is_some() && to != due.to {
        return Err(DocumentError::Findings(vec![Finding::about(
            "version-too-small",
            "--version",
            format!("{} is less than {from}, which the package has", due.to),
            format!("give a version from {from} on"),
        )]));
    }
    Ok(Step {
        from: from.clone(),
        to,
        ..due
    })
}

/// The version with the reason.
fn step_line(
    from: &Version,
    step: &Step,
    last: Option<&Release>,
    since: Option<&Since>,
) -> Result<String, DocumentError> {
    let (Some(last), Some(since)) = (last, since) else {
        return Ok(if step.to == *from {
            step.to.to_string()
        } else {
            format!("{from} to {}, as asked for", step.to)
        });
    };
    let due = since.step(last, None)?;
    Ok(if step.to == due.to {
        due.to_string()
    } else {
        format!("{} (required: {due})", step.to)
    })
}

/// Returns the files of the crate, and the file with its version.
fn files(layout: &Layout, made: &Generated, step: &Step) -> Result<Changes> {
    let mut changes = Changes::new();
    let mut set = made.overrides.clone();
    changes.extend(version::write(layout, &mut set, step)?);
    let tree = tree(layout, made, &set)?;
    let states = install::compare(&tree, &layout.root.join(&layout.generated))?;
    changes.extend(install::changes(&tree, &states, &layout.generated));
    Ok(changes)
}

fn tree(layout: &Layout, made: &Generated, set: &OverrideSet) -> Result<FileTree, DocumentError> {
    let reconciled = reconcile(&made.published, set)?;
    generate::tree(&made.published, set, &reconciled, &layout.packaging, false)
        .map_err(|stop| reconciled.attribute(stop))
}

fn taken(tag: &str) -> DocumentError {
    DocumentError::Findings(vec![Finding::about(
        "tag-exists",
        tag,
        "the tag exists, and this commit does not build on it",
        "build on that release (`git merge`), or give a greater version with `--version`",
    )])
}

/// Returns the content of a file, empty without the file.
fn read_or_empty(layout: &Layout, path: &str) -> Result<String, DocumentError> {
    match source::string(&layout.root.join(path)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| {
            DocumentError::Unreadable(vec![Finding::about(
                "unreadable-file",
                path,
                format!("the file cannot be read, and the release adds to it: {error}"),
                "make it a readable file in UTF-8, then run the release again",
            )])
        }),
    }
}
