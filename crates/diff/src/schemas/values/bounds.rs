//! Bounds of numbers, lengths and counts.

use std::cmp::Ordering;

use super::keywords::without_effect;
use crate::schemas::comparison::Notes;
use crate::verdicts::{Mark, rules};
use openapi_schemas::reading::{BOUNDS, Bound, Reading, types};

/// Compares bounds of all sorts, the tightest of each.
pub(crate) fn bounds<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    for limit in BOUNDS {
        let has = |flat: &Reading<'d>| flat.types & (limit.types | types::UNKNOWN) != 0;
        if !(has(old) && has(new)) {
            // If a type is added or removed, the type is reported.
            if !has(old) && !has(new) {
                without_effect(notes, limit.name, old, new);
            }
            continue;
        }
        // Listed values are the only ones.
        let are_listed = old.enum_values.is_some() && new.enum_values.is_some();
        let excluding = |flat: &Reading<'d>| {
            let bound = flat.bound(&limit);
            bound.filter(|bound| !(are_listed && limit.admits_all(bound, flat)))
        };
        let (a, b) = (excluding(old), excluding(new));
        let (rule, what) = match (&a, &b) {
            (None, None) => {
                without_effect(notes, limit.name, old, new);
                continue;
            }
            // One side says by `required` what the other one bounds.
            (Some(bound), None) if limit.is_implied(bound, new) => {
                without_effect(notes, limit.name, old, new);
                continue;
            }
            (None, Some(bound)) if limit.is_implied(bound, old) => {
                without_effect(notes, limit.name, old, new);
                continue;
            }
            (None, Some(b)) => (
                &rules::BOUND_ADDED,
                format!("`{}` was added: {b}", limit.name),
            ),
            (Some(a), None) => (
                &rules::BOUND_REMOVED,
                format!("`{}` was removed: {a}", limit.name),
            ),
            (Some(a), Some(b)) => {
                let rule = match limit.order(a, b) {
                    Ordering::Equal => {
                        if a.to_string() != b.to_string() {
                            without_effect(notes, limit.name, old, new);
                        }
                        continue;
                    }
                    Ordering::Less => &rules::BOUND_TIGHTENED,
                    Ordering::Greater => &rules::BOUND_LOOSENED,
                };
                (rule, format!("`{}` changed from {a} to {b}", limit.name))
            }
        };
        let mark = |bound: Option<Bound<'d>>, flat: &Reading<'d>| {
            Mark::within(bound.map(|bound| bound.value), flat.home)
        };
        notes.differ(rule, mark(a, old), mark(b, new), || what);
    }
}
