//! Lists the changed descriptions of a document that changes nothing else.

use openapi_diff::Change;
use openapi_document::readable::counted;

/// Changes that are named.
const NAMED: usize = 10;

/// Returns a line for each changed description up to a limit, and the number of the others; `None` if anything else changed, or nothing
/// did.
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
        more => lines.push(counted(more, "more description")),
    }
    Some(lines)
}
