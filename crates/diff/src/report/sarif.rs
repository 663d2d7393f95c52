//! The report as static analysis results, SARIF 2.1.0: one result for each change, with the rules of the changes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::attribution::{Entry, Report};
use super::locations::{file, shown};
use super::reaches::Reaches;
use crate::verdicts::{Place, Rule, Wire};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Name of the tool, whatever command runs it.
const TOOL: &str = "openapi-diff";

/// Bytes that need no encoding in a URI, besides letters and digits.
const PLAIN: &[u8] = b"-._~/";

/// Returns the report as SARIF, with a line feed at its end.
///
/// # Errors
///
/// Cannot happen: everything in a report can be written as JSON.
pub fn sarif(report: &Report) -> serde_json::Result<String> {
    let rules: BTreeMap<&str, &Rule> = (report.changes.iter())
        .map(|entry| (entry.change.rule.id, entry.change.rule))
        .collect();
    let described: Vec<Value> = (rules.values())
        .map(|rule| json!({"id": rule.id, "shortDescription": {"text": rule.reason}}))
        .collect();
    let reaches = Reaches::of(report);
    let changes = report.changes.iter();
    let results: Vec<Value> = changes
        .map(|entry| result(report, entry, &reaches))
        .collect();
    let notifications: Vec<Value> = (report.findings.iter())
        .map(|finding| {
            json!({
                "level": "error",
                "descriptor": {"id": finding.rule},
                "message": {"text": format!("{}; {}", finding.message, finding.help)},
                "locations": [location(file(report, &finding.file), None, &finding.pointer)],
            })
        })
        .collect();
    let invocation = json!({
        "executionSuccessful": report.findings.is_empty(),
        "toolExecutionNotifications": notifications,
    });
    let properties = json!({"operations": reaches.operations, "reaches": reaches.lists});
    let sarif = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": TOOL,
                "version": env!("CARGO_PKG_VERSION"),
                "rules": described,
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": results,
            "properties": properties,
        }],
    });
    Ok(serde_json::to_string_pretty(&sarif)? + "\n")
}

fn result(report: &Report, entry: &Entry, reaches: &Reaches<'_>) -> Value {
    let change = &entry.change;
    let level = match change.wire {
        Wire::Breaking => "error",
        Wire::Risky => "warning",
        Wire::Safe | Wire::None => "note",
    };
    let locations: Vec<Value> = shown(report, entry)
        .map(|(file, place)| location(file, Some(place), &place.pointer))
        .into_iter()
        .collect();
    json!({
        "ruleId": change.rule.id,
        "level": level,
        "message": {"text": format!("{}: {}", change.owner, change.message)},
        "locations": locations,
        "properties": {
            "wire": change.wire,
            "rust": entry.rust,
            "direction": change.direction,
            "reaches": reaches.list(entry),
            "reached": change.operations.len(),
        },
    })
}

/// Returns a location in a file, with its line and column if known.
fn location(file: &str, at: Option<&Place>, pointer: &str) -> Value {
    let mut physical = Map::new();
    physical.insert("artifactLocation".to_owned(), json!({"uri": uri(file)}));
    if let Some(at) = at.filter(|at| at.line > 0) {
        let region = json!({"startLine": at.line, "startColumn": at.column});
        physical.insert("region".to_owned(), region);
    }
    json!({
        "physicalLocation": physical,
        "logicalLocations": [{"fullyQualifiedName": pointer}],
    })
}

fn uri(file: &str) -> String {
    let mut out = String::new();
    for byte in file.bytes() {
        match byte {
            byte if byte.is_ascii_alphanumeric() || PLAIN.contains(&byte) => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
