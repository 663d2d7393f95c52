//! The report for a pull request: a table per verdict, equal changes folded, what is safe folded away.

use std::fmt::Write;

use super::attribution::{Entry, Report, Rust};
use super::folded::fold;
use super::numbers::count;
use super::view::{operations, some};
use crate::diff::verdicts::Wire;

/// Bytes that a comment on GitHub may have, less some for what a workflow writes around the report.
const LONGEST: usize = 60_000;

/// Rows of each list, one after the other until the report is short enough.
const ROWS: [usize; 9] = [usize::MAX, 400, 200, 100, 50, 25, 10, 5, 1];

/// The report as Markdown, short enough for a comment on GitHub.
pub fn markdown(report: &Report) -> String {
    let texts = ROWS.into_iter().map(|rows| written(report, rows, true));
    let mut last = String::new();
    for text in texts {
        last = text;
        if last.len() <= LONGEST {
            break;
        }
    }
    last
}

/// The report for a place with little room: of each list, so many rows.
pub fn bounded(report: &Report, rows: usize) -> String {
    written(report, rows, false)
}

fn written(report: &Report, rows: usize, is_folded: bool) -> String {
    let mut out = String::new();
    // Writing into a text does not fail.
    let _ = write_markdown(report, rows, is_folded, &mut out);
    out
}

fn write_markdown(
    report: &Report,
    rows: usize,
    is_folded: bool,
    out: &mut String,
) -> std::fmt::Result {
    write!(out, "**Wire: {}**", report.wire)?;
    if report.rust != Rust::Unknown {
        write!(out, " · **Rust: {}**", report.rust)?;
    }
    writeln!(out, " · {} → {}", code(&report.old), code(&report.new))?;
    for wire in [Wire::Breaking, Wire::Risky, Wire::Safe] {
        let changes = report.changes.iter();
        let entries: Vec<&Entry> = changes.filter(|entry| entry.change.wire == wire).collect();
        if !entries.is_empty() {
            let (single, folded) = match is_folded {
                true => fold(&entries),
                false => (entries.clone(), Vec::new()),
            };
            let folded = folded.iter().filter_map(|group| {
                let first = group.entries.first()?;
                Some((*first, group.entries.len() - 1))
            });
            let single = single.into_iter().map(|entry| (entry, 0));
            let lines: Vec<(&Entry, usize)> = folded.chain(single).collect();
            write_table(report, wire, entries.len(), &lines, rows, out)?;
        }
    }
    if report.changes.is_empty() {
        writeln!(out, "\nNothing changes on the wire.")?;
    }
    if !report.unattributed.is_empty() {
        writeln!(out, "\n### Rust, by no change of the document\n")?;
        for difference in report.unattributed.iter().take(rows) {
            writeln!(out, "- {}: {}", difference.bump, cell(&difference.sentence))?;
        }
        more(report.unattributed.len(), rows, out)?;
    }
    let findings = report.findings.iter().chain(&report.warnings);
    let findings = findings.chain(&report.obstacles);
    for (index, finding) in findings.take(rows).enumerate() {
        if index == 0 {
            writeln!(out, "\n### Not understood\n")?;
        }
        writeln!(
            out,
            "- {} {}: {}",
            code(&finding.file),
            code(&finding.pointer),
            cell(&finding.message)
        )?;
    }
    let all = report.findings.len() + report.warnings.len() + report.obstacles.len();
    more(all, rows, out)
}

/// All changes with one verdict: lines, each with the number of others that it stands for.
fn write_table(
    report: &Report,
    wire: Wire,
    number: usize,
    lines: &[(&Entry, usize)],
    rows: usize,
    out: &mut String,
) -> std::fmt::Result {
    let heading = count(number, &format!("{wire} change"));
    match wire {
        Wire::Safe => writeln!(out, "\n<details><summary>{heading}</summary>\n")?,
        _ => writeln!(out, "\n### {heading}\n")?,
    }
    let has_rust = report.rust != Rust::Unknown;
    match has_rust {
        true => writeln!(
            out,
            "| where | what | direction | Rust | rule |\n|---|---|---|---|---|"
        )?,
        false => writeln!(
            out,
            "| where | what | direction | rule |\n|---|---|---|---|"
        )?,
    }
    for (entry, others) in lines.iter().take(rows) {
        let change = &entry.change;
        let names = operations(entry);
        let place = match (others, names.as_slice()) {
            (1.., _) => format!("{} and {others} more places", code(&change.owner)),
            (0, [name]) if *name == change.owner => code(&change.owner),
            (0, names) => format!("{} (reaches {})", code(&change.owner), cell(&some(names))),
        };
        let rust = match has_rust {
            true => format!(" {} |", entry.rust),
            false => String::new(),
        };
        writeln!(
            out,
            "| {place} | {} | {} |{rust} {} |",
            cell(&change.message),
            change.direction,
            code(change.rule.id)
        )?;
    }
    more(lines.len(), rows, out)?;
    if wire == Wire::Safe {
        writeln!(out, "\n</details>")?;
    }
    Ok(())
}

/// Says how many rows are left out.
fn more(all: usize, rows: usize, out: &mut String) -> std::fmt::Result {
    match all.saturating_sub(rows) {
        0 => Ok(()),
        left => writeln!(out, "\nand {left} more"),
    }
}

/// A text that may stand in a table. Only what is in backticks may hold anything that Markdown reads.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '`';
        match c {
            '\n' | '\r' => out.push(' '),
            '|' => out.push_str("\\|"),
            '<' if !quoted => out.push_str("&lt;"),
            c => out.push(c),
        }
    }
    out
}

fn code(text: &str) -> String {
    format!(
        "`{}`",
        text.replace('`', "'")
            .replace('|', "\\|")
            .replace(['\n', '\r'], " ")
    )
}
