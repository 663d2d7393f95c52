//! Bounds of numbers, lengths and counts.

use std::cmp::Ordering;

use serde_json::Value;

use super::keywords::without_effect;
use crate::decimal::{decimal, written};
use crate::schemas::comparison::Notes;
use crate::schemas::flat::{Flat, types};
use crate::verdicts::{Mark, rules};

/// Compares bounds of all sorts, the tightest of each.
pub(crate) fn bounds<'d>(notes: &mut Notes<'_, 'd>, old: &Flat<'d>, new: &Flat<'d>) {
    for sort in BOUNDS {
        let has = |flat: &Flat<'d>| flat.types & (sort.types | types::UNKNOWN) != 0;
        if !(has(old) && has(new)) {
            // If a type is added or removed, the type is reported.
            if !has(old) && !has(new) {
                without_effect(notes, sort.name, old, new);
            }
            continue;
        }
        // Listed values are the only ones.
        let are_listed = old.enum_values.is_some() && new.enum_values.is_some();
        let excluding = |flat: &Flat<'d>| {
            let bound = sort.of(flat);
            bound.filter(|bound| !(are_listed && sort.admits_all(bound, flat)))
        };
        let (a, b) = (excluding(old), excluding(new));
        let (rule, what) = match (&a, &b) {
            (None, None) => {
                without_effect(notes, sort.name, old, new);
                continue;
            }
            // One side says by `required` what the other one bounds.
            (Some(bound), None) if sort.is_implied(bound, new) => {
                without_effect(notes, sort.name, old, new);
                continue;
            }
            (None, Some(bound)) if sort.is_implied(bound, old) => {
                without_effect(notes, sort.name, old, new);
                continue;
            }
            (None, Some(b)) => (
                &rules::BOUND_ADDED,
                format!("`{}` was added: {b}", sort.name),
            ),
            (Some(a), None) => (
                &rules::BOUND_REMOVED,
                format!("`{}` was removed: {a}", sort.name),
            ),
            (Some(a), Some(b)) => {
                let rule = match sort.order(a, b) {
                    Ordering::Equal => {
                        if a.to_string() != b.to_string() {
                            without_effect(notes, sort.name, old, new);
                        }
                        continue;
                    }
                    Ordering::Less => &rules::BOUND_TIGHTENED,
                    Ordering::Greater => &rules::BOUND_LOOSENED,
                };
                (rule, format!("`{}` changed from {a} to {b}", sort.name))
            }
        };
        let mark = |bound: Option<Bound<'d>>, flat: &Flat<'d>| {
            Mark::within(bound.map(|bound| bound.value), flat.home)
        };
        notes.differ(rule, mark(a, old), mark(b, new), || what);
    }
}

/// Keyword that bounds a number, a length or a count.
pub(super) struct Sort {
    name: &'static str,
    /// Types whose values it bounds.
    types: u8,
    /// Keyword of 3.1, or flag of 3.0, that excludes the bound itself.
    exclusive: Option<&'static str>,
    lower: bool,
    /// Bound that excludes nothing.
    vacuous: Option<u64>,
}

const fn least(name: &'static str, types: u8) -> Sort {
    Sort {
        name,
        types,
        exclusive: None,
        lower: true,
        vacuous: Some(0),
    }
}

const fn most(name: &'static str, types: u8) -> Sort {
    Sort {
        lower: false,
        vacuous: None,
        ..least(name, types)
    }
}

pub(super) const MINIMUM: Sort = Sort {
    exclusive: Some("exclusiveMinimum"),
    vacuous: None,
    ..least("minimum", types::NUMBER)
};

pub(super) const MAXIMUM: Sort = Sort {
    exclusive: Some("exclusiveMaximum"),
    ..most("maximum", types::NUMBER)
};

const BOUNDS: [Sort; 10] = [
    MINIMUM,
    MAXIMUM,
    least("minLength", types::STRING),
    most("maxLength", types::STRING),
    least("minItems", types::ARRAY),
    most("maxItems", types::ARRAY),
    least("minProperties", types::OBJECT),
    most("maxProperties", types::OBJECT),
    Sort {
        vacuous: Some(1),
        ..least("minContains", types::ARRAY)
    },
    most("maxContains", types::ARRAY),
];

