//! The body of an update's pull request: what breaks callers, what was assumed, what is new, what was kept, and what is left to decide.

use std::fmt::Write;

use openapi_overrides::Retired;

use super::changelog::{COMPILES, NEW, WIRE};
use super::plan::Plan;

/// Rows of one list: a longer body is not read, and a forge may cut it off. `cargo xtask diff --format markdown` has all.
const ROWS: usize = 50;

/// Lines of the text after its title, the version and two empty ones, of the ten that every reviewer reads.
const FIRST: usize = 6;

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
    let lists = lists(plan);
    if lists
        .iter()
        .map(|(_, lines)| lines.len() + 3)
        .sum::<usize>()
        > FIRST
    {
        summary(&lists, out)?;
    }
    for (title, lines) in &lists {
        list(title, lines, out)?;
    }
    write!(out, "\n{}", openapi_diff::bounded(&plan.report, ROWS))
}

/// Returns the lists that are not empty, by their weight for a reviewer.
fn lists(plan: &Plan) -> Vec<(&'static str, Vec<String>)> {
    let is_unchanged = [COMPILES, WIRE, NEW]
        .iter()
        .all(|title| changes(plan, title).is_empty());
    let reason = if is_unchanged {
        "Nothing changes for callers. These files follow the document:"
    } else {
        "Overrides that follow the document:"
    };
    let mut lists = vec![
        (COMPILES, changes(plan, COMPILES).to_vec()),
        (WIRE, changes(plan, WIRE).to_vec()),
        ("Assumed:", assumed(plan)),
        ("New operations:", plan.additions.operations.clone()),
        ("To decide:", plan.additions.doubtful.clone()),
        (NEW, changes(plan, NEW).to_vec()),
        (reason, followed(plan)),
        (
            "Only descriptions change:",
            plan.wording.clone().unwrap_or_default(),
        ),
    ];
    lists.retain(|(_, lines)| !lines.is_empty());
    lists
}

/// Writes the first line of each list: a reviewer may read no further.
fn summary(lists: &[(&str, Vec<String>)], out: &mut String) -> std::fmt::Result {
    writeln!(out)?;
    for (title, lines) in lists.iter().take(FIRST) {
        let first = lines.first().map_or("", String::as_str);
        match lines.len() {
            0 | 1 => writeln!(out, "- **{title}** {first}")?,
            number => writeln!(out, "- **{title}** {number}, such as: {first}")?,
        }
    }
    Ok(())
}

/// Writes a list with its title.
fn list(title: &str, lines: &[String], out: &mut String) -> std::fmt::Result {
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
