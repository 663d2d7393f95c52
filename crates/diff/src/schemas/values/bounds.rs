//! Bounds of numbers, lengths and counts.

use std::cmp::Ordering;

use super::keywords::without_effect;
use super::range::{Range, range};
use crate::schemas::comparison::{Notes, Readings};
use crate::verdicts::rules;
use openapi_schemas::reading::{BOUNDS, Bound, Limit, Reading, types};

/// Compares bounds of all sorts, the tightest of each.
pub(crate) fn bounds<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    for limit in BOUNDS {
        match (limit.applies(both.old), limit.applies(both.new)) {
            (false, false) => without_effect(notes, limit.name, both),
            (true, true) => bound(notes, &limit, both),
            // The added or removed type is reported, or what is bounded.
            _ => {}
        }
    }
}

fn bound<'d>(notes: &mut Notes<'_, 'd>, limit: &Limit, both: Readings<'_, 'd>) {
    let name = limit.name;
    // Listed values are the only ones.
    let are_listed = both.old.enum_values.is_some() && both.new.enum_values.is_some();
    let sides = [(both.old, both.new), (both.new, both.old)];
    let [old, new] = sides.map(|(flat, other): (&Reading<'d>, _)| -> Option<Bound<'d>> {
        let bound = flat.bound(limit)?;
        let excludes_none = other.enum_values.is_some() && limit.admits_all(&bound, other)
            || are_listed && limit.admits_all(&bound, flat);
        (!excludes_none).then_some(bound)
    });
    let (rule, what) = match (&old, &new) {
        (None, None) => return without_effect(notes, name, both),
        // One side says by `required` or a format what the other one bounds.
        (Some(bound), None) if is_implied(limit, bound, both.new) => {
            return without_effect(notes, name, both);
        }
        (None, Some(bound)) if is_implied(limit, bound, both.old) => {
            return without_effect(notes, name, both);
        }
        (None, Some(new)) => {
            let rule = if limit.is_looser_than_none(new) {
                &rules::BOUND_LOOSENED
            } else {
                &rules::BOUND_ADDED
            };
            (rule, format!("`{name}` was added: {new}"))
        }
        (Some(old), None) => {
            let rule = if limit.is_looser_than_none(old) {
                &rules::BOUND_TIGHTENED
            } else {
                &rules::BOUND_REMOVED
            };
            (rule, format!("`{name}` was removed: {old}"))
        }
        (Some(old), Some(new)) => {
            let rule = match limit.order(old, new) {
                Ordering::Equal if old.to_string() == new.to_string() => return,
                Ordering::Equal => return without_effect(notes, name, both),
                Ordering::Less => &rules::BOUND_TIGHTENED,
                Ordering::Greater => &rules::BOUND_LOOSENED,
            };
            (rule, format!("`{name}` changed from {old} to {new}"))
        }
    };
    let [old, new] = [old, new].map(|bound| bound.map(|bound| bound.value));
    notes.differ(rule, both.keyword(name, old, new), || what);
}

/// Returns whether a schema excludes, by another keyword, what a bound excludes.
fn is_implied(limit: &Limit, bound: &Bound<'_>, other: &Reading<'_>) -> bool {
    let allowed = match limit.name {
        "minimum" => Range::new(bound.whole, None),
        "maximum" => Range::new(None, bound.whole),
        _ => return limit.is_implied(bound, other),
    };
    bound.whole.is_some() && !other.allows(types::FRACTION) && range(other).is_within(allowed)
}
