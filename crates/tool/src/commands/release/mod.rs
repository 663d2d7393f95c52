//! `cargo xtask release`: prepares a release of the crate, after any change of the document, the overrides or the generator. It sets the
//! version that is due, completes the changelog and prints the message of the tag. It commits and tags nothing.

mod changelog;
mod known;
mod last;
mod notes;
mod options;
mod plan;
mod tag;

use std::io::Write;

use anyhow::Result;

use super::status::line;
use super::update::saved;
use crate::install;
use crate::layout::Layout;
use known::Known;
use last::{Release, last};
use notes::since;
use openapi_document::finding::DocumentError;
use openapi_document::program::command;
use plan::{Plan, plan};

pub use options::Options;

/// Prepares a release. Changes all files, or none, and only files whose current state git has. Returns whether everything is in order.
///
/// # Errors
///
/// The crate cannot be generated, the version is too small, or git does not have a file.
pub fn release(layout: &Layout, options: &Options, out: &mut dyn Write) -> Result<bool> {
    let Plan {
        package,
        step,
        last,
        is_different,
        entry,
        changes,
    } = plan(layout, options)?;
    match &last {
        None => line(
            out,
            "First",
            &format!(
                "nothing is released yet, and no version is due: there is no tag `{}`",
                last::pattern(layout)
            ),
        )?,
        Some(last) if !is_different && changes.is_empty() => {
            line(out, "Fresh", &format!("the crate is that of {}", last.tag))?;
            return Ok(true);
        }
        Some(last) => line(out, "Last", &last.tag)?,
    }
    line(out, "Version", &step)?;
    if options.dry_run {
        for (path, _) in &changes {
            line(out, "Would write", path)?;
        }
    } else {
        install::change(&layout.root, &changes)?;
        for (path, _) in &changes {
            line(out, "Wrote", path)?;
        }
    }
    let there = |place: &String| layout.root.join(place).exists();
    let mut places = saved::places(layout);
    places.push(layout.document.clone());
    places.retain(there);
    if options.bump {
        line(out, "Help", "run the tests, and commit all of it together")?;
    } else {
        line(
            out,
            "Help",
            "run the tests, then commit and tag with these commands",
        )?;
        writeln!(
            out,
            "\n{}",
            tag::commands(&layout.tag, &package, &places, &entry)
        )?;
    }
    Ok(true)
}

/// Returns a message if the generated version is less than the changes since the last release require. Without a release in git, nothing is
/// missing.
///
/// # Errors
///
/// The released crate cannot be read.
pub(super) fn missing_bump(layout: &Layout) -> Result<Option<String>, DocumentError> {
    let Some(last) = last(layout)? else {
        return Ok(None);
    };
    if last.is_same(layout) {
        return Ok(None);
    }
    let now = Known::committed(layout)?;
    let Some(since) = since(layout, &last, &now)? else {
        return Ok(None);
    };
    let due = since.step(&last, None)?;
    let version = now.version();
    if semver::Version::parse(&version).is_ok_and(|version| version >= due.to) {
        return Ok(None);
    }
    let Release { tag, .. } = &last;
    Ok(Some(format!(
        "{version} is too low for the changes since {tag} (due: {due}): run `{}`",
        command("release --bump")
    )))
}
