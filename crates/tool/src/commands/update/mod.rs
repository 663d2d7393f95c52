//! `update`: updates the workspace to a new document, or changes nothing and lists the decisions that a person has to make first.

mod additions;
mod changelog;
mod changes;
mod charges;
mod documents;
mod made;
mod moves;
mod options;
mod plan;
mod pull_request;
mod rewritten;
mod saved;
mod screen;
mod version;
mod wording;

use std::io::Write;

use anyhow::Result;

use super::status::{files, line};
use crate::install;
use crate::layout::Layout;
use plan::{Plan, plan};

pub use options::Options;

/// Updates the workspace to a new document. Changes all files, or none, and only files that git has as they are: it restores them when a
/// crash leaves some of them new and some of them old. A dry run does without git.
///
/// # Errors
///
/// Findings for a person. If they are about overrides, the report on the document is printed already.
pub fn update(layout: &Layout, options: &Options, out: &mut dyn Write) -> Result<bool> {
    let Some(plan) = plan(layout, options, out)? else {
        line(out, "Fresh", &format!("{} is unchanged", layout.document))?;
        return Ok(true);
    };
    let Plan {
        report,
        rebase,
        moved,
        additions,
        wording,
        version,
        uncharged,
        changes,
        ..
    } = &plan;
    for moved in moved {
        line(out, "Moved", moved)?;
    }
    write!(out, "{}", screen::report(report, options, !options.dry_run))?;
    writeln!(out)?;
    super::retired::print(&rebase.retired, out)?;
    for text in wording.iter().flatten() {
        line(out, "Wording", text)?;
    }
    for operation in &additions.operations {
        line(out, "New", operation)?;
    }
    for price in &additions.unpriced {
        line(out, "Price", price)?;
    }
    for paging in &additions.paged {
        line(out, "Paging", paging)?;
    }
    if let Some(uncharged) = uncharged {
        line(out, "Accepted", uncharged)?;
    }
    line(out, "Version", &version.to_string())?;
    if !options.dry_run {
        install::change(&layout.root, changes)?;
    }
    files(changes, options.dry_run, options.verbose, out)?;
    if !options.dry_run {
        line(out, "Help", "run your tests, and commit all of it together")?;
    }
    writeln!(out, "\n{}", pull_request::text(&plan))?;
    Ok(true)
}
