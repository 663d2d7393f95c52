//! An alternative that only one side has.

use openapi_document::resolver::reference;
use serde_json::Value;

use crate::schemas::comparison::{Notes, Readings};
use crate::verdicts::{Marks, quote, rules};
use openapi_schemas::reading::Alternative;

/// Records an alternative that only one side has: the new one if `is_new`.
pub(super) fn alone<'d>(
    notes: &mut Notes<'_, 'd>,
    both: Readings<'_, 'd>,
    one: &'d Value,
    is_new: bool,
) {
    let (rule, state) = if is_new {
        (&rules::ALTERNATIVE_ADDED, "new")
    } else {
        (&rules::ALTERNATIVE_REMOVED, "gone")
    };
    notes.differ(rule, marks(both, one, is_new), || {
        format!("the alternative {} is {state}", name(one))
    });
}

/// Marks a schema of one side within the schema of the other.
pub(super) fn marks<'d>(both: Readings<'_, 'd>, one: &'d Value, is_new: bool) -> Marks<'d> {
    if is_new {
        Marks::added_to(both.old.home, one)
    } else {
        Marks::removed_from(both.new.home, one)
    }
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
    let quoted = quote(one);
    match component.or_else(|| one.get("title").and_then(Value::as_str)) {
        Some(name) => format!("`{name}`"),
        // A long schema is known by its type.
        None => match one.get("type") {
            Some(named) if !quoted.starts_with('`') => format!("of the type {}", quote(named)),
            _ => quoted,
        },
    }
}
