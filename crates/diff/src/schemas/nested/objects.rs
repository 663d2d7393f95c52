//! Objects: their properties, additional properties, and dependencies.

use std::collections::HashSet;

use serde_json::Value;

use super::children::{each, rest};
use super::conditions::conditional;
use super::properties::{Members, property, renamed};
use super::renames::renames;
use crate::schemas::comparison::{Form, Notes, Readings};
use crate::schemas::values::without_effect;
use crate::verdicts::{Turn, rules};
use openapi_schemas::decimal::Key;
use openapi_schemas::reading::{Further, Member, Reading};

pub(crate) fn objects<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>, form: Form) {
    let (mut before, mut after) = (both.old.members(), both.new.members());
    for (name, other) in renames(&before, &after) {
        if let (Some(old), Some(new)) = (before.get(name), after.get(other))
            && renamed(notes, [name, other], Members { both, old, new }, form)
        {
            before.remove(name);
            after.remove(other);
        }
    }
    let absent = Member::default();
    for (name, old) in &before {
        let new = after.get(name).unwrap_or(&absent);
        property(notes, name, Members { both, old, new }, form);
    }
    for (name, new) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        let old = &absent;
        property(notes, name, Members { both, old, new }, form);
    }
    let is_same =
        closing(both.old).is_some_and(|old| closing(both.new).is_some_and(|new| old != new));
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
        if is_same {
            without_effect(notes, keyword, both);
        } else {
            rest(notes, keyword, both, form);
        }
    }
    let added = if is_closed(both.old) {
        &rules::OPENED
    } else {
        &rules::NAMES_ADDED
    };
    let removed = if is_closed(both.new) {
        &rules::CLOSED
    } else {
        &rules::NAMES_REMOVED
    };
    let names = [added, removed];
    each(notes, "patternProperties", Some(names), both, form);
    let conditions = [&rules::CONDITION_ADDED, &rules::CONDITION_REMOVED];
    each(notes, "dependentSchemas", Some(conditions), both, form);
    conditional(notes, "propertyNames", Turn::Keep, both);
    dependencies(notes, both);
}

fn is_closed(flat: &Reading<'_>) -> bool {
    matches!(flat.further(), Further::Closed(_))
}

/// Returns the keyword by which a schema without alternatives refuses undeclared properties.
fn closing(flat: &Reading<'_>) -> Option<&'static str> {
    if !flat.choices.is_empty() {
        None
    } else if flat.forbids("additionalProperties") {
        (flat.parts.len() == 1).then_some("additionalProperties")
    } else {
        let is_only = flat.first("additionalProperties").is_none();
        (is_only && flat.forbids("unevaluatedProperties")).then_some("unevaluatedProperties")
    }
}

/// Compares schemas that exist to be referred to.
pub(crate) fn definitions<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>, form: Form) {
    for keyword in ["$defs", "definitions"] {
        each(notes, keyword, None, both, form);
    }
}

/// A member that another one needs beside it.
struct Needed<'d> {
    by: &'d str,
    value: &'d Value,
}

impl<'d> Needed<'d> {
    fn key(&self) -> (&'d str, Key<'d>) {
        (self.by, Key::of(self.value))
    }

    /// Returns all such members of a schema.
    fn all(flat: &Reading<'d>) -> Vec<Self> {
        let mut all = Vec::new();
        let maps = flat.all("dependentRequired").filter_map(Value::as_object);
        for (by, list) in maps.flatten() {
            // A value other than a list is compared as a whole.
            let needed = list.as_array();
            let needed = needed.map_or(std::slice::from_ref(list), Vec::as_slice);
            all.extend(needed.iter().map(|value| Self { by, value }));
        }
        all
    }
}

fn dependencies<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    let (before, after) = (Needed::all(both.old), Needed::all(both.new));
    let [known_before, known_after] =
        [&before, &after].map(|all| -> HashSet<_> { all.iter().map(Needed::key).collect() });
    for Needed { by, value } in before
        .iter()
        .filter(|one| !known_after.contains(&one.key()))
    {
        let gone = both.keyword(by, Some(value), None);
        notes.differ(&rules::DEPENDENT_REMOVED, gone, || {
            format!("`{by}` no longer needs {value} beside it")
        });
    }
    for Needed { by, value } in after
        .iter()
        .filter(|one| !known_before.contains(&one.key()))
    {
        let come = both.keyword(by, None, Some(value));
        notes.differ(&rules::DEPENDENT_ADDED, come, || {
            format!("`{by}` needs {value} beside it")
        });
    }
}
