//! Elements of lists.

use serde_json::Value;

use super::children::{of_elements, rest};
use super::conditions::conditional;
use crate::schemas::comparison::{Form, Notes, Readings};
use crate::schemas::values::without_effect;
use crate::verdicts::{Turn, rules, way};
use openapi_schemas::reading::{Further, Reading, Site};

pub(crate) fn arrays<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>, form: Form) {
    let (before, after) = (first_elements(both.old), first_elements(both.new));
    let mut length = before.len().max(after.len());
    // A place that one side has, and the other closes.
    if after.len() > before.len() && is_closed(both.old) {
        length = before.len();
        notes.changed(&rules::OPENED, both.first("prefixItems"));
    }
    if before.len() > after.len() && is_closed(both.new) {
        length = after.len();
        notes.changed(&rules::CLOSED, both.first("prefixItems"));
    }
    for index in 0..length {
        let old = site(before.get(index), both.old);
        let new = site(after.get(index), both.new);
        notes.child(old, new, of_elements(form), way::BOTH, Turn::Keep);
    }
    rest(notes, "items", both, form);
    for keyword in ["additionalItems", "unevaluatedItems"] {
        rest(notes, keyword, both, form);
    }
    if excludes_none(both.old) && excludes_none(both.new) {
        without_effect(notes, "contains", both);
    } else {
        conditional(notes, "contains", Turn::Keep, both);
    }
}

/// Returns whether `contains` excludes no list: none of the elements has to fit, and all may.
fn excludes_none(flat: &Reading<'_>) -> bool {
    let least = flat.first("minContains").and_then(Value::as_u64);
    let is_free = least == Some(0) && flat.first("maxContains").is_none();
    is_free || flat.first("contains").is_none()
}

/// Returns whether there are no elements after the first.
fn is_closed(flat: &Reading<'_>) -> bool {
    matches!(flat.remaining("items"), Further::Closed(_))
}

/// Returns the schemas of the first elements, by position.
fn first_elements<'d>(flat: &Reading<'d>) -> &'d [Value] {
    let list = flat.first("prefixItems").and_then(Value::as_array);
    list.map(Vec::as_slice).unwrap_or_default()
}

/// Returns the site of an element, whose schema is that of all others if it has none.
fn site<'d>(schema: Option<&'d Value>, flat: &Reading<'d>) -> Site<'d> {
    if schema.is_some() {
        return Site::new(schema, flat.home);
    }
    let others = flat.all("items").filter(|value| value.is_object());
    Site::all(others.collect(), flat.home)
}
