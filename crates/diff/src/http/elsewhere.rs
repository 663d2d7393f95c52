//! References at locations where OpenAPI allows none and the comparison follows none: their targets may have changed.

use std::collections::{HashMap, HashSet};

use openapi_document::source::references;
use serde_json::Value;

use super::documents::Documents;
use crate::verdicts::{Mark, rules};

/// Records each reference of both documents that was never followed and whose target differs. Components that no operation uses are
/// compared separately.
pub(crate) fn elsewhere<'d>(documents: &mut Documents<'d>) {
    let before: HashMap<&str, &Value> =
        references(documents.schemas.old.root).into_iter().collect();
    let mut open = Vec::new();
    for (text, y) in references(documents.schemas.new.root) {
        let Some(x) = before.get(text).copied() else {
            continue;
        };
        if documents.schemas.old.has_followed(text) || documents.schemas.new.has_followed(text) {
            continue;
        }
        let (a, b) = (
            documents.schemas.old.object(x),
            documents.schemas.new.object(y),
        );
        if a != b {
            open.push((text, (x, y), (a, b)));
        }
    }
    if open.is_empty() {
        return;
    }
    let used = (documents.schemas.old.used(), documents.schemas.new.used());
    let is_in = |used: &HashSet<*const Value>, target: Option<&Value>| {
        target.is_none_or(|target| used.contains(&std::ptr::from_ref(target)))
    };
    for (text, (x, y), (a, b)) in open {
        if is_in(&used.0, a) || is_in(&used.1, b) {
            let delta =
                documents.aside(&rules::REFERENCE_UNKNOWN, Mark::at(x), Mark::at(y), || {
                    format!("the target of `{text}` changed, at a place that is not compared")
                });
            documents.schemas.graph.anywhere(delta);
        }
    }
}
