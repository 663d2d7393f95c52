//! Bounds of numbers, lengths and counts: of all that apply at once, the tightest counts.

use std::cmp::Ordering;
use std::fmt;

use serde_json::Value;

use super::meaning::Reading;
use super::types;
use crate::decimal::decimal;

/// Keyword that bounds a number, a length or a count.
#[derive(Debug, PartialEq, Eq)]
pub struct Limit {
    /// The keyword.
    pub name: &'static str,
    /// Types whose values it bounds.
    pub types: u8,
    /// Keyword of 3.1, or flag of 3.0, that excludes the bound itself.
    exclusive: Option<&'static str>,
    is_lower: bool,
    /// Bound that excludes nothing.
    vacuous: Option<u64>,
    /// Keyword without which there is nothing to bound.
    counted: Option<&'static str>,
}

const fn least(name: &'static str, types: u8) -> Limit {
    Limit {
        name,
        types,
        exclusive: None,
        is_lower: true,
        vacuous: Some(0),
        counted: None,
    }
}

const fn most(name: &'static str, types: u8) -> Limit {
    Limit {
        is_lower: false,
        vacuous: None,
        ..least(name, types)
    }
}

/// The least number.
pub const MINIMUM: Limit = Limit {
    exclusive: Some("exclusiveMinimum"),
    vacuous: None,
    ..least("minimum", types::NUMBER)
};

/// The greatest number.
pub const MAXIMUM: Limit = Limit {
    exclusive: Some("exclusiveMaximum"),
    ..most("maximum", types::NUMBER)
};

/// All bounds.
pub const BOUNDS: [Limit; 10] = [
    MINIMUM,
    MAXIMUM,
    least("minLength", types::STRING),
    most("maxLength", types::STRING),
    least("minItems", types::ARRAY),
    most("maxItems", types::ARRAY),
    least("minProperties", types::OBJECT),
    most("maxProperties", types::OBJECT),
    Limit {
        vacuous: Some(1),
        counted: Some("contains"),
        ..least("minContains", types::ARRAY)
    },
    Limit {
        counted: Some("contains"),
        ..most("maxContains", types::ARRAY)
    },
];

/// A bound of a schema.
#[derive(Clone, Debug)]
pub struct Bound<'d> {
    /// Value of the keyword.
    pub value: &'d Value,
    /// True if the value itself is not allowed.
    pub is_excluded: bool,
    /// Nearest allowed whole number, if only whole numbers are allowed.
    pub whole: Option<i128>,
}

impl PartialEq for Bound<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.whole, other.whole) {
            (Some(a), Some(b)) => a == b,
            _ => {
                self.is_excluded == other.is_excluded
                    && compare(self.value, other.value) == Ordering::Equal
            }
        }
    }
}

impl fmt::Display for Bound<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let excluded = if self.is_excluded { " (excluded)" } else { "" };
        write!(f, "{}{excluded}", self.value)
    }
}

impl<'d> Reading<'d> {
    /// Returns the tightest of a schema's bounds, if it excludes any value.
    pub fn bound(&self, limit: &Limit) -> Option<Bound<'d>> {
        let is_whole = self.types & types::NUMBER == types::INTEGER;
        let mut tightest: Option<Bound<'d>> = None;
        for part in &self.parts {
            let exclusive = limit.exclusive.and_then(|keyword| part.get(keyword));
            let own = part.get(limit.name);
            let own = own.map(|value| (value, exclusive == Some(&Value::Bool(true))));
            let other = exclusive.filter(|value| !value.is_boolean());
            for (value, is_excluded) in own.into_iter().chain(other.map(|value| (value, true))) {
                let whole = is_whole
                    .then(|| limit.nearest(value, is_excluded))
                    .flatten();
                let bound = Bound {
                    value,
                    is_excluded,
                    whole,
                };
                tightest = match tightest {
                    Some(now) if limit.order(&now, &bound) != Ordering::Less => Some(now),
                    _ => Some(bound),
                };
            }
        }
        tightest.filter(|bound| {
            let is_vacuous = limit.vacuous.is_some() && bound.value.as_u64() == limit.vacuous;
            !is_vacuous && !limit.is_implied(bound, self)
        })
    }
}

impl Limit {
    /// Returns whether a schema has values that the keyword bounds.
    pub fn applies(&self, reading: &Reading<'_>) -> bool {
        let is_counted = self
            .counted
            .is_none_or(|keyword| reading.first(keyword).is_some());
        is_counted && reading.allows(self.types)
    }

    /// Returns whether a bound excludes less than its absence.
    pub fn is_looser_than_none(&self, bound: &Bound<'_>) -> bool {
        bound
            .value
            .as_u64()
            .is_some_and(|number| Some(number) < self.vacuous)
    }

    /// Returns whether the required members of a schema are as many as a bound asks for.
    pub fn is_implied(&self, bound: &Bound<'_>, reading: &Reading<'_>) -> bool {
        let lists = reading.all("required").filter_map(Value::as_array);
        let most = lists.map(Vec::len).max();
        let number = bound.value.as_u64();
        self.name == "minProperties"
            && most.is_some_and(|most| number.is_some_and(|number| number <= most as u64))
    }

    /// Returns whether a bound excludes none of the values that a schema lists.
    pub fn admits_all(&self, bound: &Bound<'_>, reading: &Reading<'_>) -> bool {
        let mut listed = reading.enum_values.iter().flatten();
        listed.all(|one| self.admits(bound, one.value))
    }

    fn admits(&self, bound: &Bound<'_>, value: &Value) -> bool {
        let size = match (value, self.types) {
            (Value::String(text), types::STRING) => Value::from(text.chars().count()),
            (Value::Number(_), types::NUMBER) => value.clone(),
            (Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null, _) => {
                return true;
            }
            _ => return false,
        };
        match compare(&size, bound.value) {
            Ordering::Equal => !bound.is_excluded,
            Ordering::Greater => self.is_lower,
            Ordering::Less => !self.is_lower,
        }
    }

    /// Returns `Less` if the second is the tighter one.
    pub fn order(&self, a: &Bound<'_>, b: &Bound<'_>) -> Ordering {
        if let (Some(a), Some(b)) = (a.whole, b.whole) {
            return self.directed(a.cmp(&b));
        }
        let order = self.directed(compare(a.value, b.value));
        order.then(a.is_excluded.cmp(&b.is_excluded))
    }

    fn directed(&self, order: Ordering) -> Ordering {
        if self.is_lower {
            order
        } else {
            order.reverse()
        }
    }

    /// Returns the first whole number within a bound.
    fn nearest(&self, value: &Value, is_excluded: bool) -> Option<i128> {
        let step = if self.is_lower { 1 } else { -1 };
        if let Some(whole) = whole(value) {
            return Some(if is_excluded { whole + step } else { whole });
        }
        let number = decimal(value)?;
        let near = number.truncated()?;
        Some(match (self.is_lower, number.is_negative()) {
            (true, false) => near + 1,
            (false, true) => near - 1,
            _ => near,
        })
    }
}

/// Returns a whole number that fits 128 bits.
pub fn whole(value: &Value) -> Option<i128> {
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
