//! Objects: their properties, additional properties, and dependencies.

use std::collections::HashSet;

use serde_json::Value;

use super::children::{each, rest};
use super::conditions::conditional;
use super::properties::{Property, properties, property, renamed};
use super::renames::renames;
use crate::decimal::Key;
use crate::schemas::comparison::{Form, Notes};
use crate::schemas::flat::Flat;
use crate::verdicts::{Turn, rules};

pub(crate) fn objects<'d>(notes: &mut Notes<'_, 'd>, old: &Flat<'d>, new: &Flat<'d>, form: Form) {
    let (mut before, mut after) = (properties(old), properties(new));
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
            None => property(notes, name, (old, a), (new, &Property::default()), form),
        }
    }
    for (name, b) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        property(notes, name, (old, &Property::default()), (new, b), form);
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
    old: &Flat<'d>,
    new: &Flat<'d>,
    form: Form,
) {
    for keyword in ["$defs", "definitions"] {
        each(notes, keyword, None, old, new, form);
    }
}

fn dependencies<'d>(notes: &mut Notes<'_, 'd>, old: &Flat<'d>, new: &Flat<'d>) {
    let listed = |flat: &Flat<'d>| {
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
