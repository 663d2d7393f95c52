//! Warnings as a person reads them: some of each rule in full, the rest counted. Notes are counted, unless all are wanted.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::Renderer;
use openapi_document::finding::{Finding, Severity, count};
use openapi_document::readable::counted;

/// Warnings that are shown in full.
const IN_FULL: usize = 20;
/// Warnings of one rule that are shown in full.
const OF_A_RULE: usize = 3;

/// Prints the warnings and notes by rule: all of them, or a selection and the numbers of those that are not shown.
pub(super) fn print(
    warnings: &[Finding],
    all: bool,
    renderer: &Renderer,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut rules: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for warning in warnings {
        rules.entry(warning.rule).or_default().push(warning);
    }
    let mut left = if all { usize::MAX } else { IN_FULL };
    let (mut hidden, mut notes) = (Vec::new(), Vec::new());
    for (rule, warnings) in rules {
        let is_note = warnings.iter().all(|one| one.severity == Severity::Note);
        let most = match (all, is_note) {
            (true, _) => warnings.len(),
            (false, true) => 0,
            (false, false) => OF_A_RULE,
        };
        let shown = warnings.len().min(most).min(left);
        for warning in warnings.iter().take(shown) {
            writeln!(out, "{}\n", warning.render(renderer))?;
        }
        left -= shown;
        if warnings.len() > shown {
            let hidden_ones = warnings.iter().skip(shown).copied();
            let list = if is_note { &mut notes } else { &mut hidden };
            list.push((rule, count(hidden_ones)));
        }
    }
    not_shown(out, "warning", "more warning", &hidden)?;
    not_shown(out, "note", "note", &notes)
}

/// Prints the number of findings that are not shown, and of each rule.
fn not_shown(
    out: &mut dyn Write,
    level: &str,
    what: &str,
    hidden: &[(&str, usize)],
) -> io::Result<()> {
    if hidden.is_empty() {
        return Ok(());
    }
    let sum: usize = hidden.iter().map(|(_, count)| count).sum();
    let rules: Vec<String> = hidden
        .iter()
        .map(|(rule, count)| format!("{rule} ({count})"))
        .collect();
    writeln!(
        out,
        "{level}: {}, which `--verbose` shows: {}",
        counted(sum, what),
        rules.join(", ")
    )
}

/// The number of warnings, and of those of each rule; then the notes.
pub(super) fn by_rule(findings: &[Finding]) -> String {
    let (notes, warnings): (Vec<&Finding>, Vec<&Finding>) = findings
        .iter()
        .partition(|one| one.severity == Severity::Note);
    let warnings = counted_by_rule(&warnings, "warning");
    if notes.is_empty() {
        warnings
    } else {
        format!("{warnings}; {}", counted_by_rule(&notes, "note"))
    }
}

fn counted_by_rule(findings: &[&Finding], what: &str) -> String {
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings {
        *rules.entry(finding.rule).or_default() += count([*finding]);
    }
    let sum = counted(rules.values().sum(), what);
    let rules: Vec<String> = rules
        .into_iter()
        .map(|(rule, count)| format!("{rule} {count}"))
        .collect();
    if rules.is_empty() {
        sum
    } else {
        format!("{sum}: {}", rules.join(", "))
    }
}
