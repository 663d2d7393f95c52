//! The report as workflow commands of GitHub: an error for each breaking change, a warning for each risky one.

use openapi_document::finding::{Finding, Severity};
use openapi_document::readable::lines;

use super::attribution::Report;
use super::locations::{file, shown};
use super::numbers::summary;
use crate::verdicts::Wire;

/// Returns the report as annotations. Safe changes are only counted in the summary.
pub fn annotations(report: &Report) -> String {
    let mut out = String::new();
    for entry in &report.changes {
        let change = &entry.change;
        let level = match change.wire {
            Wire::Breaking => "error",
            Wire::Risky => "warning",
            Wire::Safe | Wire::None => continue,
        };
        let mut properties = Vec::new();
        if let Some((file, place)) = shown(report, entry) {
            properties.push(format!("file={}", property(file)));
            if place.line > 0 {
                properties.push(format!("line={},col={}", place.line, place.column));
            }
        }
        properties.push(format!("title={}", property(change.rule.id)));
        let message = data(&format!("{}: {}", change.owner, change.message));
        let properties = properties.join(",");
        out.push_str(&format!("::{level} {properties}::{message}\n"));
    }
    for finding in &report.findings {
        out.push_str(&annotated(finding, file(report, &finding.file)));
    }
    for waived in &report.waived {
        let change = &waived.entry.change;
        let (owner, message, reason) = (&change.owner, &change.message, &waived.reason);
        let title = property(&format!("waived: {}", change.rule.id));
        let message = data(&format!("{owner}: {message} ({reason})"));
        out.push_str(&format!("::notice title={title}::{message}\n"));
    }
    let sum = data(summary(report).trim_end());
    out.push_str(&format!("::notice title=diff::{sum}\n"));
    out
}

/// Returns a finding in a file as an annotation.
pub(super) fn annotated(finding: &Finding, file: &str) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let file = property(file);
    let line = finding.excerpt.as_ref();
    let line = line.map_or(String::new(), |at| format!(",line={}", at.line));
    let title = property(finding.rule);
    let message = data(&format!(
        "{}: {}; {}",
        finding.pointer, finding.message, finding.help
    ));
    format!("::{level} file={file}{line},title={title}::{message}\n")
}

fn data(text: &str) -> String {
    lines(text).replace('%', "%25").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
