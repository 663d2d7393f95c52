//! Formats, as far as they exclude values. A format of another type, or one without a standard, excludes none.

use serde_json::Value;

use super::range::{Range, bounded, range};
use crate::schemas::comparison::{Notes, Readings};
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

pub(super) fn formats<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    let Readings { old, new } = both;
    let (before, after) = (written(old), written(new));
    let common = old.types & new.types;
    // A changed type is already reported.
    if common == 0 || before == after {
        return;
    }
    let gone = first_alone(&before, &after, common, |limits| {
        // The other side has no value beyond the range, or this side has none.
        range(new).is_within(limits) || bounded(old).is_within(limits)
    });
    let come = first_alone(&after, &before, common, |limits| {
        range(old).is_within(limits) || bounded(new).is_within(limits)
    });
    let rule = match (&gone, &come) {
        (None, None) => &rules::NO_EFFECT,
        (Some(_), None) => &rules::FORMAT_WIDENED,
        (None, Some(_)) => &rules::FORMAT_NARROWED,
        (Some(a), Some(b)) if is_within(a.format, b.format) => &rules::FORMAT_WIDENED,
        (Some(a), Some(b)) if is_within(b.format, a.format) => &rules::FORMAT_NARROWED,
        (Some(_), Some(_)) => &rules::FORMAT_CHANGED,
    };
    let gone = gone.map(|gone| gone.value);
    let come = come.map(|come| come.value);
    let gone = gone.or_else(|| before.iter().find(|value| !after.contains(value)).copied());
    let come = come.or_else(|| after.iter().find(|value| !before.contains(value)).copied());
    notes.changed(rule, both.keyword("format", gone, come));
}

/// Returns the formats of a schema, except those of encoded bytes.
fn written<'d>(flat: &Reading<'d>) -> Vec<&'d Value> {
    let listed = flat.all("format");
    let others = listed.filter(|value| !value.as_str().is_some_and(is_of_bytes));
    others.collect()
}

/// A format as written.
struct Written<'d> {
    value: &'d Value,
    format: Format<'d>,
}

/// Returns the first format that excludes values and that the other side lacks. One with a vacuous range excludes none.
fn first_alone<'d>(
    own: &[&'d Value],
    others: &[&'d Value],
    types: u8,
    is_vacuous: impl Fn(Range) -> bool,
) -> Option<Written<'d>> {
    own.iter().find_map(|value| {
        let format = format(value.as_str()?, types)?;
        let is_vacuous = matches!(format, Format::Range(limits) if is_vacuous(limits));
        let mut others = others
            .iter()
            .filter_map(|one| self::format(one.as_str()?, types));
        let is_alone = !is_vacuous && others.all(|other| other != format);
        is_alone.then_some(Written { value, format })
    })
}

/// Returns the values that a format excludes from these types.
fn format(name: &str, allowed: u8) -> Option<Format<'_>> {
    let allowed = if allowed & types::UNKNOWN != 0 {
        types::ALL
    } else {
        allowed
    };
    let limits = Range::of_format(name);
    match name {
        _ if allowed & types::NUMBER != 0 && limits.is_some() => limits.map(Format::Range),
        "float" if allowed & types::FRACTION != 0 => Some(Format::Single),
        _ if allowed & types::STRING != 0 && is_of_text(name) => Some(Format::Text(name)),
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
