//! Patterns, multiples of numbers, repeated elements; formats and encodings are in other modules.

use serde_json::Value;

use super::encodings::encodings;
use super::formats::formats;
use super::keywords::{holds, without_effect};
use crate::schemas::comparison::Notes;
use crate::verdicts::rules;
use openapi_schemas::decimal::{decimal, first_alone};
use openapi_schemas::reading::{Reading, types};

/// Compares patterns, formats, encodings, multiples, and repetitions.
pub(crate) fn texts<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    use rules::{
        PATTERN_ADDED, PATTERN_CHANGED, PATTERN_REMOVED, STEP_ADDED, STEP_CHANGED, STEP_REMOVED,
    };
    for (keyword, allowed, added, removed, other) in [
        (
            "pattern",
            types::STRING,
            &PATTERN_ADDED,
            &PATTERN_REMOVED,
            &PATTERN_CHANGED,
        ),
        (
            "multipleOf",
            types::NUMBER,
            &STEP_ADDED,
            &STEP_REMOVED,
            &STEP_CHANGED,
        ),
    ] {
        if !holds(notes, [keyword], allowed, old, new) {
            continue;
        }
        let values = |flat: &Reading<'d>| {
            flat.all(keyword)
                .filter(|value| !allows_all(keyword, value, flat.types))
                .collect::<Vec<_>>()
        };
        let (a, b) = (values(old), values(new));
        let (gone, come) = (first_alone(&a, &b), first_alone(&b, &a));
        let rule = match (gone, come) {
            (None, None) => continue,
            (None, Some(_)) => added,
            (Some(_), None) => removed,
            (Some(a), Some(b)) if keyword == "multipleOf" => {
                if is_multiple(b, a) {
                    added
                } else if is_multiple(a, b) {
                    removed
                } else {
                    other
                }
            }
            _ => other,
        };
        notes.changed(rule, keyword, (old, gone), (new, come));
    }
    formats(notes, old, new);
    encodings(notes, old, new);
    if !holds(notes, ["uniqueItems"], types::ARRAY, old, new) {
        return;
    }
    // A single element cannot repeat.
    let is_one = |flat: &Reading<'d>| {
        let most = flat.all("maxItems").filter_map(Value::as_u64).min();
        most.is_some_and(|most| most <= 1)
    };
    if is_one(old) && is_one(new) {
        without_effect(notes, "uniqueItems", old, new);
    } else if old.says("uniqueItems") != new.says("uniqueItems") {
        let rule = if new.says("uniqueItems") {
            &rules::UNIQUE_ADDED
        } else {
            &rules::UNIQUE_REMOVED
        };
        let (a, b) = (old.first("uniqueItems"), new.first("uniqueItems"));
        notes.changed(rule, "uniqueItems", (old, a), (new, b));
    }
}

/// Returns whether a pattern matches every string, or a multiple includes every whole number.
fn allows_all(keyword: &str, value: &Value, allowed: u8) -> bool {
    if keyword == "multipleOf" {
        return allowed & types::FRACTION == 0 && value.as_f64() == Some(1.0);
    }
    matches!(value.as_str(), Some("" | ".*" | "^.*$" | "^.*" | ".*$"))
}

/// Returns whether one number is a multiple of the other.
fn is_multiple(large: &Value, small: &Value) -> bool {
    let numbers = decimal(large).zip(decimal(small));
    numbers.is_some_and(|(large, small)| large.is_multiple_of(&small))
}
