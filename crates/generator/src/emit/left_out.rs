//! The parts of the document that a crate leaves out, for its README: operations, and the other warnings.

use std::collections::BTreeMap;

use openapi_document::finding::{Finding, count};
use openapi_model::{LeftOut, Loss};

/// A table of them with the reasons; empty when the crate has all operations.
pub(super) fn emit(left_out: &[LeftOut]) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n## Left out\n\n\
         These operations of the document are not in this crate, because no call of them could be generated right.\n\n\
         | request | reason |\n|---|---|\n",
    );
    for one in left_out {
        text.push_str(&format!(
            "| `{} {}` | {} |\n",
            one.method,
            cell(&one.path),
            cell(&one.sentence())
        ));
    }
    text
}

/// Returns a table of the warnings by kind, with the first location of each; empty without warnings.
pub(super) fn losses<'f>(warnings: impl Iterator<Item = &'f Finding>) -> String {
    let mut kinds: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for one in warnings {
        kinds.entry(one.rule).or_default().push(one);
    }
    let rows = kinds.into_iter().filter_map(|(rule, all)| {
        let (first, misses) = (all.first()?, Loss::of(rule).map(|loss| loss.misses));
        let misses = misses.map_or_else(|| first.message.clone(), str::to_owned);
        let (pointer, count) = (cell(&first.pointer), count(all.iter().copied()));
        Some(format!(
            "| {} | {count} | `#{}` |\n",
            cell(&misses),
            pointer.replace('`', "'")
        ))
    });
    let rows: String = rows.collect();
    if rows.is_empty() {
        rows
    } else {
        format!(
            "\n## Differences from the document\n\n\
             | what the crate has instead | places | the first |\n|---|---|---|\n{rows}"
        )
    }
}

/// Returns a string on one line, without characters that end a table cell.
pub(super) fn cell(text: &str) -> String {
    one_line(text).replace('|', "\\|")
}

/// Returns a text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
