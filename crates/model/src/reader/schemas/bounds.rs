//! The bounds at a location: of all that apply there, beside a reference, behind it, and in the parts of an `allOf`, the tightest.
//! Patterns and multiples hold together.

use std::collections::HashSet;
use std::hash::Hash;

use openapi_schemas::reading::{BOUNDS, Document, Limit, MAXIMUM, MINIMUM, Reading, Site, read};
use serde_json::{Number, Value};

use crate::Constraints;

/// Returns the bounds of the values at a location.
pub(super) fn bounds(document: &mut Document<'_>, pointer: &str) -> Constraints {
    let Some(schema) = document.root.pointer(pointer) else {
        return Constraints::default();
    };
    let reading = read(document, &Site::new(Some(schema), schema));
    let (minimum, above) = number(&reading, &MINIMUM);
    let (maximum, below) = number(&reading, &MAXIMUM);
    Constraints {
        minimum,
        maximum,
        above,
        below,
        multiples_of: distinct(reading.all("multipleOf").filter_map(Value::as_number)),
        min_length: count(&reading, "minLength"),
        max_length: count(&reading, "maxLength"),
        format: None,
        patterns: distinct(reading.all("pattern").filter_map(Value::as_str)),
        min_items: count(&reading, "minItems"),
        max_items: count(&reading, "maxItems"),
        unique_items: reading.says("uniqueItems"),
    }
}

/// Returns each of these values once, in their order.
fn distinct<'v, T>(values: impl Iterator<Item = &'v T>) -> Vec<T::Owned>
where
    T: ToOwned + Eq + Hash + ?Sized + 'v,
{
    let mut seen = HashSet::new();
    let values = values.filter(|value| seen.insert(*value));
    values.map(ToOwned::to_owned).collect()
}

/// Returns a bound of numbers, as one that values may have, or as one that they may not have.
fn number(reading: &Reading<'_>, limit: &Limit) -> (Option<Number>, Option<Number>) {
    let bound = reading.bound(limit);
    let number = bound.as_ref().and_then(|bound| bound.value.as_number());
    let number = number.cloned();
    if bound.is_some_and(|bound| bound.is_excluded) {
        (None, number)
    } else {
        (number, None)
    }
}

/// Returns a bound of a length or a count.
fn count(reading: &Reading<'_>, name: &str) -> Option<u64> {
    let limit = BOUNDS.iter().find(|limit| limit.name == name)?;
    reading.bound(limit)?.value.as_u64()
}
