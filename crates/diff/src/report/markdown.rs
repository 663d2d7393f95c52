//! The report for a pull request: one table per verdict, equal changes folded, safe changes collapsed.

use std::borrow::Cow;
use std::fmt::Write;

use openapi_document::finding;
use openapi_document::readable::{boundary, counted, line};

use super::attribution::{Entry, Report, Rust};
use super::folded::fold;
use super::groups::some;
use crate::callers::Bump;
use crate::verdicts::Wire;

/// Maximum size of a comment on GitHub in bytes, less some for what a workflow adds around the report.
const LONGEST: usize = 60_000;

/// Rows per list, tried in this order until the report is short enough.
const ROWS: [usize; 9] = [usize::MAX, 400, 200, 100, 50, 25, 10, 5, 1];

/// Maximum number of bytes of a string in a cell.
const CELL: usize = 600;

/// Returns the report as Markdown, short enough for a comment on GitHub.
pub fn markdown(report: &Report) -> String {
    let mut texts = ROWS.iter().map(|rows| written(report, *rows, false));
    let mut last = texts.next().unwrap_or_default();
    while last.len() > LONGEST
        && let Some(text) = texts.next()
    {
        last = text;
    }
    last
}

/// Returns a short report: this many rows of each list. Changes of documentation are counted only.
pub fn bounded(report: &Report, rows: usize) -> String {
    written(report, rows, true)
}

fn written(report: &Report, rows: usize, is_brief: bool) -> String {
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = write_markdown(report, rows, is_brief, &mut out);
    out
}

fn write_markdown(
    report: &Report,
    rows: usize,
    is_brief: bool,
    out: &mut String,
) -> std::fmt::Result {
    write!(out, "**Wire: {}**", report.wire)?;
    if report.rust != Rust::Unknown {
        write!(out, " · **Rust: {}**", report.rust)?;
    }
    writeln!(out, " · {} → {}", code(&report.old), code(&report.new))?;
    write_tables(report, rows, is_brief, out)?;
    if report.changes.is_empty() {
        writeln!(out, "\nNothing changes on the wire.")?;
    }
    let aside = report.changes.iter().filter(|entry| !entry.is_shown());
    match aside.count() {
        number if is_brief && number > 0 => writeln!(
            out,
            "\nBesides, {} of titles, descriptions and the like: `{}` lists them.",
            counted(number, "change"),
            openapi_document::program::command("diff")
        )?,
        _ => {}
    }
    write_besides(report, rows, is_brief, out)
}

/// Writes a table of the changes for each verdict.
fn write_tables(
    report: &Report,
    rows: usize,
    is_brief: bool,
    out: &mut String,
) -> std::fmt::Result {
    for wire in [Wire::Breaking, Wire::Risky, Wire::Safe] {
        let changes = report.changes.iter();
        let of_wire = changes.filter(|entry| entry.change.wire == wire);
        let entries: Vec<&Entry> = of_wire
            .filter(|entry| !is_brief || entry.is_shown())
            .collect();
        if !entries.is_empty() {
            let (mut single, mut folded) = fold(&entries);
            if is_brief {
                // Changes that are listed by their rule alone have names that matter to a reader.
                let alike = folded.iter().filter(|group| !group.is_same);
                single.extend(alike.flat_map(|group| &group.entries));
                folded.retain(|group| group.is_same);
            }
            let folded = folded.iter().filter_map(|group| {
                let first = group.entries.first()?;
                Some((*first, group.entries.len() - 1))
            });
            let single = single.into_iter().map(|entry| (entry, 0));
            let lines: Vec<(&Entry, usize)> = folded.chain(single).collect();
            write_table(report, wire, entries.len(), &lines, rows, out)?;
        }
    }
    Ok(())
}

/// Writes everything other than changes of the document.
fn write_besides(
    report: &Report,
    rows: usize,
    is_brief: bool,
    out: &mut String,
) -> std::fmt::Result {
    let unattributed = report.unattributed.iter();
    let unattributed: Vec<_> = unattributed
        .filter(|one| !is_brief || one.bump > Bump::Patch)
        .collect();
    if !unattributed.is_empty() {
        writeln!(out, "\n### Other Rust changes\n")?;
        for difference in unattributed.iter().take(rows) {
            writeln!(out, "- {}: {}", difference.bump, cell(&difference.sentence))?;
        }
        more(unattributed.len(), rows, out)?;
    }
    let findings = report.findings.iter().chain(&report.warnings);
    let findings = findings.chain(&report.obstacles);
    let all = finding::count(findings.clone());
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
    more(all, rows, out)
}

/// Writes all changes with one verdict: lines, each with the number of other changes that it represents.
fn write_table(
    report: &Report,
    wire: Wire,
    number: usize,
    lines: &[(&Entry, usize)],
    rows: usize,
    out: &mut String,
) -> std::fmt::Result {
    let heading = counted(number, &format!("{wire} change"));
    match wire {
        Wire::Safe => writeln!(out, "\n<details><summary>{heading}</summary>\n")?,
        _ => writeln!(out, "\n### {heading}\n")?,
    }
    let has_rust = report.rust != Rust::Unknown;
    if has_rust {
        writeln!(
            out,
            "| where | what | direction | Rust | rule |\n|---|---|---|---|---|"
        )?;
    } else {
        writeln!(
            out,
            "| where | what | direction | rule |\n|---|---|---|---|"
        )?;
    }
    for (entry, others) in lines.iter().take(rows) {
        let change = &entry.change;
        let owner = code(&change.owner);
        let names = some(&change.operations);
        let place = match others {
            1.. => format!("{owner} and {others} more places"),
            0 if names.is_empty() || names == change.owner => owner,
            0 => format!("{owner} (reaches {})", cell(&names)),
        };
        let rust = if has_rust {
            format!(" {} |", entry.rust)
        } else {
            String::new()
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

/// Writes the number of omitted rows.
fn more(all: usize, rows: usize, out: &mut String) -> std::fmt::Result {
    match all.saturating_sub(rows) {
        0 => Ok(()),
        left => writeln!(out, "\nand {left} more"),
    }
}

/// Escapes a string for a table. Markdown syntax may occur in backticks only.
fn cell(text: &str) -> String {
    let text = line(&cut(text));
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '`';
        match c {
            '|' => out.push_str("\\|"),
            '<' if !quoted => out.push_str("&lt;"),
            c => out.push(c),
        }
    }
    if quoted && text.ends_with('…') {
        out.push('`');
    }
    out
}

fn code(text: &str) -> String {
    let text = cut(text).replace('`', "'");
    format!("`{}`", line(&text.replace('|', "\\|")))
}

/// Truncates a string to what a cell holds.
fn cut(text: &str) -> Cow<'_, str> {
    match text.get(..boundary(text, CELL)) {
        Some(start) if start.len() < text.len() => Cow::Owned(format!("{start}…")),
        _ => Cow::Borrowed(text),
    }
}
