//! Objects: their properties, what else they may have, and what depends on what.

use serde_json::Value;

use super::properties::{Property, properties};
use super::renames::renames;
use crate::schemas::comparison::{Comparison, Form};
use crate::schemas::flat::Flat;
use crate::verdicts::{Mark, Pair, Turn, rules};

impl<'d> Comparison<'d> {
    pub(crate) fn objects(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>, form: Form) {
        let (mut before, mut after) = (properties(old), properties(new));
        for (name, other) in renames(&before, &after) {
            if let (Some(a), Some(b)) = (before.get(name), after.get(other))
                && self.renamed(pair, (name, old, a), (other, new, b), form)
            {
                before.remove(name);
                after.remove(other);
            }
        }
        for (name, a) in &before {
            match after.get(name) {
                Some(b) => self.property(pair, name, (old, a), (new, b), form),
                None => self.property(pair, name, (old, a), (new, &Property::default()), form),
            }
        }
        for (name, b) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
            self.property(pair, name, (old, &Property::default()), (new, b), form);
        }
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            self.rest(pair, keyword, old, new, form);
        }
        self.each(
            pair,
            "patternProperties",
            Some((&rules::NAMES_ADDED, &rules::NAMES_REMOVED)),
            old,
            new,
            form,
        );
        self.each(
            pair,
            "dependentSchemas",
            Some((&rules::CONDITION_ADDED, &rules::CONDITION_REMOVED)),
            old,
            new,
            form,
        );
        self.conditional(pair, "propertyNames", Turn::Keep, old, new);
        self.dependencies(pair, old, new);
    }

    /// Schemas that are here to be referred to.
    pub(crate) fn definitions(
        &mut self,
        pair: &mut Pair,
        old: &Flat<'d>,
        new: &Flat<'d>,
        form: Form,
    ) {
        for keyword in ["$defs", "definitions"] {
            self.each(pair, keyword, None, old, new, form);
        }
    }

    fn dependencies(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>) {
        let listed = |flat: &Flat<'d>| {
            let mut all: Vec<(&'d str, &'d Value)> = Vec::new();
            for (name, list) in flat
                .all("dependentRequired")
                .filter_map(Value::as_object)
                .flatten()
            {
                // What should be a list is compared as a whole.
                let needed = list
                    .as_array()
                    .map_or(std::slice::from_ref(list), Vec::as_slice);
                all.extend(needed.iter().map(|needed| (name.as_str(), needed)));
            }
            all
        };
        let (before, after) = (listed(old), listed(new));
        for (name, needed) in before.iter().filter(|one| !after.contains(one)) {
            self.differ(
                pair,
                &rules::DEPENDENT_REMOVED,
                Mark::within(Some(needed), old.home),
                Mark::within(None, new.home),
                || format!("`{name}` no longer needs {needed} beside it"),
            );
        }
        for (name, needed) in after.iter().filter(|one| !before.contains(one)) {
            self.differ(
                pair,
                &rules::DEPENDENT_ADDED,
                Mark::within(None, old.home),
                Mark::within(Some(needed), new.home),
                || format!("`{name}` needs {needed} beside it"),
            );
        }
    }
}
