//! A report as counts.

use super::attribution::Report;
use crate::verdicts::Wire;

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
