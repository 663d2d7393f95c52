//! The report as results of tests, in the form of JUnit: a test for each operation, which fails where a change that reaches it is
//! breaking, and is skipped where the only ones are waived.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::attribution::{Entry, Report, Waived};
use super::markup::escaped;
use super::view::operations;
use crate::verdicts::Wire;

/// So many breaking changes of a test have a line.
const LINES: usize = 10;

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
    let mut waived: BTreeMap<&str, Vec<&Waived>> = BTreeMap::new();
    let breaking = |one: &&Waived| one.entry.change.wire == Wire::Breaking;
    for one in report.waived.iter().filter(breaking) {
        for name in operations(&one.entry) {
            cases.entry(name).or_default();
            waived.entry(name).or_default().push(one);
        }
    }
    let mut out = String::new();
    // Writing into a text does not fail.
    let _ = write_junit(report, &cases, &waived, &mut out);
    out
}

/// How many are left out, after a space; nothing where none are.
fn more(left: usize) -> String {
    match left {
        0 => String::new(),
        left => format!(" and {left} more"),
    }
}

fn write_junit(
    report: &Report,
    cases: &BTreeMap<&str, Vec<&Entry>>,
    waived: &BTreeMap<&str, Vec<&Waived>>,
    out: &mut String,
) -> std::fmt::Result {
    let breaks = |entry: &&&Entry| entry.change.wire == Wire::Breaking;
    let failed = cases
        .values()
        .filter(|entries| entries.iter().any(|one| breaks(&one)));
    let (tests, failures) = (cases.len(), failed.count());
    let is_skipped = |(name, entries): &(&&str, &Vec<&Entry>)| {
        waived.contains_key(**name) && !entries.iter().any(|one| breaks(&one))
    };
    let skipped = cases.iter().filter(is_skipped).count();
    let errors = report.findings.len();
    let name = escaped(&format!("{} → {}", report.old, report.new));
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let counts = format!(
        r#"name="{name}" tests="{}" failures="{failures}" errors="{errors}" skipped="{skipped}""#,
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
        let title = escaped(name);
        write!(out, r#"    <testcase classname="{class}" name="{title}""#)?;
        let breaking: Vec<&&Entry> = entries.iter().filter(breaks).collect();
        let Some(first) = breaking.first() else {
            match waived.get(name).map(Vec::as_slice) {
                Some([first, others @ ..]) => {
                    let Waived { entry, reason } = first;
                    let more = more(others.len());
                    let message = format!("waived: {}: {reason}{more}", entry.change.message);
                    let message = escaped(&message);
                    writeln!(
                        out,
                        ">\n      <skipped message=\"{message}\"/>\n    </testcase>"
                    )?;
                }
                _ => writeln!(out, "/>")?,
            }
            continue;
        };
        let (rule, message) = (first.change.rule.id, escaped(&first.change.message));
        writeln!(
            out,
            r#">
      <failure type="{rule}" message="{message}">"#
        )?;
        for entry in breaking.iter().take(LINES) {
            let change = &entry.change;
            let line = format!("{}: {} ({})", change.owner, change.message, change.rule.id);
            writeln!(out, "{}", escaped(&line))?;
        }
        let left = more(breaking.len().saturating_sub(LINES));
        if !left.is_empty() {
            writeln!(out, "{}", left.trim_start())?;
        }
        writeln!(out, "      </failure>\n    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}
