//! The report for people at a terminal: the worst first; changes of documentation and extensions are only counted.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use openapi_document::finding;
use openapi_document::readable::line;

use super::attribution::{Entry, Report, Rust};
use super::folded::{Folded, fold};
use super::numbers::{count, numbers};
use super::view::{View, sentence, some};
use crate::verdicts::{Direction, Place, Wire};

/// Number of warnings shown.
const WARNINGS: usize = 6;

/// Returns the report for a terminal, with colour codes if `colour` is true. Equal changes are folded unless `is_expanded` is true.
pub fn text(report: &Report, view: View, colour: bool, is_expanded: bool) -> String {
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = write_text(report, view, colour, is_expanded, &mut out);
    out
}

fn write_text(
    report: &Report,
    view: View,
    colour: bool,
    is_expanded: bool,
    out: &mut String,
) -> std::fmt::Result {
    let paint = |style: Style| if colour { style } else { Style::new() };
    let bold = paint(Style::new().bold());
    let counted = write_changes(report, view, colour, is_expanded, out)?;
    if !report.unattributed.is_empty() {
        writeln!(
            out,
            "\n{bold}Rust changes without a change of the document{bold:#}"
        )?;
        for difference in &report.unattributed {
            writeln!(
                out,
                "  {:<8}  {}",
                difference.bump,
                line(&difference.sentence)
            )?;
        }
    }
    let most = if is_expanded { usize::MAX } else { WARNINGS };
    let obstacles = report.obstacles.iter().take(most);
    let warnings = report.warnings.iter().take(most);
    for finding in report.findings.iter().chain(obstacles).chain(warnings) {
        writeln!(out, "\n{finding}")?;
    }
    let left = finding::count(report.warnings.iter().skip(most));
    if left > 0 {
        let left = count(left, "more warning");
        writeln!(out, "\nwarning: {left}, which `--expand` lists")?;
    }
    if !out.is_empty() {
        writeln!(out)?;
    }
    write_summary(report, counted, out)
}

/// Writes the changes by the groups of a view. Returns how many are only counted.
fn write_changes(
    report: &Report,
    view: View,
    colour: bool,
    is_expanded: bool,
    out: &mut String,
) -> Result<usize, std::fmt::Error> {
    let paint = |style: Style| if colour { style } else { Style::new() };
    let bold = paint(Style::new().bold());
    let (shown, counted): (Vec<&Entry>, Vec<&Entry>) =
        report.changes.iter().partition(|entry| entry.is_shown());
    let (single, folded) = if is_expanded {
        (shown, Vec::new())
    } else {
        fold(&shown)
    };
    for group in &folded {
        write_group(report, group, &paint, out)?;
    }
    for (index, group) in view.groups(&single).into_iter().enumerate() {
        if index > 0 || !folded.is_empty() {
            writeln!(out)?;
        }
        let heading = &group.heading;
        writeln!(out, "{bold}{}{bold:#}", line(heading))?;
        for entry in group.entries {
            let message = sentence(entry, heading);
            write_entry(report, entry, heading, &message, &paint, out)?;
        }
    }
    Ok(counted.len())
}

/// Returns the worst verdict, and the number of changes with each.
fn verdict(report: &Report) -> String {
    match numbers(report) {
        numbers if numbers.is_empty() => "nothing changes on the wire".to_owned(),
        numbers => format!("{}: {numbers}", report.wire),
    }
}

/// Writes the last lines: counted changes, and the verdicts.
fn write_summary(report: &Report, counted: usize, out: &mut String) -> std::fmt::Result {
    if counted > 0 {
        writeln!(
            out,
            "{:>12} {} without effect, in documentation or extensions, not listed",
            "Changed",
            count(counted, "place")
        )?;
    }
    writeln!(out, "{:>12} {}", "Wire", verdict(report))?;
    match report.obstacles.as_slice() {
        [] if report.rust == Rust::Unknown => {}
        [] => writeln!(out, "{:>12} {}", "Rust", report.rust)?,
        [first, others @ ..] => {
            let more = match others.len() {
                0 => String::new(),
                number => format!("; {} more", count(number, "finding")),
            };
            let (file, pointer) = (&first.file, &first.pointer);
            let unknown = format!("{} ({file}#{pointer}{more})", first.message);
            writeln!(out, "{:>12} unknown: {}", "Rust", line(&unknown))?;
        }
    }
    Ok(())
}

fn write_entry(
    report: &Report,
    entry: &Entry,
    heading: &str,
    message: &str,
    paint: &impl Fn(Style) -> Style,
    out: &mut String,
) -> std::fmt::Result {
    let change = &entry.change;
    let style = paint(match change.wire {
        Wire::Breaking => AnsiColor::Red.on_default().bold(),
        Wire::Risky => AnsiColor::Yellow.on_default(),
        Wire::Safe | Wire::None => AnsiColor::Green.on_default(),
    });
    write!(out, "  {style}{:<8}{style:#}  ", change.wire)?;
    if report.rust != Rust::Unknown {
        write!(out, "{:<5}  ", entry.rust)?;
    }
    write!(out, "{}", line(message))?;
    match change.direction {
        Direction::Request => write!(out, " (request)")?,
        Direction::Response => write!(out, " (response)")?,
        Direction::Both | Direction::None => {}
    }
    writeln!(out)?;
    let faint = paint(Style::new().dimmed());
    write!(out, "            {faint}{}", change.rule.id)?;
    if let Some(places) = places(report, change.old.as_ref(), change.new.as_ref()) {
        write!(out, " · {}", line(&places))?;
    }
    writeln!(out, "{faint:#}")?;
    let others = some(&change.operations);
    if !others.is_empty() && others != heading && others != change.owner {
        writeln!(out, "            {faint}reaches {}{faint:#}", line(&others))?;
    }
    Ok(())
}

/// Writes several changes as one: their number, and the first of them.
fn write_group(
    report: &Report,
    group: &Folded<'_>,
    paint: &impl Fn(Style) -> Style,
    out: &mut String,
) -> std::fmt::Result {
    let Some(first) = group.entries.first() else {
        return Ok(());
    };
    let bold = paint(Style::new().bold());
    if !out.is_empty() {
        writeln!(out)?;
    }
    writeln!(
        out,
        "{bold}{} changes of one {}, in {}{bold:#}",
        group.entries.len(),
        if group.is_same { "kind" } else { "rule" },
        count(group.owners(), "component or operation")
            .replace("component or operations", "components and operations")
    )?;
    let owner = &first.change.owner;
    let message = format!("{owner}: {}", first.change.message);
    write_entry(report, first, owner, &message, paint, out)?;
    let left = group.entries.len() - 1;
    writeln!(out, "            and {left} more, which `--expand` lists")
}

fn places(report: &Report, old: Option<&Place>, new: Option<&Place>) -> Option<String> {
    let at = |name: &str, place: &Place| {
        let file = place.file.as_deref().unwrap_or(name);
        format!("{file}:{}:{}", place.line, place.column)
    };
    match (old, new) {
        (Some(old), Some(new)) => Some(format!(
            "{} → {}",
            at(&report.old, old),
            at(&report.new, new)
        )),
        (Some(old), None) => Some(at(&report.old, old)),
        (None, Some(new)) => Some(at(&report.new, new)),
        (None, None) => None,
    }
}
