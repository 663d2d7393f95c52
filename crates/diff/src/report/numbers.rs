//! A report as counts, on one line.

use openapi_document::finding;
use openapi_document::readable::line;

use super::attribution::{Report, Rust};
use crate::verdicts::Wire;

/// Returns the verdicts, the number of changes with each, and the first finding.
pub fn summary(report: &Report) -> String {
    let rust = match report.rust {
        Rust::Unknown if report.obstacles.is_empty() => String::new(),
        rust => format!("; Rust {rust}"),
    };
    let findings = match report.findings.as_slice() {
        [] => String::new(),
        [first, ..] => line(&format!(
            "; {}: {} {}: {}",
            count(finding::count(&report.findings), "finding"),
            first.file,
            first.pointer,
            first.message
        )),
    };
    match numbers(report) {
        numbers if numbers.is_empty() => {
            format!("nothing changes on the wire{rust}{findings}\n")
        }
        numbers => format!("{}: {numbers}{rust}{findings}\n", report.wire),
    }
}

/// Returns the number of changes with each verdict, the worst first.
pub(super) fn numbers(report: &Report) -> String {
    let of = |wire: Wire| {
        let changes = report.changes.iter();
        changes.filter(|entry| entry.change.wire == wire).count()
    };
    let numbers: Vec<String> = [Wire::Breaking, Wire::Risky, Wire::Safe]
        .into_iter()
        .map(|wire| (wire, of(wire)))
        .filter(|(_, number)| *number > 0)
        .map(|(wire, number)| format!("{number} {wire}"))
        .collect();
    numbers.join(", ")
}

/// Returns a number with its unit, in the plural if needed.
pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else {
        format!("{number} {what}s")
    }
}
