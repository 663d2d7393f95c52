//! The report as a changelog entry: a list for each verdict, each sentence once.

use std::collections::BTreeSet;

use openapi_document::readable;

use super::attribution::{Entry, Report};
use super::view::sentence;
use crate::verdicts::{Part, Wire};

/// Returns the entry as Markdown, with a line feed at its end.
pub fn entry(report: &Report) -> String {
    let mut lists = Vec::new();
    for (wire, heading) in [
        (Wire::Breaking, "Breaking"),
        (Wire::Risky, "May break"),
        (Wire::Safe, "Compatible"),
    ] {
        // The entry is inserted below the heading of a version.
        let is_listed =
            |entry: &&Entry| entry.is_shown() && entry.change.rule.part != Part::Version;
        let changes = report.changes.iter().filter(is_listed);
        let of_verdict = changes.filter(|entry| entry.change.wire == wire);
        let mut seen = BTreeSet::new();
        let lines: Vec<String> = of_verdict
            .map(line)
            .filter(|line| seen.insert(line.clone()))
            .collect();
        if !lines.is_empty() {
            lists.push(format!("{heading}:\n\n{}", lines.concat()));
        }
    }
    for finding in &report.findings {
        let finding = format!("- {}: {}", finding.pointer, finding.message);
        lists.push(readable::line(&finding) + "\n");
    }
    if lists.is_empty() {
        "Nothing changes on the wire.\n".to_owned()
    } else {
        lists.join("\n")
    }
}

fn line(entry: &Entry) -> String {
    format!("- {}\n", readable::line(&sentence(entry, "")))
}
