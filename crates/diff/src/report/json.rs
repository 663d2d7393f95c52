//! The report for programs; `report.schema.json` beside this file describes it.
//! Written directly to a string.

use openapi_document::finding::Finding;
use serde::Serialize;

use super::attribution::{Entry, Report, Rust};
use super::reaches::Reaches;
use crate::callers::Difference;
use crate::verdicts::{Direction, Place, Wire};

/// The JSON Schema of the report.
pub const SCHEMA: &str = include_str!("report.schema.json");

#[derive(Serialize)]
struct Json<'r> {
    old: &'r str,
    new: &'r str,
    wire: Wire,
    rust: Rust,
    operations: &'r [&'r str],
    reaches: &'r [Vec<(usize, usize)>],
    changes: Vec<Change<'r>>,
    unattributed: &'r [Difference],
    findings: &'r [Finding],
    warnings: &'r [Finding],
    obstacles: &'r [Finding],
}

#[derive(Serialize)]
struct Change<'r> {
    id: &'r str,
    wire: Wire,
    rust: Rust,
    direction: Direction,
    owner: &'r str,
    reaches: usize,
    reached: usize,
    message: &'r str,
    reason: &'r str,
    old: Option<&'r Place>,
    new: Option<&'r Place>,
}

/// Returns the report as JSON, with a line feed at its end.
///
/// # Errors
///
/// Cannot happen: everything in a report can be written as JSON.
pub fn json(report: &Report) -> serde_json::Result<String> {
    let reaches = Reaches::of(report);
    let json = Json {
        old: &report.old,
        new: &report.new,
        wire: report.wire,
        rust: report.rust,
        operations: &reaches.operations,
        reaches: &reaches.lists,
        changes: (report.changes.iter())
            .map(|entry| change(entry, &reaches))
            .collect(),
        unattributed: &report.unattributed,
        findings: &report.findings,
        warnings: &report.warnings,
        obstacles: &report.obstacles,
    };
    Ok(serde_json::to_string_pretty(&json)? + "\n")
}

fn change<'r>(entry: &'r Entry, reaches: &Reaches<'_>) -> Change<'r> {
    let change = &entry.change;
    Change {
        id: change.rule.id,
        wire: change.wire,
        rust: entry.rust,
        direction: change.direction,
        owner: &change.owner,
        reaches: reaches.list(entry),
        reached: change.operations.len(),
        message: &change.message,
        reason: change.rule.reason,
        old: change.old.as_ref(),
        new: change.new.as_ref(),
    }
}
