//! Schemas below a schema: for the remaining members or elements, and by name.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::schemas::comparison::{Form, Notes};
use crate::verdicts::{Mark, Turn, rules, way};
use openapi_schemas::reading::{Further, Parts, Reading, Site};

/// Compares the schema for remaining members or elements: nothing, anything, or a schema.
pub(crate) fn rest<'d>(
    notes: &mut Notes<'_, 'd>,
    keyword: &'static str,
    old: &Reading<'d>,
    new: &Reading<'d>,
    form: Form,
) {
    let (a, b) = (old.first(keyword), new.first(keyword));
    let rule = match (old.remaining(keyword), new.remaining(keyword)) {
        (Further::Closed(_), Further::Closed(_)) => return,
        (_, Further::Closed(_)) => &rules::CLOSED,
        (Further::Closed(_), _) => &rules::OPENED,
        (before, after) => {
            return notes.child(
                Site::all(before.parts(), old.home),
                Site::all(after.parts(), new.home),
                match keyword {
                    "items" => of_elements(form),
                    _ => nested(form),
                },
                way::BOTH,
                Turn::Keep,
            );
        }
    };
    notes.changed(rule, keyword, (old, a), (new, b));
}

/// Compares schemas by name.
pub(super) fn each<'d>(
    notes: &mut Notes<'_, 'd>,
    keyword: &'static str,
    rules: Option<(&'static rules::Rule, &'static rules::Rule)>,
    old: &Reading<'d>,
    new: &Reading<'d>,
    form: Form,
) {
    let named = |flat: &Reading<'d>| {
        let mut all: BTreeMap<&'d str, Parts<'d>> = BTreeMap::new();
        for (name, schema) in flat.all(keyword).filter_map(Value::as_object).flatten() {
            all.entry(name).or_default().push(schema);
        }
        all
    };
    let (before, after) = (named(old), named(new));
    // Definitions are in messages only if something refers to them.
    let only = if rules.is_some() { way::BOTH } else { 0 };
    for (name, a) in &before {
        match (after.get(name), rules) {
            (Some(b), _) => {
                let (a, b) = (
                    Site::all(a.clone(), old.home),
                    Site::all(b.clone(), new.home),
                );
                notes.child(a, b, form, only, Turn::Keep);
            }
            (None, Some((_, removed))) => {
                let mark = Mark {
                    value: a.first().copied(),
                    home: Some(old.home),
                };
                notes.differ(removed, mark, Mark::within(None, new.home), || {
                    format!("`{keyword}` no longer has `{name}`")
                });
            }
            (None, None) => {}
        }
    }
    for (name, b) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        if let Some((added, _)) = rules {
            let mark = Mark {
                value: b.first().copied(),
                home: Some(new.home),
            };
            notes.differ(added, Mark::within(None, old.home), mark, || {
                format!("`{keyword}` has `{name}` now")
            });
        }
    }
}

/// Returns the form of the elements of a list: in a part of a body, they are separate parts.
pub(super) fn of_elements(form: Form) -> Form {
    match form {
        Form::Part => Form::Part,
        form => nested(form),
    }
}

/// Returns the form of nested values: elements of a list in a URL are written one by one.
pub(crate) fn nested(form: Form) -> Form {
    match form {
        Form::Data | Form::Part => Form::Data,
        Form::Parts => Form::Part,
        Form::Text | Form::Repeated => Form::Text,
    }
}
