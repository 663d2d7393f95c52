//! The values listed by `enum`, `const`, or equivalent alternatives.

use std::collections::HashMap;

use openapi_document::keywords::is_annotation;
use serde_json::Value;

use crate::schemas::annotations::annotation;
use crate::schemas::comparison::{Form, Notes};
use crate::verdicts::{Mark, quote, rules};
use openapi_schemas::decimal::{Key, same};
use openapi_schemas::reading::{EnumValue, Reading};

/// Reports that enum values were added to or removed from a schema as a whole.
pub(crate) fn listed<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    let mark = |flat: &Reading<'d>| Mark::within(flat.values_keyword(), flat.home);
    let none = |flat: &Reading<'d>| Mark::within(None, flat.home);
    match (&old.enum_values, &new.enum_values) {
        (None, Some(enum_values)) => {
            notes.differ(&rules::ENUM_INTRODUCED, none(old), mark(new), || {
                format!(
                    "only these values are allowed now: {}",
                    spell_enum_values(enum_values)
                )
            })
        }
        (Some(enum_values), None) => {
            notes.differ(&rules::ENUM_LIFTED, mark(old), none(new), || {
                format!(
                    "any value is allowed, no longer only {}",
                    spell_enum_values(enum_values)
                )
            })
        }
        _ => {}
    }
}

pub(crate) fn enum_values<'d>(
    notes: &mut Notes<'_, 'd>,
    old: (&Reading<'d>, &Vec<EnumValue<'d>>),
    new: (&Reading<'d>, &Vec<EnumValue<'d>>),
) {
    if let ([a], [b]) = (old.1.as_slice(), new.1.as_slice())
        && !same(a.value, b.value)
    {
        notes.within(
            &rules::CONST_CHANGED,
            (old.0, Some(a.value)),
            (new.0, Some(b.value)),
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
    let first = |listed: &[EnumValue<'d>]| {
        let mut first: HashMap<Key<'d>, EnumValue<'d>> = HashMap::new();
        for one in listed {
            first.entry(Key::of(one.value)).or_insert(*one);
        }
        first
    };
    let (before, after) = (first(old.1), first(new.1));
    for enum_value in old.1 {
        match after.get(&Key::of(enum_value.value)) {
            None => notes.within(
                &rules::ENUM_VALUE_REMOVED,
                (old.0, Some(enum_value.value)),
                (new.0, None),
                || format!("the enum value {} is gone", quote(enum_value.value)),
            ),
            Some(other) => {
                let (a, b) = (enum_value.about, other.about);
                let maps = a.into_iter().chain(b).filter_map(|about| about.as_object());
                for key in maps
                    .flat_map(|map| map.keys())
                    .filter(|key| is_annotation(key))
                {
                    let said = |about: Option<&'d Value>| about.and_then(|about| about.get(key));
                    if said(a) != said(b) {
                        annotation(
                            notes,
                            key,
                            Mark::within(said(a), a.unwrap_or(old.0.home)),
                            Mark::within(said(b), b.unwrap_or(new.0.home)),
                            Form::Data,
                        );
                    }
                }
            }
        }
    }
    for enum_value in new.1 {
        if !before.contains_key(&Key::of(enum_value.value)) {
            notes.within(
                &rules::ENUM_VALUE_ADDED,
                (old.0, None),
                (new.0, Some(enum_value.value)),
                || format!("the enum value {} is new", quote(enum_value.value)),
            );
        }
    }
}

fn spell_enum_values(enum_values: &[EnumValue<'_>]) -> String {
    let shown = match enum_values.len() {
        7.. => 5,
        all => all,
    };
    let first = enum_values.iter().take(shown);
    let first: Vec<String> = first.map(|one| quote(one.value)).collect();
    match enum_values.len() - shown {
        0 => first.join(", "),
        left => format!("{} and {left} more", first.join(", ")),
    }
}
