//! Findings of single documents: for people and for programs.

use openapi_document::finding::{self, DocumentError, Finding, Severity};
use openapi_document::readable::line;
use serde::Serialize;
use serde_json::json;

use super::numbers::count;

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
