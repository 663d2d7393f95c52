//! The types of a schema, and whether it allows null.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::enum_values::{enum_values, listed};
use crate::schemas::comparison::{Form, Notes};
use crate::verdicts::{Mark, rules};
use openapi_schemas::decimal::Key;
use openapi_schemas::reading::{Reading, types};

/// Compares types, null and enum values. Returns whether the two share a type, so that the rest can be compared.
pub(crate) fn kinds<'d>(
    notes: &mut Notes<'_, 'd>,
    old: &Reading<'d>,
    new: &Reading<'d>,
    form: Form,
) -> bool {
    let mark =
        |flat: &Reading<'d>| Mark::within(Some(flat.first("type").unwrap_or(flat.home)), flat.home);
    let says = || format!("the type changed from {} to {}", spell(old), spell(new));
    let (a, b) = (in_form(old.types, form), in_form(new.types, form));
    if (old.types | new.types) & types::UNKNOWN != 0 && old.typed && new.typed {
        let raw = |flat: &Reading<'d>| -> BTreeSet<String> {
            let about = flat.about.iter().filter_map(|one| one.get("type"));
            flat.all("type")
                .chain(about)
                .map(Value::to_string)
                .collect()
        };
        if raw(old) != raw(new) {
            notes.differ(&rules::UNHANDLED, mark(old), mark(new), says);
        }
    } else if a & b == 0 && !(old.null && new.null) && (a | b != 0 || old.null != new.null) {
        let rule = match (a == 0 && !old.null, b == 0 && !new.null) {
            (true, _) => &rules::TYPE_WIDENED,
            (_, true) => &rules::TYPE_NARROWED,
            _ => &rules::TYPE_CHANGED,
        };
        notes.differ(rule, mark(old), mark(new), says);
        return false;
    } else if let (Some(before), Some(after)) = (&old.enum_values, &new.enum_values) {
        // Values that are still listed, and that only one of the type sets allows.
        let listed: HashSet<Key<'_>> = if a == b {
            HashSet::new()
        } else {
            after.iter().map(|one| Key::of(one.value)).collect()
        };
        let differs = |from: u8, to: u8| {
            let mut excluded = before.iter().filter(|one| {
                let own = types::type_of(one.value);
                own & from != 0 && own & to == 0
            });
            excluded.any(|one| listed.contains(&Key::of(one.value)))
        };
        let rule = match (differs(a, b), differs(b, a)) {
            (true, true) => Some(&rules::TYPE_CHANGED),
            (true, false) => Some(&rules::TYPE_NARROWED),
            (false, true) => Some(&rules::TYPE_WIDENED),
            (false, false) => None,
        };
        if let Some(rule) = rule {
            notes.differ(rule, mark(old), mark(new), says);
        }
        enum_values(notes, (old, before), (new, after));
    } else {
        let rule = match (a & !b != 0, b & !a != 0) {
            (true, true) => Some(&rules::TYPE_CHANGED),
            // A new list of enum values narrows the type, and is reported itself.
            (true, false) if new.enum_values.is_none() => Some(&rules::TYPE_NARROWED),
            (false, true) if old.enum_values.is_none() => Some(&rules::TYPE_WIDENED),
            (false, false)
                if old.types != new.types
                    && old.enum_values.is_none()
                    && new.enum_values.is_none() =>
            {
                Some(&rules::PARAMETER_RESPELLED)
            }
            _ => None,
        };
        if let Some(rule) = rule {
            notes.differ(rule, mark(old), mark(new), says);
        }
        listed(notes, old, new);
    }
    nulls(notes, old, new);
    true
}

/// Compares whether null is allowed.
pub(crate) fn nulls<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    let says = |flat: &Reading<'d>| flat.typed || !flat.choices.is_empty();
    if old.null != new.null && says(old) && says(new) {
        let rule = if new.null {
            &rules::NULL_ADDED
        } else {
            &rules::NULL_REMOVED
        };
        let mark = |flat: &Reading<'d>| {
            let said = flat.null_keyword();
            Mark::within(Some(said.unwrap_or(flat.home)), flat.home)
        };
        notes.differ(rule, mark(old), mark(new), || {
            let not = if new.null { "now" } else { "no longer" };
            format!("null is {not} allowed")
        });
    }
}

/// Returns the types of a form: in a plain string, a string includes every scalar.
fn in_form(allowed: u8, form: Form) -> u8 {
    if form.is_text() && allowed & types::STRING != 0 {
        allowed | types::NUMBER | types::BOOLEAN
    } else {
        allowed
    }
}

fn spell(flat: &Reading<'_>) -> String {
    let names = types::names(flat.types);
    if names.len() > 4 {
        "any".to_owned()
    } else if names.is_empty() {
        if flat.null { "null" } else { "nothing" }.to_owned()
    } else {
        names.join(" or ")
    }
}
