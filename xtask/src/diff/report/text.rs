//! The report for people at a terminal: by owner, the worst first; changes of documentation and extensions are only counted.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use super::attribution::{Entry, Report, Rust};
use super::folded::{Folded, fold};
use crate::diff::verdicts::{Direction, Place, Wire};

/// So many warnings are shown.
const WARNINGS: usize = 6;

/// So many operations are named.
const NAMED: usize = 3;

/// The report as text. With `colour`, with the codes that a terminal turns into colours. Unless it is expanded, equal changes are one.
pub fn text(report: &Report, colour: bool, is_expanded: bool) -> String {
    let mut out = String::new();
    // Writing into a text does not fail.
    let _ = write_text(report, colour, is_expanded, &mut out);
    out
}

fn write_text(
    report: &Report,
    colour: bool,
    is_expanded: bool,
    out: &mut String,
) -> std::fmt::Result {
    let paint = |style: Style| if colour { style } else { Style::new() };
    let bold = paint(Style::new().bold());
    let (shown, counted): (Vec<&Entry>, Vec<&Entry>) = report.changes.iter().partition(|entry| {
        // A change of documentation that breaks a caller's build is worth a line.
        entry.rust > Rust::Patch && entry.rust != Rust::Unknown
            || !matches!(
                entry.change.rule.id,
                "docs.changed" | "extension.changed" | "no-effect"
            )
    });
    let (single, folded) = match is_expanded {
        true => (shown, Vec::new()),
        false => fold(&shown),
    };
    for group in &folded {
        write_group(report, group, &paint, out)?;
    }
    for (index, (owner, entries)) in by_owner(&single).into_iter().enumerate() {
        if index > 0 || !folded.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "{bold}{owner}{bold:#}")?;
        for entry in entries {
            write_entry(report, entry, owner, &entry.change.message, &paint, out)?;
        }
    }
    if !report.unattributed.is_empty() {
        writeln!(out, "\n{bold}Rust, by no change of the document{bold:#}")?;
        for difference in &report.unattributed {
            writeln!(out, "  {:<8}  {}", difference.bump, difference.sentence)?;
        }
    }
    let most = if is_expanded { usize::MAX } else { WARNINGS };
    let warnings = report.warnings.iter().take(most);
    for finding in report.findings.iter().chain(warnings) {
        writeln!(out, "\n{finding}")?;
    }
    let left = report.warnings.len().saturating_sub(most);
    if left > 0 {
        let left = count(left, "more warning");
        writeln!(out, "\nwarning: {left}, which `--expand` lists")?;
    }
    if !out.is_empty() {
        writeln!(out)?;
    }
    if !counted.is_empty() {
        writeln!(
            out,
            "{:>12} {} without effect, in documentation or extensions, not listed",
            "Changed",
            count(counted.len(), "place")
        )?;
    }
    let of = |wire: Wire| {
        report
            .changes
            .iter()
            .filter(|entry| entry.change.wire == wire)
            .count()
    };
    let numbers: Vec<String> = [Wire::Breaking, Wire::Risky, Wire::Safe]
        .into_iter()
        .map(|wire| (wire, of(wire)))
        .filter(|(_, number)| *number > 0)
        .map(|(wire, number)| format!("{number} {wire}"))
        .collect();
    if numbers.is_empty() {
        writeln!(out, "{:>12} nothing changes on the wire", "Wire")?;
    } else {
        writeln!(
            out,
            "{:>12} {}: {}",
            "Wire",
            report.wire,
            numbers.join(", ")
        )?;
    }
    match report.obstacles.as_slice() {
        [] if report.rust == Rust::Unknown => {}
        [] => writeln!(out, "{:>12} {}", "Rust", report.rust)?,
        [first, others @ ..] => {
            let more = match others.len() {
                0 => String::new(),
                number => format!("; {} more", count(number, "finding")),
            };
            let (file, pointer) = (&first.file, &first.pointer);
            writeln!(
                out,
                "{:>12} unknown: {} ({file}#{pointer}{more})",
                "Rust", first.message
            )?;
        }
    }
    Ok(())
}

fn write_entry(
    report: &Report,
    entry: &Entry,
    owner: &str,
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
    write!(out, "{message}")?;
    match change.direction {
        Direction::Request => write!(out, " (request)")?,
        Direction::Response => write!(out, " (response)")?,
        Direction::Both | Direction::None => {}
    }
    writeln!(out)?;
    let faint = paint(Style::new().dimmed());
    write!(out, "            {faint}{}", change.rule.id)?;
    if let Some(places) = places(report, change.old.as_ref(), change.new.as_ref()) {
        write!(out, " · {places}")?;
    }
    writeln!(out, "{faint:#}")?;
    let others: Vec<&str> = change
        .operations
        .iter()
        .map(|name| &**name)
        .filter(|name| *name != owner)
        .collect();
    if !others.is_empty() {
        writeln!(out, "            {faint}reaches {}{faint:#}", some(&others))?;
    }
    Ok(())
}

/// Several changes as one: how many, and the first of them.
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

/// Entries by owner, in the order of each owner's worst.
fn by_owner<'e>(entries: &[&'e Entry]) -> Vec<(&'e str, Vec<&'e Entry>)> {
    let mut groups: Vec<(&str, Vec<&Entry>)> = Vec::new();
    let mut index: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    for entry in entries {
        let owner = entry.change.owner.as_str();
        let at = *index.entry(owner).or_insert_with(|| {
            groups.push((owner, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, group)) = groups.get_mut(at) {
            group.push(entry);
        }
    }
    groups
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

fn some(names: &[&str]) -> String {
    match names.get(..NAMED) {
        Some(first) if names.len() > NAMED + 1 => {
            format!("{} and {} more", first.join(", "), names.len() - NAMED)
        }
        _ => names.join(", "),
    }
}

pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else {
        format!("{number} {what}s")
    }
}