pub(super) struct Bound<'d> {
    value: &'d Value,
    excluded: bool,
    /// Nearest allowed whole number, if only whole numbers are allowed.
    pub(super) whole: Option<i128>,
}

impl std::fmt::Display for Bound<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let excluded = if self.excluded { " (excluded)" } else { "" };
        write!(f, "{}{excluded}", written(self.value))
    }
}

impl Sort {
    /// Returns the tightest bound of a schema.
    pub(super) fn of<'d>(&self, flat: &Flat<'d>) -> Option<Bound<'d>> {
        let is_whole = flat.types & types::NUMBER == types::INTEGER;
        let bound = |value: &'d Value, excluded: bool| Bound {
            value,
            excluded,
            whole: is_whole.then(|| self.nearest(value, excluded)).flatten(),
        };
        let mut tightest: Option<Bound<'d>> = None;
        let mut consider = |bound: Bound<'d>| {
            if tightest
                .as_ref()
                .is_none_or(|now| self.order(now, &bound) == Ordering::Less)
            {
                tightest = Some(bound);
            }
        };
        for part in &flat.parts {
            let exclusive = self.exclusive.and_then(|exclusive| part.get(exclusive));
            if let Some(value) = part.get(self.name) {
                consider(bound(value, exclusive == Some(&Value::Bool(true))));
            }
            if let Some(value) = exclusive.filter(|value| !value.is_boolean()) {
                consider(bound(value, true));
            }
        }
        tightest.filter(|bound| {
            let is_vacuous = self.vacuous.is_some() && bound.value.as_u64() == self.vacuous;
            !is_vacuous && !self.is_implied(bound, flat)
        })
    }

    /// Returns whether the required properties of a schema are as many as a bound asks for.
    fn is_implied(&self, bound: &Bound<'_>, flat: &Flat<'_>) -> bool {
        let lists = flat.all("required").filter_map(Value::as_array);
        let most = lists.map(Vec::len).max();
        let number = bound.value.as_u64();
        self.name == "minProperties"
            && most.is_some_and(|most| number.is_some_and(|number| number <= most as u64))
    }

    /// Returns whether a bound excludes none of the values that a schema lists.
    fn admits_all(&self, bound: &Bound<'_>, flat: &Flat<'_>) -> bool {
        let admits = |value: &Value| {
            let size = match (value, self.types) {
                (Value::String(text), types::STRING) => Value::from(text.chars().count()),
                (value, types::NUMBER) if decimal(value).is_some() => value.clone(),
                (Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null, _) => {
                    return true;
                }
                _ => return false,
            };
            match compare(&size, bound.value) {
                Ordering::Equal => !bound.excluded,
                Ordering::Greater => self.lower,
                Ordering::Less => !self.lower,
            }
        };
        let listed = flat.enum_values.iter().flatten();
        listed.map(|one| one.value).all(admits)
    }

    /// Returns `Less` if the second is the tighter one.
    fn order(&self, a: &Bound<'_>, b: &Bound<'_>) -> Ordering {
        let directed = |order: Ordering| if self.lower { order } else { order.reverse() };
        if let (Some(a), Some(b)) = (a.whole, b.whole) {
            return directed(a.cmp(&b));
        }
        directed(compare(a.value, b.value)).then(a.excluded.cmp(&b.excluded))
    }

    /// Returns the first whole number within a bound.
    fn nearest(&self, value: &Value, excluded: bool) -> Option<i128> {
        let step = if self.lower { 1 } else { -1 };
        if let Some(whole) = whole(value) {
            return Some(if excluded { whole + step } else { whole });
        }
        let number = decimal(value)?;
        let near = number.truncated()?;
        Some(match (self.lower, number.is_negative()) {
            (true, false) => near + 1,
            (false, true) => near - 1,
            _ => near,
        })
    }
}

/// Returns a whole number that fits 128 bits.
pub(super) fn whole(value: &Value) -> Option<i128> {
    let number = decimal(value)?;
    number.is_whole().then(|| number.truncated()).flatten()
}

/// Compares numbers; other values are compared as strings, so that their changes are reported.
fn compare(a: &Value, b: &Value) -> Ordering {
    match (decimal(a), decimal(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.to_string().cmp(&b.to_string()),
    }
}
