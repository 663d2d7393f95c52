//! `cargo xtask release`: what a maintainer types when the crate is to be released, whatever changed since the last release: the document,
//! the overrides or the generator. It sets the version that is due, completes the changelog and prints the text of the tag. It commits and
//! tags nothing.

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
use openapi_document::finding::Stop;
use openapi_document::program::command;
use plan::{Plan, plan};

pub use options::Options;

/// Prepares a release. Changes all files, or none, and only files that git has as they are. Returns whether everything is in order.
///
/// # Errors
///
/// A crate that cannot be generated, a version that is too small, and files that git does not have.
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

/// Says whether the version of the crate as it is generated is less than what changed since the last release is worth. Where git has no
/// release, none is missing.
///
/// # Errors
///
/// A released crate that cannot be read.
pub(super) fn missing_bump(layout: &Layout) -> Result<Option<String>, Stop> {
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
        "{version} is less than what changed since {tag} asks for ({due}): run `{}`",
        command("release --bump")
    )))
}
