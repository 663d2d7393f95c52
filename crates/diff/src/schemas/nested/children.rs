//! Schemas below a schema: for the remaining members or elements, and by name.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::schemas::comparison::{Form, Notes, Readings};
use crate::verdicts::{Rule, Turn, rules, way};
use openapi_schemas::reading::{Further, Parts, Reading, Site};

/// Compares the schema for remaining members or elements: nothing, anything, or a schema.
pub(crate) fn rest<'d>(
    notes: &mut Notes<'_, 'd>,
    keyword: &'static str,
    both: Readings<'_, 'd>,
    form: Form,
) {
    let rule = match (both.old.remaining(keyword), both.new.remaining(keyword)) {
        (Further::Closed(_), Further::Closed(_)) => return,
        (_, Further::Closed(_)) => &rules::CLOSED,
        (Further::Closed(_), _) => &rules::OPENED,
        (before, after) => {
            let old = Site::all(before.parts(), both.old.home);
            let new = Site::all(after.parts(), both.new.home);
            let form = match keyword {
                "items" => of_elements(form),
                _ => nested(form),
            };
            return notes.child(old, new, form, way::BOTH, Turn::Keep);
        }
    };
    notes.changed(rule, both.first(keyword));
}

/// Compares schemas by name. The rules are for an added and a removed name; without them, the schemas are definitions.
pub(super) fn each<'d>(
    notes: &mut Notes<'_, 'd>,
    keyword: &'static str,
    rules: Option<[&'static Rule; 2]>,
    both: Readings<'_, 'd>,
    form: Form,
) {
    let (before, after) = (by_name(both.old, keyword), by_name(both.new, keyword));
    // Definitions are in messages only if something refers to them.
    let only = if rules.is_some() { way::BOTH } else { 0 };
    for (name, old) in &before {
        if let Some(new) = after.get(name) {
            let old = Site::all(old.clone(), both.old.home);
            let new = Site::all(new.clone(), both.new.home);
            notes.child(old, new, form, only, Turn::Keep);
        } else if let Some([_, removed]) = rules {
            let gone = both.keyword(keyword, old.first().copied(), None);
            notes.differ(removed, gone, || {
                format!("`{keyword}` no longer has `{name}`")
            });
        }
    }
    for (name, new) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        if let Some([added, _]) = rules {
            let come = both.keyword(keyword, None, new.first().copied());
            notes.differ(added, come, || format!("`{keyword}` has `{name}` now"));
        }
    }
}

/// Returns the schemas in the maps of a keyword, by name.
fn by_name<'d>(flat: &Reading<'d>, keyword: &str) -> BTreeMap<&'d str, Parts<'d>> {
    let mut all: BTreeMap<&'d str, Parts<'d>> = BTreeMap::new();
    for (name, schema) in flat.all(keyword).filter_map(Value::as_object).flatten() {
        all.entry(name).or_default().push(schema);
    }
    all
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
        Form::Text { is_always_sent } | Form::Repeated { is_always_sent } => {
            Form::Text { is_always_sent }
        }
    }
}
