//! Bounds of numbers, lengths and counts.

use std::cmp::Ordering;

use serde_json::Value;

use crate::diff::schemas::comparison::Comparison;
use crate::diff::schemas::flat::Flat;
use crate::diff::verdicts::{Mark, Pair, rules};

impl<'d> Comparison<'d> {
    /// Bounds of all sorts, the tightest of each.
    pub(in crate::diff) fn bounds(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>) {
        for sort in &BOUNDS {
            let (a, b) = (sort.of(old), sort.of(new));
            let (rule, what) = match (&a, &b) {
                (None, None) => continue,
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
                        Ordering::Equal => continue,
                        Ordering::Less => &rules::BOUND_TIGHTENED,
                        Ordering::Greater => &rules::BOUND_LOOSENED,
                    };
                    (rule, format!("`{}` changed from {a} to {b}", sort.name))
                }
            };
            let mark = |bound: Option<Bound<'d>>, flat: &Flat<'d>| {
                Mark::within(bound.map(|bound| bound.value), flat.home)
            };
            self.differ(pair, rule, mark(a, old), mark(b, new), || what);
        }
    }
}

/// A keyword that bounds a number, a length or a count.
struct Sort {
    name: &'static str,
    /// The keyword of 3.1, or the flag of 3.0, by which the bound itself is excluded.
    exclusive: Option<&'static str>,
    lower: bool,
    /// The bound that is the same as none.
    vacuous: Option<u64>,
}

const BOUNDS: [Sort; 10] = [
    Sort {
        name: "minimum",
        exclusive: Some("exclusiveMinimum"),
        lower: true,
        vacuous: None,
    },
    Sort {
        name: "maximum",
        exclusive: Some("exclusiveMaximum"),
        lower: false,
        vacuous: None,
    },
    Sort {
        name: "minLength",
        exclusive: None,
        lower: true,
        vacuous: Some(0),
    },
    Sort {
        name: "maxLength",
        exclusive: None,
        lower: false,
        vacuous: None,
    },
    Sort {
        name: "minItems",
        exclusive: None,
        lower: true,
        vacuous: Some(0),
    },
    Sort {
        name: "maxItems",
        exclusive: None,
        lower: false,
        vacuous: None,
    },
    Sort {
        name: "minProperties",
        exclusive: None,
        lower: true,
        vacuous: Some(0),
    },
    Sort {
        name: "maxProperties",
        exclusive: None,
        lower: false,
        vacuous: None,
    },
    Sort {
        name: "minContains",
        exclusive: None,
        lower: true,
        vacuous: Some(1),
    },
    Sort {
        name: "maxContains",
        exclusive: None,
        lower: false,
        vacuous: None,
    },
];

struct Bound<'d> {
    value: &'d Value,
    excluded: bool,
}

impl std::fmt::Display for Bound<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let excluded = if self.excluded { " (excluded)" } else { "" };
        write!(f, "{}{excluded}", self.value)
    }
}

impl Sort {
    /// The tightest bound that a schema has.
    fn of<'d>(&self, flat: &Flat<'d>) -> Option<Bound<'d>> {
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
                consider(Bound {
                    value,
                    excluded: exclusive == Some(&Value::Bool(true)),
                });
            }
            if let Some(value) = exclusive.filter(|value| !value.is_boolean()) {
                consider(Bound {
                    value,
                    excluded: true,
                });
            }
        }
        tightest.filter(|bound| self.vacuous.is_none() || bound.value.as_u64() != self.vacuous)
    }

    /// Less when the second is the tighter one.
    fn order(&self, a: &Bound<'_>, b: &Bound<'_>) -> Ordering {
        let order = compare(a.value, b.value);
        let order = if self.lower { order } else { order.reverse() };
        order.then(a.excluded.cmp(&b.excluded))
    }
}

/// Numbers in their order; what is no number comes by its text, so that a change of it is not silent.
fn compare(a: &Value, b: &Value) -> Ordering {
    let whole = |value: &Value| {
        value
            .as_i64()
            .map(i128::from)
            .or_else(|| value.as_u64().map(i128::from))
    };
    match (whole(a), whole(b), a.as_f64(), b.as_f64()) {
        (Some(a), Some(b), ..) => a.cmp(&b),
        (_, _, Some(a), Some(b)) => a.total_cmp(&b),
        _ => a.to_string().cmp(&b.to_string()),
    }
}
