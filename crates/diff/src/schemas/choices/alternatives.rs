//! An alternative that was added or removed.

use openapi_document::resolver::reference;
use serde_json::Value;

use crate::schemas::comparison::Notes;
use crate::verdicts::{Mark, quote, rules};
use openapi_schemas::reading::{Alternative, Reading};

pub(super) fn alternative_added<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, one: &'d Value) {
    notes.differ(
        &rules::ALTERNATIVE_ADDED,
        Mark::within(None, old.home),
        Mark::at(one),
        || format!("the alternative {} is new", name(one)),
    );
}

pub(super) fn alternative_removed<'d>(
    notes: &mut Notes<'_, 'd>,
    new: &Reading<'d>,
    one: &'d Value,
) {
    notes.differ(
        &rules::ALTERNATIVE_REMOVED,
        Mark::at(one),
        Mark::within(None, new.home),
        || format!("the alternative {} is gone", name(one)),
    );
}

/// Reports a schema that a discriminator chooses now.
pub(super) fn child_added<'d>(
    notes: &mut Notes<'_, 'd>,
    old: &Reading<'d>,
    child: &Alternative<'d>,
) {
    notes.differ(
        &rules::DISCRIMINATOR_VALUE_ADDED,
        Mark::within(None, old.home),
        Mark::at(child.schema),
        || format!("the discriminator has a new value: {}", tags(child)),
    );
}

/// Reports a schema that no discriminator chooses any more.
pub(super) fn child_removed<'d>(
    notes: &mut Notes<'_, 'd>,
    new: &Reading<'d>,
    child: &Alternative<'d>,
) {
    notes.differ(
        &rules::DISCRIMINATOR_VALUE_REMOVED,
        Mark::at(child.schema),
        Mark::within(None, new.home),
        || format!("the discriminator no longer has a value: {}", tags(child)),
    );
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
