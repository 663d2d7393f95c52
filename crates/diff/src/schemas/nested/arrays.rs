//! Elements of lists.

use serde_json::Value;

use super::children::{of_elements, rest};
use super::conditions::conditional;
use crate::schemas::comparison::{Form, Notes, Readings};
use crate::verdicts::{Turn, way};
use openapi_schemas::reading::{Reading, Site};

pub(crate) fn arrays<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>, form: Form) {
    let (before, after) = (first_elements(both.old), first_elements(both.new));
    for index in 0..before.len().max(after.len()) {
        let old = site(before.get(index), both.old);
        let new = site(after.get(index), both.new);
        notes.child(old, new, of_elements(form), way::BOTH, Turn::Keep);
    }
    rest(notes, "items", both, form);
    for keyword in ["additionalItems", "unevaluatedItems"] {
        rest(notes, keyword, both, form);
    }
    conditional(notes, "contains", Turn::Keep, both);
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
