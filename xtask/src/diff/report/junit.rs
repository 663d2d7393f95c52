//! The report as results of tests, in the form of JUnit: a test for each operation, which fails where a change that reaches it is breaking.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::attribution::{Entry, Report};
use super::markup::escaped;
use super::view::operations;
use crate::diff::verdicts::Wire;

/// The report as XML.
pub fn junit(report: &Report) -> String {
    let mut cases: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for name in report.operations.keys() {
        cases.insert(name, Vec::new());
    }
    for entry in &report.changes {
        for name in operations(entry) {
            cases.entry(name).or_default().push(entry);
        }
    }
    let mut out = String::new();
    // Writing into a text does not fail.
    let _ = write_junit(report, &cases, &mut out);
    out
}

fn write_junit(
    report: &Report,
    cases: &BTreeMap<&str, Vec<&Entry>>,
    out: &mut String,
) -> std::fmt::Result {
    let breaks = |entry: &&&Entry| entry.change.wire == Wire::Breaking;
    let failed = cases
        .values()
        .filter(|entries| entries.iter().any(|one| breaks(&one)));
    let (tests, failures) = (cases.len(), failed.count());
    let errors = report.findings.len();
    let name = escaped(&format!("{} → {}", report.old, report.new));
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let counts = format!(
        r#"name="{name}" tests="{}" failures="{failures}" errors="{errors}""#,
        tests + errors
    );
    writeln!(out, "<testsuites {counts}>\n  <testsuite {counts}>")?;
    let class = escaped(&report.new);
    for finding in &report.findings {
        let name = escaped(&finding.pointer);
        writeln!(out, r#"    <testcase classname="{class}" name="{name}">"#)?;
        let (rule, message) = (escaped(finding.rule), escaped(&finding.message));
        let help = escaped(&finding.help);
        writeln!(
            out,
            r#"      <error type="{rule}" message="{message}">{help}</error>"#
        )?;
        writeln!(out, "    </testcase>")?;
    }
    for (name, entries) in cases {
        let name = escaped(name);
        write!(out, r#"    <testcase classname="{class}" name="{name}""#)?;
        let breaking: Vec<&&Entry> = entries.iter().filter(breaks).collect();
        let Some(first) = breaking.first() else {
            writeln!(out, "/>")?;
            continue;
        };
        let (rule, message) = (first.change.rule.id, escaped(&first.change.message));
        writeln!(
            out,
            r#">
      <failure type="{rule}" message="{message}">"#
        )?;
        for entry in breaking {
            let change = &entry.change;
            let line = format!("{}: {} ({})", change.owner, change.message, change.rule.id);
            writeln!(out, "{}", escaped(&line))?;
        }
        writeln!(out, "      </failure>\n    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}
