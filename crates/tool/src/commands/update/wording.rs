//! A document that changes only what people read: which texts, briefly.

use openapi_diff::Change;

/// Changes that are named.
const NAMED: usize = 10;

/// A line for each changed text, as many as are named, and how many there are besides; `None` where something else changed, or nothing did.
pub(super) fn lines<'c>(changes: impl Iterator<Item = &'c Change>) -> Option<Vec<String>> {
    let changes: Vec<&Change> = changes.collect();
    if changes.is_empty() || !changes.iter().all(|change| change.rule.is_docs()) {
        return None;
    }
    let named = changes.iter().take(NAMED);
    let mut lines: Vec<String> = named
        .map(|change| format!("{}: {}", change.owner, change.message))
        .collect();
    match changes.len().saturating_sub(NAMED) {
        0 => {}
        1 => lines.push("1 more text".to_owned()),
        more => lines.push(format!("{more} more texts")),
    }
    Some(lines)
}
