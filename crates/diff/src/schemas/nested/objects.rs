//! Objects: their properties, additional properties, and dependencies.

use std::collections::HashSet;

use serde_json::Value;

use super::children::{each, rest};
use super::conditions::conditional;
use super::properties::{property, renamed};
use super::renames::renames;
use crate::schemas::comparison::{Form, Notes};
use crate::verdicts::{Turn, rules};
use openapi_schemas::decimal::Key;
use openapi_schemas::reading::{Member, Reading};

pub(crate) fn objects<'d>(
    notes: &mut Notes<'_, 'd>,
    old: &Reading<'d>,
    new: &Reading<'d>,
    form: Form,
) {
    let (mut before, mut after) = (old.members(), new.members());
    for (name, other) in renames(&before, &after) {
        if let (Some(a), Some(b)) = (before.get(name), after.get(other))
            && renamed(notes, (name, old, a), (other, new, b), form)
        {
            before.remove(name);
            after.remove(other);
        }
    }
    for (name, a) in &before {
        match after.get(name) {
            Some(b) => property(notes, name, (old, a), (new, b), form),
            None => property(notes, name, (old, a), (new, &Member::default()), form),
        }
    }
    for (name, b) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        property(notes, name, (old, &Member::default()), (new, b), form);
    }
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
        rest(notes, keyword, old, new, form);
    }
    each(
        notes,
        "patternProperties",
        Some((&rules::NAMES_ADDED, &rules::NAMES_REMOVED)),
        old,
        new,
        form,
    );
    each(
        notes,
        "dependentSchemas",
        Some((&rules::CONDITION_ADDED, &rules::CONDITION_REMOVED)),
        old,
        new,
        form,
    );
    conditional(notes, "propertyNames", Turn::Keep, old, new);
    dependencies(notes, old, new);
}

/// Compares schemas that exist to be referred to.
pub(crate) fn definitions<'d>(
    notes: &mut Notes<'_, 'd>,
    old: &Reading<'d>,
    new: &Reading<'d>,
    form: Form,
) {
    for keyword in ["$defs", "definitions"] {
        each(notes, keyword, None, old, new, form);
    }
}

fn dependencies<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    let listed = |flat: &Reading<'d>| {
        let mut all: Vec<(&'d str, &'d Value)> = Vec::new();
        for (name, list) in flat
            .all("dependentRequired")
            .filter_map(Value::as_object)
            .flatten()
        {
            // A value other than a list is compared as a whole.
            let needed = list
                .as_array()
                .map_or(std::slice::from_ref(list), Vec::as_slice);
            all.extend(needed.iter().map(|needed| (name.as_str(), needed)));
        }
        all
    };
    let (before, after) = (listed(old), listed(new));
    let keys = |all: &[(&'d str, &'d Value)]| {
        let keys = all.iter().map(|(name, needed)| (*name, Key::of(needed)));
        keys.collect::<HashSet<_>>()
    };
    let (known_before, known_after) = (keys(&before), keys(&after));
    let lacks = |known: &HashSet<(&str, Key<'_>)>, (name, needed): &(&str, &Value)| {
        !known.contains(&(*name, Key::of(needed)))
    };
    for (name, needed) in before.iter().filter(|one| lacks(&known_after, one)) {
        notes.within(
            &rules::DEPENDENT_REMOVED,
            (old, Some(needed)),
            (new, None),
            || format!("`{name}` no longer needs {needed} beside it"),
        );
    }
    for (name, needed) in after.iter().filter(|one| lacks(&known_before, one)) {
        notes.within(
            &rules::DEPENDENT_ADDED,
            (old, None),
            (new, Some(needed)),
            || format!("`{name}` needs {needed} beside it"),
        );
    }
}
