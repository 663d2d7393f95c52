//! Elements of lists.

use serde_json::Value;

use super::children::{of_elements, rest};
use super::conditions::{conditional, plain_child};
use crate::schemas::comparison::{Form, Notes};
use crate::verdicts::{Turn, way};
use openapi_schemas::reading::{Reading, Site};

pub(crate) fn arrays<'d>(
    notes: &mut Notes<'_, 'd>,
    old: &Reading<'d>,
    new: &Reading<'d>,
    form: Form,
) {
    let first = |flat: &Reading<'d>| {
        let list = flat.first("prefixItems").and_then(Value::as_array);
        list.map(Vec::as_slice).unwrap_or_default()
    };
    let others = |flat: &Reading<'d>| {
        Site::all(
            flat.all("items")
                .filter(|value| value.is_object())
                .collect(),
            flat.home,
        )
    };
    let (before, after) = (first(old), first(new));
    for index in 0..before.len().max(after.len()) {
        let site = |list: &'d [Value], flat: &Reading<'d>| match list.get(index) {
            Some(schema) => Site::new(Some(schema), flat.home),
            None => others(flat),
        };
        notes.child(
            site(before, old),
            site(after, new),
            of_elements(form),
            way::BOTH,
            Turn::Keep,
        );
    }
    rest(notes, "items", old, new, form);
    for keyword in ["additionalItems", "unevaluatedItems"] {
        rest(notes, keyword, old, new, form);
    }
    conditional(notes, "contains", Turn::Keep, old, new);
    plain_child(notes, "contentSchema", old, new);
}
