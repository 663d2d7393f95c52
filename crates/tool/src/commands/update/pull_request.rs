//! The body of an update's pull request: what breaks callers, what was assumed, what is new, what was kept, and what is left to decide.

use std::fmt::Write;

use openapi_overrides::Retired;

use super::changelog::{COMPILES, NEW, WIRE};
use super::plan::Plan;

/// Rows of one list: a longer body is not read, and a forge may cut it off. `cargo xtask diff --format markdown` has all.
const ROWS: usize = 50;

pub(super) fn text(plan: &Plan) -> String {
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = write(plan, &mut out);
    out
}

fn write(plan: &Plan, out: &mut String) -> std::fmt::Result {
    let version = &plan.version;
    writeln!(out, "# Update to interface version {}\n", plan.interface)?;
    match version.bump {
        None => writeln!(out, "The package stays at {}.", version.from)?,
        Some(_) => writeln!(out, "The package goes from {version}.")?,
    }
    list(COMPILES, changes(plan, COMPILES), out)?;
    list(WIRE, changes(plan, WIRE), out)?;
    list("Assumed:", &assumed(plan), out)?;
    list("New operations:", &plan.additions.operations, out)?;
    list(NEW, changes(plan, NEW), out)?;
    let is_unchanged = [COMPILES, WIRE, NEW]
        .iter()
        .all(|title| changes(plan, title).is_empty());
    let reason = if is_unchanged {
        "Nothing changes for callers. These files follow the document:"
    } else {
        "Overrides that follow the document:"
    };
    list(reason, &followed(plan), out)?;
    let wording = plan.wording.as_deref().unwrap_or_default();
    list("Only descriptions change:", wording, out)?;
    list("To decide:", &plan.additions.doubtful, out)?;
    write!(out, "\n{}", openapi_diff::bounded(&plan.report, ROWS))
}

/// Writes a list with its title, unless it is empty.
fn list(title: &str, lines: &[String], out: &mut String) -> std::fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}\n")?;
    for line in lines.iter().take(ROWS) {
        writeln!(out, "- {line}")?;
    }
    match lines.len().saturating_sub(ROWS) {
        0 => Ok(()),
        more => writeln!(out, "- and {more} more"),
    }
}

/// Returns the changes for callers below one title of the changelog.
fn changes<'p>(plan: &'p Plan, title: &str) -> &'p [String] {
    let section = plan.sections.iter().find(|(known, _)| *known == title);
    section.map_or(&[], |(_, lines)| lines.as_slice())
}

/// Lists what a person accepted or the generator found out, each with the file that has it.
fn assumed(plan: &Plan) -> Vec<String> {
    let accepted = plan.rebase.accepted();
    let nulls = plan.rebase.kept_nulls();
    let paged = plan.additions.paged.iter();
    let paged =
        paged.map(|one| format!("{one}; no override has it, `x-pagination` in one changes it"));
    let charges = plan.uncharged.iter().cloned();
    charges.chain(accepted).chain(nulls).chain(paged).collect()
}

/// Lists what changed in overrides, and why.
fn followed(plan: &Plan) -> Vec<String> {
    let retired = plan.rebase.retired.iter();
    let retired = retired.map(|Retired { by, reason }| {
        format!(
            "`{}` is gone, because {reason}: {}",
            by.source.path, by.overlay.title
        )
    });
    let lines = plan.rebase.changed();
    retired.chain(lines).collect()
}
