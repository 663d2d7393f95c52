//! Patterns, multiples of numbers, repeated elements; formats and encodings are in other modules.

use regex_lite::Regex;
use serde_json::Value;

use super::encodings::encodings;
use super::formats::formats;
use super::keywords::{holds, without_effect};
use crate::schemas::comparison::{Notes, Readings};
use crate::verdicts::{Keyword, rules};
use openapi_schemas::decimal::{decimal, first_alone};
use openapi_schemas::reading::{Reading, types};

/// Compares patterns, formats, encodings, multiples, and repetitions.
pub(crate) fn texts<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    if holds(notes, ["pattern"], types::STRING, both) {
        patterns(notes, both);
    }
    if holds(notes, ["multipleOf"], types::NUMBER, both) {
        multiples(notes, both);
    }
    formats(notes, both);
    encodings(notes, both);
    if holds(notes, ["uniqueItems"], types::ARRAY, both) {
        repetitions(notes, both);
    }
}

fn patterns<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    let keyword = alone(both, "pattern", |_, other, pattern| {
        match pattern.as_str() {
            Some("" | ".*" | "^.*$" | "^.*" | ".*$") => true,
            Some(pattern) => match_all(other, pattern),
            None => false,
        }
    });
    match (keyword.old, keyword.new) {
        (None, None) => {}
        (None, Some(_)) => notes.changed(&rules::PATTERN_ADDED, keyword),
        (Some(_), None) => notes.changed(&rules::PATTERN_REMOVED, keyword),
        (Some(_), Some(_)) => notes.changed(&rules::PATTERN_CHANGED, keyword),
    }
}

fn multiples<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    // Every whole number is a multiple of 1.
    let keyword = alone(both, "multipleOf", |flat, _, step| {
        flat.types & types::FRACTION == 0 && step.as_f64() == Some(1.0)
    });
    let rule = match (keyword.old, keyword.new) {
        (None, None) => return,
        (None, Some(_)) => &rules::STEP_ADDED,
        (Some(_), None) => &rules::STEP_REMOVED,
        (Some(old), Some(new)) if is_multiple(new, old) => &rules::STEP_ADDED,
        (Some(old), Some(new)) if is_multiple(old, new) => &rules::STEP_REMOVED,
        (Some(_), Some(_)) => &rules::STEP_CHANGED,
    };
    notes.changed(rule, keyword);
}

/// Returns whether all values that a schema lists match a pattern.
fn match_all(flat: &Reading<'_>, pattern: &str) -> bool {
    let listed = flat.enum_values.as_ref().zip(Regex::new(pattern).ok());
    listed.is_some_and(|(values, pattern)| {
        let mut texts = values.iter().filter_map(|one| one.value.as_str());
        texts.all(|text| pattern.is_match(text))
    })
}

/// Returns a keyword with the first value that the other side lacks, on each side. Values that allow all are left out: of the schema, or of
/// the other one.
fn alone<'d>(
    both: Readings<'_, 'd>,
    name: &'static str,
    allows_all: fn(&Reading<'d>, &Reading<'d>, &Value) -> bool,
) -> Keyword<'static, 'd> {
    let sides = [(both.old, both.new), (both.new, both.old)];
    let [old, new] = sides.map(|(flat, other)| -> Vec<&'d Value> {
        let restricting = flat
            .all(name)
            .filter(|value| !allows_all(flat, other, value));
        restricting.collect()
    });
    both.keyword(name, first_alone(&old, &new), first_alone(&new, &old))
}

fn repetitions<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    let keyword = both.first("uniqueItems");
    match (both.old.says(keyword.name), both.new.says(keyword.name)) {
        // A single element cannot repeat.
        _ if has_one_element(both.old) && has_one_element(both.new) => {
            without_effect(notes, keyword.name, both);
        }
        (false, true) => notes.changed(&rules::UNIQUE_ADDED, keyword),
        (true, false) => notes.changed(&rules::UNIQUE_REMOVED, keyword),
        _ => {}
    }
}

/// Returns whether a list has one element at most.
fn has_one_element(flat: &Reading<'_>) -> bool {
    let most = flat.all("maxItems").filter_map(Value::as_u64).min();
    most.is_some_and(|most| most <= 1)
}

/// Returns whether one number is a multiple of the other.
fn is_multiple(large: &Value, small: &Value) -> bool {
    let numbers = decimal(large).zip(decimal(small));
    numbers.is_some_and(|(large, small)| large.is_multiple_of(&small))
}
