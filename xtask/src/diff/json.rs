//! The report for programs; `report.schema.json` beside this file says what it looks like.

use serde_json::{Value, json};

use super::report::Report;

/// The report as JSON.
pub fn json(report: &Report) -> Value {
    let changes: Vec<Value> = report
        .changes
        .iter()
        .map(|entry| {
            let change = &entry.change;
            json!({
                "id": change.rule.id,
                "wire": change.wire,
                "rust": entry.rust,
                "direction": change.direction,
                "owner": change.owner,
                "operations": change.operations,
                "message": change.message,
                "reason": change.rule.reason,
                "old": change.old,
                "new": change.new,
            })
        })
        .collect();
    let unattributed: Vec<Value> = report
        .unattributed
        .iter()
        .map(|difference| {
            json!({
                "rust": difference.bump,
                "message": difference.sentence,
                "old": difference.old,
                "new": difference.new,
            })
        })
        .collect();
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            json!({
                "rule": finding.rule,
                "file": finding.file,
                "pointer": finding.pointer,
                "message": finding.message,
                "help": finding.help,
            })
        })
        .collect();
    json!({
        "old": report.old,
        "new": report.new,
        "wire": report.wire,
        "rust": report.rust,
        "changes": changes,
        "unattributed": unattributed,
        "findings": findings,
    })
}
