//! Which plain values a schema allows: types, null, words, bounds, patterns, formats.

use std::cmp::Ordering;

use serde_json::Value;

use crate::diff::schemas::comparison::{Comparison, Form, Mark, Pair, way};
use crate::diff::schemas::flat::flatten::{Flat, Word, same, types};
use crate::diff::verdicts::rules::{self, Rule};
use crate::diff::verdicts::say::{changed, quote};

impl<'d> Comparison<'d> {
    /// A difference between two schemas.
    pub(in crate::diff) fn differ(
        &mut self,
        pair: &mut Pair,
        rule: &'static Rule,
        old: Mark<'d>,
        new: Mark<'d>,
        what: impl FnOnce() -> String,
    ) {
        let delta = self.delta(rule, old, new, way::ALL, what);
        pair.deltas.push(delta);
    }

    /// Types, null and words. Returns whether the two have a type in common, so that the rest can be compared.
    pub(in crate::diff) fn kinds(
        &mut self,
        pair: &mut Pair,
        old: &Flat<'d>,
        new: &Flat<'d>,
        form: Form,
    ) -> bool {
        let mark = |flat: &Flat<'d>| {
            Mark::within(Some(flat.first("type").unwrap_or(flat.home)), flat.home)
        };
        let says = || format!("the type changed from {} to {}", spell(old), spell(new));
        let (a, b) = (in_form(old.types, form), in_form(new.types, form));
        if (old.types | new.types) & types::UNKNOWN != 0 && old.typed && new.typed {
            let raw = |flat: &Flat<'d>| flat.all("type").collect::<Vec<_>>();
            if raw(old) != raw(new) {
                self.differ(pair, &rules::UNHANDLED, mark(old), mark(new), says);
            }
        } else if a & b == 0 && !(old.null && new.null) && (a | b != 0 || old.null != new.null) {
            let rule = match (a == 0 && !old.null, b == 0 && !new.null) {
                (true, _) => &rules::TYPE_WIDENED,
                (_, true) => &rules::TYPE_NARROWED,
                _ => &rules::TYPE_CHANGED,
            };
            self.differ(pair, rule, mark(old), mark(new), says);
            return false;
        } else if let (Some(before), Some(after)) = (&old.words, &new.words) {
            self.words(pair, (old, before), (new, after));
        } else {
            let rule = match (a & !b != 0, b & !a != 0) {
                (true, true) => Some(&rules::TYPE_CHANGED),
                // A list of words is less than their type, and says so itself.
                (true, false) if new.words.is_none() => Some(&rules::TYPE_NARROWED),
                (false, true) if old.words.is_none() => Some(&rules::TYPE_WIDENED),
                (false, false)
                    if old.types != new.types && old.words.is_none() && new.words.is_none() =>
                {
                    Some(&rules::PARAMETER_RESPELLED)
                }
                _ => None,
            };
            if let Some(rule) = rule {
                self.differ(pair, rule, mark(old), mark(new), says);
            }
            self.listed(pair, old, new);
        }
        if old.null != new.null
            && (old.typed && new.typed || !old.groups.is_empty() && !new.groups.is_empty())
        {
            let rule = if new.null {
                &rules::NULL_ADDED
            } else {
                &rules::NULL_REMOVED
            };
            let mark = |flat: &Flat<'d>| {
                let said = flat.first("nullable").or_else(|| flat.first("type"));
                Mark::within(Some(said.unwrap_or(flat.home)), flat.home)
            };
            self.differ(pair, rule, mark(old), mark(new), || {
                let not = if new.null { "now" } else { "no longer" };
                format!("null is {not} allowed")
            });
        }
        true
    }

    /// That words are listed now, or no longer.
    fn listed(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>) {
        let mark = |flat: &Flat<'d>| {
            let list = ["enum", "const", "oneOf", "anyOf"]
                .iter()
                .find_map(|keyword| flat.first(keyword));
            Mark::within(list, flat.home)
        };
        let none = |flat: &Flat<'d>| Mark::within(None, flat.home);
        match (&old.words, &new.words) {
            (None, Some(words)) => {
                self.differ(pair, &rules::ENUM_INTRODUCED, none(old), mark(new), || {
                    format!("only these words are allowed now: {}", spell_words(words))
                })
            }
            (Some(words), None) => {
                self.differ(pair, &rules::ENUM_LIFTED, mark(old), none(new), || {
                    format!(
                        "any value is allowed, no longer only {}",
                        spell_words(words)
                    )
                })
            }
            _ => {}
        }
    }

    fn words(
        &mut self,
        pair: &mut Pair,
        old: (&Flat<'d>, &Vec<Word<'d>>),
        new: (&Flat<'d>, &Vec<Word<'d>>),
    ) {
        if let ([a], [b]) = (old.1.as_slice(), new.1.as_slice())
            && !same(a.value, b.value)
        {
            self.differ(
                pair,
                &rules::CONST_CHANGED,
                Mark::within(Some(a.value), old.0.home),
                Mark::within(Some(b.value), new.0.home),
                || {
                    format!(
                        "the only value changed from {} to {}",
                        quote(a.value),
                        quote(b.value)
                    )
                },
            );
            return;
        }
        for word in old.1 {
            match new.1.iter().find(|other| same(word.value, other.value)) {
                None => self.differ(
                    pair,
                    &rules::WORD_REMOVED,
                    Mark::within(Some(word.value), old.0.home),
                    Mark::within(None, new.0.home),
                    || format!("the word {} is gone", quote(word.value)),
                ),
                Some(other) => {
                    if let (Some(a), Some(b)) = (word.about, other.about) {
                        for key in a
                            .as_object()
                            .into_iter()
                            .chain(b.as_object())
                            .flat_map(|map| map.keys())
                        {
                            if crate::diff::schemas::flat::flatten::is_annotation(key)
                                && a.get(key) != b.get(key)
                            {
                                self.annotation(
                                    pair,
                                    key,
                                    Mark::within(a.get(key), a),
                                    Mark::within(b.get(key), b),
                                    Form::Data,
                                );
                            }
                        }
                    }
                }
            }
        }
        for word in new.1 {
            if !old.1.iter().any(|other| same(word.value, other.value)) {
                self.differ(
                    pair,
                    &rules::WORD_ADDED,
                    Mark::within(None, old.0.home),
                    Mark::within(Some(word.value), new.0.home),
                    || format!("the word {} is new", quote(word.value)),
                );
            }
        }
    }

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

    /// Patterns, formats, encodings, steps, repetitions.
    pub(in crate::diff) fn texts(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>) {
        use rules::{
            ENCODING_CHANGED, PATTERN_ADDED, PATTERN_CHANGED, PATTERN_REMOVED, STEP_ADDED,
            STEP_CHANGED, STEP_REMOVED,
        };
        for (keyword, added, removed, other) in [
            (
                "pattern",
                &PATTERN_ADDED,
                &PATTERN_REMOVED,
                &PATTERN_CHANGED,
            ),
            ("multipleOf", &STEP_ADDED, &STEP_REMOVED, &STEP_CHANGED),
            (
                "contentEncoding",
                &ENCODING_CHANGED,
                &ENCODING_CHANGED,
                &ENCODING_CHANGED,
            ),
            (
                "contentMediaType",
                &ENCODING_CHANGED,
                &ENCODING_CHANGED,
                &ENCODING_CHANGED,
            ),
        ] {
            let values = |flat: &Flat<'d>| {
                flat.all(keyword)
                    .filter(|value| !allows_all(value))
                    .collect::<Vec<_>>()
            };
            let (a, b) = (values(old), values(new));
            let gone = a.iter().find(|a| !b.iter().any(|b| same(a, b))).copied();
            let come = b.iter().find(|b| !a.iter().any(|a| same(a, b))).copied();
            let rule = match (gone, come) {
                (None, None) => continue,
                (None, Some(_)) => added,
                (Some(_), None) => removed,
                (Some(a), Some(b)) if keyword == "multipleOf" => match (a.as_u64(), b.as_u64()) {
                    (Some(a), Some(b)) if a != 0 && b % a == 0 => added,
                    (Some(a), Some(b)) if b != 0 && a % b == 0 => removed,
                    _ => other,
                },
                _ => other,
            };
            self.differ(
                pair,
                rule,
                Mark::within(gone, old.home),
                Mark::within(come, new.home),
                || changed(keyword, gone, come),
            );
        }
        let formats = |flat: &Flat<'d>| flat.all("format").collect::<Vec<_>>();
        let (a, b) = (formats(old), formats(new));
        let gone = a.iter().find(|a| !b.contains(a)).copied();
        let come = b.iter().find(|b| !a.contains(b)).copied();
        let rule = match (gone.and_then(Value::as_str), come.and_then(Value::as_str)) {
            (Some("int32"), Some("int64")) | (Some("float"), Some("double")) => {
                Some(&rules::FORMAT_WIDENED)
            }
            (Some("int64"), Some("int32")) | (Some("double"), Some("float")) => {
                Some(&rules::FORMAT_NARROWED)
            }
            _ => match (gone, come) {
                (None, None) => None,
                (Some(_), None) => Some(&rules::FORMAT_WIDENED),
                (None, Some(_)) => Some(&rules::FORMAT_NARROWED),
                (Some(_), Some(_)) => Some(&rules::FORMAT_CHANGED),
            },
        };
        if let Some(rule) = rule {
            self.differ(
                pair,
                rule,
                Mark::within(gone, old.home),
                Mark::within(come, new.home),
                || changed("format", gone, come),
            );
        }
        if old.says("uniqueItems") != new.says("uniqueItems") {
            let rule = if new.says("uniqueItems") {
                &rules::UNIQUE_ADDED
            } else {
                &rules::UNIQUE_REMOVED
            };
            let (a, b) = (old.first("uniqueItems"), new.first("uniqueItems"));
            self.differ(
                pair,
                rule,
                Mark::within(a, old.home),
                Mark::within(b, new.home),
                || changed("uniqueItems", a, b),
            );
        }
    }
}

