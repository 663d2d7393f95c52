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
use client_generator::generate::Layout;
use plan::plan;

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
    for moved in &plan.moved {
        line(out, "Moved", moved)?;
    }
    write!(
        out,
        "{}",
        screen::report(&plan.report, options, !options.dry_run)
    )?;
    writeln!(out)?;
    super::retired::print(&plan.rebase.retired, out)?;
    for text in plan.wording.iter().flatten() {
        line(out, "Wording", text)?;
    }
    for operation in &plan.additions.operations {
        line(out, "New", operation)?;
    }
    for price in &plan.additions.unpriced {
        line(out, "Price", price)?;
    }
    for paging in &plan.additions.paged {
        line(out, "Paging", paging)?;
    }
    if let Some(uncharged) = &plan.uncharged {
        line(out, "Accepted", uncharged)?;
    }
    line(out, "Version", &plan.version.to_string())?;
    if !options.dry_run {
        install::change(&layout.root, &plan.changes)?;
    }
    files(&plan.changes, options.dry_run, options.verbose, out)?;
    if !options.dry_run {
        line(out, "Help", "run your tests, and commit all of it together")?;
    }
    writeln!(out, "\n{}", pull_request::text(&plan))?;
    Ok(true)
}
