//! The values listed by `enum`, `const`, or equivalent alternatives.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::schemas::annotations::annotation;
use crate::schemas::comparison::{Form, Notes, Readings};
use crate::verdicts::{Rule, quote, rules};
use openapi_document::keywords::is_annotation;
use openapi_document::readable;
use openapi_schemas::decimal::{Decimal, Key};
use openapi_schemas::reading::{EnumValue, Reading, types};
use serde_json::Value;

/// Key that is equal for enum values that are written the same.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Written<'d> {
    Json(Key<'d>),
    /// In a plain string, 1 and `"1"` are the same.
    Text(Cow<'d, str>),
}

impl<'d> Written<'d> {
    pub(super) fn of(one: &EnumValue<'d>, form: Form) -> Self {
        match one.value {
            Value::String(text) if form.is_text() => match number(text) {
                Some(number) => Self::Json(Key::Number(number)),
                None => Self::Text(text.into()),
            },
            Value::Bool(flag) if form.is_text() => Self::Text(flag.to_string().into()),
            value => Self::Json(Key::of(value)),
        }
    }
}

/// Returns the number that is written as a string.
fn number(text: &str) -> Option<Decimal> {
    let number = text.parse::<f64>().ok()?;
    Decimal::parse(text).filter(|_| number.to_string() == text)
}

/// Reports that enum values were added to or removed from a schema as a whole.
pub(super) fn listed<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>, form: Form) {
    match (&both.old.enum_values, &both.new.enum_values) {
        (None, Some(values)) => {
            let come = both.keyword("enum", None, both.new.values_keyword());
            let rule = unless_all(&rules::ENUM_INTRODUCED, values, both.old, form);
            notes.differ(rule, come, || {
                let values = spell_enum_values(values);
                format!("only these values are allowed now: {values}")
            });
        }
        (Some(values), None) => {
            let gone = both.keyword("enum", both.old.values_keyword(), None);
            let rule = unless_all(&rules::ENUM_LIFTED, values, both.new, form);
            notes.differ(rule, gone, || {
                let values = spell_enum_values(values);
                format!("any value is allowed, no longer only {values}")
            });
        }
        _ => {}
    }
}

/// Returns the rule of a list, unless the values are all that a schema without it allows: both flags, or null alone, which is compared
/// separately.
fn unless_all(
    rule: &'static Rule,
    values: &[EnumValue<'_>],
    other: &Reading<'_>,
    form: Form,
) -> &'static Rule {
    if other.types == 0 || other.types == types::BOOLEAN && are_flags(values, form) {
        &rules::NO_EFFECT
    } else {
        rule
    }
}

/// Returns whether both flags are listed, and nothing else.
pub(super) fn are_flags(values: &[EnumValue<'_>], form: Form) -> bool {
    let flags = values.iter().map(|one| match one.value {
        Value::String(text) if form.is_text() => text.parse::<bool>().ok(),
        value => value.as_bool(),
    });
    let flags: HashSet<Option<bool>> = flags.collect();
    flags == HashSet::from([Some(false), Some(true)])
}

pub(super) fn enum_values<'d>(
    notes: &mut Notes<'_, 'd>,
    both: Readings<'_, 'd>,
    old: &[EnumValue<'d>],
    new: &[EnumValue<'d>],
    form: Form,
) {
    if let ([a], [b]) = (old, new)
        && Written::of(a, form) != Written::of(b, form)
    {
        let only = both.keyword("const", Some(a.value), Some(b.value));
        return notes.differ(&rules::CONST_CHANGED, only, || {
            let (old, new) = (quote(a.value), quote(b.value));
            format!("the only value changed from {old} to {new}")
        });
    }
    let (before, after) = (by_key(old, form), by_key(new, form));
    for one in old {
        let Some(other) = after.get(&Written::of(one, form)) else {
            let gone = both.keyword("enum", Some(one.value), None);
            notes.differ(&rules::ENUM_VALUE_REMOVED, gone, || {
                format!("the enum value {} is gone", quote(one.value))
            });
            continue;
        };
        let about = both.keyword("", one.about, other.about);
        for key in about.entries().filter(|key| is_annotation(key.name)) {
            let key = about.inner(key.name);
            if key.differs() {
                annotation(notes, key, Form::Data);
            }
        }
    }
    for one in new {
        if !before.contains_key(&Written::of(one, form)) {
            let come = both.keyword("enum", None, Some(one.value));
            notes.differ(&rules::ENUM_VALUE_ADDED, come, || {
                format!("the enum value {} is new", quote(one.value))
            });
        }
    }
}

/// Returns the values by their keys, the first of equal ones.
fn by_key<'l, 'd>(
    listed: &'l [EnumValue<'d>],
    form: Form,
) -> HashMap<Written<'d>, &'l EnumValue<'d>> {
    let last_first = listed.iter().rev();
    last_first
        .map(|one| (Written::of(one, form), one))
        .collect()
}

fn spell_enum_values(enum_values: &[EnumValue<'_>]) -> String {
    if enum_values.is_empty() {
        return "`null`".to_owned();
    }
    let all: Vec<String> = enum_values.iter().map(|one| quote(one.value)).collect();
    readable::listed(&all, if all.len() > 6 { 5 } else { 6 })
}
