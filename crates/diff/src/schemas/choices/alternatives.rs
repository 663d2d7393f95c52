//! An alternative that was added or removed.

use openapi_document::resolver::reference;
use serde_json::Value;

use crate::schemas::comparison::{Notes, Readings};
use crate::verdicts::{Marks, quote, rules};
use openapi_schemas::reading::Alternative;

pub(super) fn alternative_added<'d>(
    notes: &mut Notes<'_, 'd>,
    both: Readings<'_, 'd>,
    one: &'d Value,
) {
    let marks = Marks::added_to(both.old.home, one);
    notes.differ(&rules::ALTERNATIVE_ADDED, marks, || {
        format!("the alternative {} is new", name(one))
    });
}

pub(super) fn alternative_removed<'d>(
    notes: &mut Notes<'_, 'd>,
    both: Readings<'_, 'd>,
    one: &'d Value,
) {
    let marks = Marks::removed_from(both.new.home, one);
    notes.differ(&rules::ALTERNATIVE_REMOVED, marks, || {
        format!("the alternative {} is gone", name(one))
    });
}

/// Returns the values that choose an alternative, in a sentence.
pub(super) fn tags(alternative: &Alternative<'_>) -> String {
    let tags = alternative.tags.iter();
    let all: Vec<String> = tags.map(|tag| format!("`{tag}`")).collect();
    all.join(", ")
}

/// Returns the name of an alternative in a sentence.
fn name(one: &Value) -> String {
    let component = reference(one).and_then(|reference| reference.rsplit('/').next());
    match component.or_else(|| one.get("title").and_then(Value::as_str)) {
        Some(name) => format!("`{name}`"),
        None => quote(one),
    }
}
