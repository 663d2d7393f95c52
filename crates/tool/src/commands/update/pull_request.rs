//! The body of an update's pull request. Its first ten lines are all that many reviewers read: what breaks callers, what was assumed, what is
//! new, what was kept, and the questions.

use std::fmt::Write;

use openapi_overrides::{Assumption, Reason, Retired};

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
        None if says_the_same(plan) => writeln!(
            out,
            "The package stays at {}. The document says the same in another form: only the files that contain it change.",
            version.from
        )?,
        None => writeln!(out, "The package stays at {}.", version.from)?,
        Some(_) => writeln!(out, "The package goes from {version}.")?,
    }
    writeln!(out)?;
    let lists = weighty(plan);
    for List { title, lines, sum } in &lists {
        match lines.as_slice() {
            [] => writeln!(out, "- **{title}** nothing")?,
            [only] => writeln!(out, "- **{title}** {only}")?,
            all => writeln!(out, "- **{title}** {}{sum}", all.len())?,
        }
    }
    for List { title, lines, .. } in lists.iter().filter(|list| list.lines.len() > 1) {
        list(title, lines, out)?;
    }
    for (title, lines) in [
        ("Overrides that follow the document:", followed(plan)),
        (
            "Only descriptions change:",
            plan.wording.clone().unwrap_or_default(),
        ),
    ] {
        if !lines.is_empty() {
            list(title, &lines, out)?;
        }
    }
    if !plan.moved.is_empty() {
        writeln!(out, "\nApart from the paths that moved:")?;
    }
    write!(out, "\n{}", openapi_diff::bounded(&plan.report, ROWS))
}

/// Returns whether neither the document nor an override has anything new to say.
fn says_the_same(plan: &Plan) -> bool {
    plan.report.changes.is_empty() && followed(plan).is_empty()
}

/// A list of the first ten lines.
struct List {
    title: &'static str,
    lines: Vec<String>,
    /// What follows the number of several lines.
    sum: String,
}

impl List {
    /// A list that is summed up by its first line.
    fn new(title: &'static str, lines: Vec<String>) -> Self {
        let first = lines.first();
        let sum = first.map(|first| format!(", such as: {first}"));
        Self {
            title,
            lines,
            sum: sum.unwrap_or_default(),
        }
    }
}

/// Returns the lists of the first ten lines, in the order of their weight.
fn weighty(plan: &Plan) -> [List; 6] {
    let operations = plan.additions.operations.iter();
    let new = operations.chain(changes(plan, NEW)).cloned();
    let assumptions = assumptions(plan);
    let mut parts: Vec<&str> = assumptions.iter().map(|one| one.what.as_str()).collect();
    parts.dedup();
    let assumed = List {
        title: "Assumed:",
        sum: format!(": {}", parts.join("; ")),
        lines: assumptions.into_iter().map(|one| one.line).collect(),
    };
    [
        List::new(COMPILES, changes(plan, COMPILES).to_vec()),
        List::new(WIRE, changes(plan, WIRE).to_vec()),
        assumed,
        List::new(NEW, new.collect()),
        List::new("Kept:", plan.rebase.preserved()),
        List::new("Questions:", plan.additions.unpriced.clone()),
    ]
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
fn assumptions(plan: &Plan) -> Vec<Assumption> {
    let uncharged = plan.uncharged.iter().map(|line| Assumption {
        what: "charges that are no longer read".to_owned(),
        line: line.clone(),
    });
    let mut all: Vec<Assumption> = uncharged.collect();
    all.extend(plan.rebase.assumptions());
    for one in &plan.additions.paged {
        let line = format!("{one}, as the document alone suggests: no override has it");
        let what = "how new operations page".to_owned();
        all.push(Assumption { what, line });
    }
    all
}

/// Lists what changed in overrides, and why.
fn followed(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    let mut lacking = Vec::new();
    for Retired { by, reason } in &plan.rebase.retired {
        match reason {
            Reason::Said => lines.push(format!(
                "`{}` is gone, because {reason}: {}",
                by.source.path, by.overlay.title
            )),
            Reason::Lacking => lacking.push(by.id.as_str()),
        }
    }
    if !lacking.is_empty() {
        lines.push(format!(
            "these are gone, because the document no longer has or uses what they are about: {}",
            lacking.join(", ")
        ));
    }
    lines.extend(plan.rebase.changed());
    lines
}
