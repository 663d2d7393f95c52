//! Formats, as far as they exclude values. A format of another type, or one without a standard, excludes none.

use serde_json::Value;

use super::range::{Range, bounded, range};
use crate::schemas::comparison::Notes;
use crate::verdicts::rules;
use openapi_schemas::reading::{Reading, is_of_bytes, is_of_text, types};

/// Formats whose values are all valid in the other format, too.
const WITHIN: [(&str, &str); 7] = [
    ("email", "idn-email"),
    ("hostname", "idn-hostname"),
    ("uri", "uri-reference"),
    ("uri", "iri"),
    ("uri", "iri-reference"),
    ("uri-reference", "iri-reference"),
    ("iri", "iri-reference"),
];

/// A format that excludes values.
#[derive(Clone, Copy, PartialEq)]
enum Format<'d> {
    /// Whole numbers outside of a range.
    Range(Range),
    /// Numbers that need more than 32 bits.
    Single,
    /// Strings with another syntax.
    Text(&'d str),
}

pub(super) fn formats<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    let raw = |flat: &Reading<'d>| -> Vec<&'d Value> {
        let listed = flat.all("format");
        listed
            .filter(|value| !value.as_str().is_some_and(is_of_bytes))
            .collect()
    };
    let (all_a, all_b) = (raw(old), raw(new));
    let common = old.types & new.types;
    let excluding = |all: &[&'d Value], flat: &Reading<'d>, others: &Reading<'d>| {
        let formats = all.iter().filter_map(|value| {
            let format = format(value.as_str()?, common)?;
            let is_vacuous = match format {
                // The other side has no value beyond the range, or this side has none.
                Format::Range(limits) => {
                    range(others).is_within(limits) || bounded(flat).is_within(limits)
                }
                _ => false,
            };
            (!is_vacuous).then_some((*value, format))
        });
        formats.collect::<Vec<_>>()
    };
    let (a, b) = (excluding(&all_a, old, new), excluding(&all_b, new, old));
    let has = |all: &[&'d Value], wanted: Format<'d>| {
        let mut formats = all.iter().filter_map(|one| format(one.as_str()?, common));
        formats.any(|one| one == wanted)
    };
    let gone = a.iter().find(|(_, format)| !has(&all_b, *format));
    let come = b.iter().find(|(_, format)| !has(&all_a, *format));
    let rule = match (gone, come) {
        (None, None) if all_a == all_b => return,
        (None, None) => &rules::NO_EFFECT,
        (Some(_), None) => &rules::FORMAT_WIDENED,
        (None, Some(_)) => &rules::FORMAT_NARROWED,
        (Some((_, a)), Some((_, b))) if is_within(*a, *b) => &rules::FORMAT_WIDENED,
        (Some((_, a)), Some((_, b))) if is_within(*b, *a) => &rules::FORMAT_NARROWED,
        (Some(_), Some(_)) => &rules::FORMAT_CHANGED,
    };
    // A changed type is already reported.
    if old.types & new.types == 0 {
        return;
    }
    let shown =
        |found: Option<&(&'d Value, Format<'d>)>, own: &[&'d Value], others: &[&'d Value]| {
            let differing = own.iter().find(|value| !others.contains(value)).copied();
            found.map(|(value, _)| *value).or(differing)
        };
    let (x, y) = (shown(gone, &all_a, &all_b), shown(come, &all_b, &all_a));
    notes.changed(rule, "format", (old, x), (new, y));
}

/// Returns the values that a format excludes from these types.
fn format(name: &str, allowed: u8) -> Option<Format<'_>> {
    let has = |types: u8| allowed & (types | types::UNKNOWN) != 0;
    let limits = Range::of_format(name).filter(|_| has(types::NUMBER));
    if let Some(limits) = limits {
        return Some(Format::Range(limits));
    }
    match name {
        "float" if has(types::FRACTION) => Some(Format::Single),
        _ if is_of_text(name) && has(types::STRING) => Some(Format::Text(name)),
        _ => None,
    }
}

fn is_within(inner: Format<'_>, outer: Format<'_>) -> bool {
    match (inner, outer) {
        (Format::Text(inner), Format::Text(outer)) => WITHIN.contains(&(inner, outer)),
        (Format::Range(inner), Format::Range(outer)) => inner.is_within(outer),
        _ => false,
    }
}
