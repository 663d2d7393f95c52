//! The report for a pull request: a table per verdict, what is safe folded away.

use std::fmt::Write;

use super::attribution::{Entry, Report, Rust};
use super::text::count;
use crate::diff::verdicts::Wire;

/// The report as Markdown.
pub fn markdown(report: &Report) -> String {
    bounded(report, usize::MAX)
}

/// The report for a place with little room: of each list, so many rows.
pub fn bounded(report: &Report, rows: usize) -> String {
    let mut out = String::new();
    // Writing into a text does not fail.
    let _ = write_markdown(report, rows, &mut out);
    out
}

fn write_markdown(report: &Report, rows: usize, out: &mut String) -> std::fmt::Result {
    write!(out, "**Wire: {}**", report.wire)?;
    if report.rust != Rust::Unknown {
        write!(out, " · **Rust: {}**", report.rust)?;
    }
    writeln!(out, " · {} → {}", code(&report.old), code(&report.new))?;
    for wire in [Wire::Breaking, Wire::Risky, Wire::Safe] {
        let entries: Vec<&Entry> = report
            .changes
            .iter()
            .filter(|entry| entry.change.wire == wire)
            .collect();
        if entries.is_empty() {
            continue;
        }
        if wire == Wire::Safe {
            writeln!(
                out,
                "\n<details><summary>{}</summary>\n",
                count(entries.len(), "safe change")
            )?;
        } else {
            writeln!(
                out,
                "\n### {}\n",
                count(entries.len(), &format!("{wire} change"))
            )?;
        }
        writeln!(
            out,
            "| where | what | direction | Rust | rule |\n|---|---|---|---|---|"
        )?;
        for entry in entries.iter().take(rows) {
            let change = &entry.change;
            let reach = match change.operations.len() {
                0 | 1 => String::new(),
                number => format!(" (reaches {number} operations)"),
            };
            writeln!(
                out,
                "| {}{reach} | {} | {} | {} | {} |",
                code(&change.owner),
                cell(&change.message),
                change.direction,
                entry.rust,
                code(change.rule.id)
            )?;
        }
        more(entries.len(), rows, out)?;
        if wire == Wire::Safe {
            writeln!(out, "\n</details>")?;
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
