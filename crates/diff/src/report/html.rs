//! The report as one page for a browser, without scripts: only breaking changes are expanded, and everything is printed.

use std::fmt::Write;

use super::attribution::{Entry, Report, Rust};
use super::folded::fold;
use super::markup::{escaped, shown};
use super::numbers::{count, summary};
use super::view::{View, sentence, some, worst};
use crate::verdicts::Wire;

const STYLE: &str = include_str!("html.css");

/// Returns the report as HTML.
pub fn html(report: &Report, view: View) -> String {
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = write_html(report, view, &mut out);
    out
}

fn write_html(report: &Report, view: View, out: &mut String) -> std::fmt::Result {
    let title = escaped(&format!("{} → {}", report.old, report.new));
    let sum = escaped(summary(report).trim_end());
    writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n\
         <h1>{title}</h1>\n<p class=\"sum {wire}\">{sum}</p>",
        wire = report.wire,
    )?;
    let (shown, others): (Vec<&Entry>, Vec<&Entry>) =
        report.changes.iter().partition(|entry| entry.is_shown());
    let (single, folded) = fold(&shown);
    for group in &folded {
        let first = group.entries.first().map(|entry| sentence(entry, ""));
        let kind = if group.is_same { "kind" } else { "rule" };
        let heading = format!(
            "{} changes of one {kind}: {}",
            group.entries.len(),
            first.unwrap_or_default()
        );
        write_group(report, &heading, &group.entries, false, out)?;
    }
    for group in view.groups(&single) {
        let is_open = worst(&group.entries) == Wire::Breaking;
        write_group(report, &group.heading, &group.entries, is_open, out)?;
    }
    if !others.is_empty() {
        let heading = count(others.len(), "place");
        let heading = format!("{heading} without effect, in documentation or extensions");
        write_group(report, &heading, &others, false, out)?;
    }
    if !report.waived.is_empty() {
        let heading = count(report.waived.len(), "waived change");
        writeln!(out, "<details><summary>{heading}</summary>\n<ul>")?;
        for waived in &report.waived {
            let change = &waived.entry.change;
            let text = escaped(&sentence(&waived.entry, ""));
            let (wire, reason) = (change.wire, escaped(&waived.reason));
            let rule = change.rule.id;
            writeln!(
                out,
                "<li><b>{wire}</b> {text}<small>{rule} · {reason}</small></li>"
            )?;
        }
        writeln!(out, "</ul></details>")?;
    }
    if !report.unattributed.is_empty() {
        writeln!(
            out,
            "<details><summary>Rust changes without a change of the document</summary>\n<ul>"
        )?;
        for difference in &report.unattributed {
            let text = escaped(&difference.sentence);
            writeln!(out, "<li><b>{}</b> {text}</li>", difference.bump)?;
        }
        writeln!(out, "</ul></details>")?;
    }
    let findings = report.findings.iter().chain(&report.obstacles);
    for finding in findings.chain(&report.warnings) {
        writeln!(out, "<pre>{}</pre>", escaped(&finding.to_string()))?;
    }
    Ok(())
}

fn write_group(
    report: &Report,
    heading: &str,
    entries: &[&Entry],
    is_open: bool,
    out: &mut String,
) -> std::fmt::Result {
    let open = if is_open { " open" } else { "" };
    let wire = worst(entries);
    writeln!(
        out,
        "<details{open}><summary><b class=\"{wire}\">{wire}</b> {}</summary>\n<ul>",
        escaped(heading)
    )?;
    for entry in entries {
        let change = &entry.change;
        write!(
            out,
            "<li><b class=\"{wire}\">{wire}</b> ",
            wire = change.wire
        )?;
        if report.rust != Rust::Unknown {
            write!(out, "<i>{}</i> ", entry.rust)?;
        }
        write!(out, "{}", escaped(&sentence(entry, heading)))?;
        write!(out, "<small>{} · {}", change.rule.id, change.direction)?;
        if let Some((file, place)) = shown(report, entry) {
            let at = format!("{file}:{}:{}", place.line, place.column);
            write!(out, " · {}", escaped(&at))?;
        }
        let names = some(&change.operations);
        if !names.is_empty() && names != heading {
            write!(out, " · reaches {}", escaped(&names))?;
        }
        writeln!(out, "</small></li>")?;
    }
    writeln!(out, "</ul></details>")
}
