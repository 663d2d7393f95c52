//! An alternative that was added or removed.

use openapi_document::resolver::reference;
use serde_json::Value;

use crate::schemas::comparison::Notes;
use crate::schemas::flat::Flat;
use crate::verdicts::{Mark, quote, rules};

pub(super) fn alternative_added<'d>(notes: &mut Notes<'_, 'd>, old: &Flat<'d>, one: &'d Value) {
    notes.differ(
        &rules::ALTERNATIVE_ADDED,
        Mark::within(None, old.home),
        Mark::at(one),
        || format!("the alternative {} is new", name(one)),
    );
}

pub(super) fn alternative_removed<'d>(notes: &mut Notes<'_, 'd>, new: &Flat<'d>, one: &'d Value) {
    notes.differ(
        &rules::ALTERNATIVE_REMOVED,
        Mark::at(one),
        Mark::within(None, new.home),
        || format!("the alternative {} is gone", name(one)),
    );
}

/// Returns the name of an alternative in a sentence.
fn name(one: &Value) -> String {
    let component = reference(one).and_then(|reference| reference.rsplit('/').next());
    match component.or_else(|| one.get("title").and_then(Value::as_str)) {
        Some(name) => format!("`{name}`"),
        None => quote(one),
    }
}
