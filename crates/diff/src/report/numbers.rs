//! A report as counts.

use super::attribution::Report;
use crate::verdicts::Wire;

/// Returns the number of changes with each verdict, the worst first.
pub(super) fn numbers(report: &Report) -> String {
    let mut numbers = Vec::new();
    for wire in [Wire::Breaking, Wire::Risky, Wire::Safe] {
        let changes = report.changes.iter();
        let number = changes.filter(|entry| entry.change.wire == wire).count();
        if number > 0 {
            numbers.push(format!("{number} {wire}"));
        }
    }
    numbers.join(", ")
}
