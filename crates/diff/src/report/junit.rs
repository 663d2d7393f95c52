//! The report as JUnit test results: one test for each operation. A test fails if a change that reaches the operation is
//! breaking, and is skipped if all such changes are waived.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::attribution::{Entry, Report, Waived};
use super::markup::escaped;
use crate::verdicts::Wire;

/// Number of breaking changes listed in a test.
const LINES: usize = 10;

/// Result of an operation: the first change that breaks it, and the first waived one; each with their number.
#[derive(Default)]
struct Case<'r> {
    breaking: Vec<&'r Entry>,
    breaks: usize,
    waived: Option<&'r Waived>,
    waivers: usize,
}

/// Returns the report as XML.
pub fn junit(report: &Report) -> String {
    let mut cases: BTreeMap<&str, Case<'_>> = BTreeMap::new();
    for name in report.operations.keys() {
        cases.entry(name).or_default();
    }
    for entry in &report.changes {
        for name in operations(entry) {
            let case = cases.entry(name).or_default();
            if entry.change.wire == Wire::Breaking {
                case.breaks += 1;
                if case.breaking.len() < LINES {
                    case.breaking.push(entry);
                }
            }
        }
    }
    let breaking = |one: &&Waived| one.entry.change.wire == Wire::Breaking;
    for one in report.waived.iter().filter(breaking) {
        for name in operations(&one.entry) {
            let case = cases.entry(name).or_default();
            case.waived.get_or_insert(one);
            case.waivers += 1;
        }
    }
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = write_junit(report, &cases, &mut out);
    out
}

/// Returns the operations that a change reaches; without any, its owner.
fn operations(entry: &Entry) -> impl Iterator<Item = &str> {
    let change = &entry.change;
    let owner = change
        .operations
        .is_empty()
        .then_some(change.owner.as_str());
    owner.into_iter().chain(change.operations.iter())
}

/// Returns the number of omitted changes, after a space; empty for zero.
fn more(left: usize) -> String {
    match left {
        0 => String::new(),
        left => format!(" and {left} more"),
    }
}

fn write_junit(
    report: &Report,
    cases: &BTreeMap<&str, Case<'_>>,
    out: &mut String,
) -> std::fmt::Result {
    let failed = cases.values().filter(|case| case.breaks > 0);
    let (tests, failures) = (cases.len(), failed.count());
    let is_skipped = |case: &&Case<'_>| case.breaks == 0 && case.waived.is_some();
    let skipped = cases.values().filter(is_skipped).count();
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
    for (name, case) in cases {
        let title = escaped(name);
        write!(out, r#"    <testcase classname="{class}" name="{title}""#)?;
        let Some(first) = case.breaking.first() else {
            match case.waived {
                Some(Waived { entry, reason }) => {
                    let more = more(case.waivers - 1);
                    let message = format!("waived: {}: {reason}{more}", entry.change.message);
                    let message = escaped(&message);
                    writeln!(
                        out,
                        ">\n      <skipped message=\"{message}\"/>\n    </testcase>"
                    )?;
                }
                None => writeln!(out, "/>")?,
            }
            continue;
        };
        let (rule, message) = (first.change.rule.id, escaped(&first.change.message));
        writeln!(
            out,
            r#">
      <failure type="{rule}" message="{message}">"#
        )?;
        for entry in &case.breaking {
            let change = &entry.change;
            let line = format!("{}: {} ({})", change.owner, change.message, change.rule.id);
            writeln!(out, "{}", escaped(&line))?;
        }
        let left = more(case.breaks - case.breaking.len());
        if !left.is_empty() {
            writeln!(out, "{}", left.trim_start())?;
        }
        writeln!(out, "      </failure>\n    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}
