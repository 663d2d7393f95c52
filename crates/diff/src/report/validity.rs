//! Findings of single documents: for people, for programs, for code scanning, and as annotations of a workflow.

use openapi_document::finding::{self, DocumentError, Finding, Severity};
use openapi_document::readable::line;
use serde::Serialize;
use serde_json::{Value, json};

use super::annotations::annotated;
use super::numbers::count;
use super::sarif::{location, written};

/// A document with its findings.
#[derive(Clone, Debug, Serialize)]
pub struct Validity {
    /// Name of the document.
    pub document: String,
    /// True if the document has no error.
    pub valid: bool,
    /// Errors and ambiguities.
    pub findings: Vec<Finding>,
}

impl Validity {
    /// Returns a document with these findings.
    pub fn new(document: &str, findings: Vec<Finding>) -> Self {
        Self {
            document: document.to_owned(),
            valid: !findings.iter().any(is_error),
            findings,
        }
    }

    /// Returns the findings for people, and a line that counts them.
    pub fn text(&self) -> String {
        let mut out = if self.findings.is_empty() {
            String::new()
        } else {
            format!("{}\n\n", DocumentError::Findings(self.findings.clone()))
        };
        let (errors, warnings): (Vec<&Finding>, Vec<&Finding>) =
            self.findings.iter().partition(|one| is_error(one));
        let numbers = [(errors, "error"), (warnings, "warning")]
            .map(|(findings, what)| (finding::count(findings), what))
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| count(number, what))
            .collect::<Vec<_>>()
            .join(", ");
        let status = if self.valid { "Valid" } else { "Invalid" };
        let document = line(&self.document);
        let said = if numbers.is_empty() {
            document
        } else {
            format!("{document}: {numbers}")
        };
        out.push_str(&format!("{status:>12} {said}\n"));
        out
    }

    /// Returns the findings as annotations of a workflow on GitHub.
    pub fn annotations(&self) -> String {
        let lines = self.findings.iter().map(|one| annotated(one, &one.file));
        lines.collect()
    }
}

fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

/// Returns several documents as JSON, with a line feed at its end.
///
/// # Errors
///
/// Cannot happen: all findings can be written as JSON.
pub fn validities_json(all: &[Validity]) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(&json!({"documents": all}))? + "\n")
}

/// Returns several documents as SARIF: a result for each finding.
///
/// # Errors
///
/// Cannot happen: all findings can be written as JSON.
pub fn validities_sarif(all: &[Validity]) -> serde_json::Result<String> {
    let findings = || all.iter().flat_map(|one| &one.findings);
    let mut rules: Vec<&str> = findings().map(|one| one.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Value> = rules.iter().map(|id| json!({"id": id})).collect();
    let results = findings().map(|one| {
        let level = if is_error(one) { "error" } else { "warning" };
        json!({
            "ruleId": one.rule,
            "level": level,
            "message": {"text": format!("{}; {}", one.message, one.help)},
            "locations": [location(&one.file, one.excerpt.as_ref().map(|at| (at.line, None)), &one.pointer)],
        })
    });
    let results: Vec<Value> = results.collect();
    let invocation = json!({"executionSuccessful": true});
    written(rules, invocation, results, json!({}))
}