/// Patterns that every text matches.
fn allows_all(value: &Value) -> bool {
    matches!(value.as_str(), Some("" | ".*" | "^.*$" | "^.*" | ".*$"))
}

/// Where everything is written as text, a text is anything plain.
fn in_form(allowed: u8, form: Form) -> u8 {
    if form != Form::Data && allowed & types::STRING != 0 {
        allowed | types::NUMBER | types::BOOLEAN
    } else {
        allowed
    }
}

fn spell(flat: &Flat<'_>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (bit, name) in [
        (types::BOOLEAN, "boolean"),
        (types::FRACTION, "number"),
        (types::STRING, "string"),
        (types::ARRAY, "array"),
        (types::OBJECT, "object"),
    ] {
        if flat.types & bit != 0 {
            names.push(name);
        }
    }
    if flat.types & types::NUMBER == types::INTEGER {
        names.push("integer");
    }
    if names.len() > 4 {
        "any".to_owned()
    } else if names.is_empty() {
        if flat.null { "null" } else { "nothing" }.to_owned()
    } else {
        names.join(" or ")
    }
}

fn spell_words(words: &[Word<'_>]) -> String {
    let all: Vec<String> = words.iter().map(|word| quote(word.value)).collect();
    match all.get(..5) {
        Some(first) if all.len() > 6 => format!("{} and {} more", first.join(", "), all.len() - 5),
        _ => all.join(", "),
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

/// Keywords that [`Comparison::bounds`] and [`Comparison::texts`] compare.
pub(in crate::diff) const PLAIN: [&str; 18] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
    "pattern",
    "multipleOf",
    "contentEncoding",
    "contentMediaType",
    "format",
    "uniqueItems",
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
