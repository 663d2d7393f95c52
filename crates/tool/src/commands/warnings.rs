//! Warnings as a person reads them: some of each rule in full, the rest counted.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::Renderer;
use openapi_document::finding::{Finding, count};

use super::status::counted;

/// Warnings that are shown in full.
const IN_FULL: usize = 20;
/// Warnings of one rule that are shown in full.
const OF_A_RULE: usize = 3;

/// Prints the warnings by rule: all of them, or a selection and the numbers of those that are not shown.
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
    let mut hidden = Vec::new();
    for (rule, warnings) in rules {
        let most = if all { warnings.len() } else { OF_A_RULE };
        let shown = warnings.len().min(most).min(left);
        for warning in warnings.iter().take(shown) {
            writeln!(out, "{}\n", warning.render(renderer))?;
        }
        left -= shown;
        if warnings.len() > shown {
            let hidden_ones = warnings.iter().skip(shown).copied();
            hidden.push((rule, count(hidden_ones)));
        }
    }
    if hidden.is_empty() {
        return Ok(());
    }
    let sum: usize = hidden.iter().map(|(_, count)| count).sum();
    let rules: Vec<String> = hidden
        .into_iter()
        .map(|(rule, count)| format!("{rule} ({count})"))
        .collect();
    writeln!(
        out,
        "warning: {}, which `--verbose` shows: {}",
        counted(sum, "more warning"),
        rules.join(", ")
    )
}

/// The number of warnings, and of those of each rule.
pub(super) fn by_rule(warnings: &[Finding]) -> String {
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for warning in warnings {
        *rules.entry(warning.rule).or_default() += count([warning]);
    }
    let sum = counted(count(warnings), "warning");
    let rules: Vec<String> = rules
        .into_iter()
        .map(|(rule, count)| format!("{rule} {count}"))
        .collect();
    match rules.is_empty() {
        true => sum,
        false => format!("{sum}: {}", rules.join(", ")),
    }
}
