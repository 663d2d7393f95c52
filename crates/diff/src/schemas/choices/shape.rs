//! Properties of an alternative by which it is matched.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::resolver::reference;
use serde_json::Value;

use crate::schemas::comparison::DEPTH;
use openapi_schemas::reading::{Document, Site, fingerprint, read};

/// Properties of an alternative by which it is matched.
#[derive(Default)]
pub(super) struct Shape<'d> {
    pub(crate) tags: BTreeSet<&'d str>,
    pub(crate) name: Option<&'d str>,
    pub(crate) title: Option<&'d Value>,
    pub(crate) print: u64,
    pub(crate) types: u8,
    pub(crate) properties: BTreeSet<&'d str>,
    pub(crate) required: BTreeSet<&'d str>,
    /// Properties with enum values, which distinguish alternatives.
    pub(crate) marks: BTreeMap<&'d str, BTreeSet<String>>,
    pub(crate) enum_values: BTreeSet<String>,
}

impl<'d> Shape<'d> {
    pub(crate) fn of(side: &mut Document<'d>, site: &Site<'d>) -> Self {
        let flat = read(side, site);
        let mut shape = Self {
            name: site.parts.first().and_then(|part| reference(part)),
            title: flat.first("title"),
            print: fingerprint(side, site, DEPTH),
            types: flat.types,
            enum_values: flat
                .enum_values
                .iter()
                .flatten()
                .map(|enum_value| enum_value.value.to_string())
                .collect(),
            ..Self::default()
        };
        for (name, property) in flat
            .all("properties")
            .filter_map(Value::as_object)
            .flatten()
        {
            shape.properties.insert(name);
            let property = read(side, &Site::new(Some(property), property));
            if let Some(enum_values) = &property.enum_values {
                let values = enum_values.iter().map(|one| one.value.to_string());
                shape.marks.insert(name, values.collect());
            }
        }
        for name in flat.all("required").filter_map(Value::as_array).flatten() {
            shape.required.extend(name.as_str());
        }
        shape
    }

    /// Returns how alike two alternatives are, 0 if they have nothing in common.
    pub(super) fn likeness(&self, other: &Self) -> u32 {
        if self.types & other.types == 0 {
            return 0;
        }
        if self.print == other.print {
            return 1000;
        }
        if self.contradicts(other) {
            return 0;
        }
        let named = if self.name.is_some() && self.name == other.name {
            500
        } else {
            0
        };
        let titled = if self.title.is_some() && self.title == other.title {
            100
        } else {
            0
        };
        let common = self.properties.intersection(&other.properties).count()
            + self.enum_values.intersection(&other.enum_values).count();
        let all = self.properties.union(&other.properties).count()
            + self.enum_values.union(&other.enum_values).count();
        let shared = (100 * common).checked_div(all).unwrap_or(50);
        if all > 0 && common == 0 && named + titled == 0 {
            return 0;
        }
        named
            + titled
            + u32::try_from(shared).unwrap_or_default()
            + u32::from(self.types == other.types)
    }

    /// Returns whether the two have different values for a property.
    fn contradicts(&self, other: &Self) -> bool {
        self.marks.iter().any(|(name, values)| {
            let others = other.marks.get(name);
            others.is_some_and(|others| values.is_disjoint(others))
        })
    }

    /// Returns whether no value matches both.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let values = self.enum_values.is_empty() || other.enum_values.is_empty();
        let chosen = self.marks.iter().any(|(name, values)| {
            let others = other.marks.get(name);
            // An optional property chooses nothing if it is left out.
            self.required.contains(name)
                && other.required.contains(name)
                && others.is_some_and(|others| values.is_disjoint(others))
        });
        self.types & other.types == 0
            || chosen
            || !values && self.enum_values.is_disjoint(&other.enum_values)
    }

    /// Returns whether a value of the other shape may match this one.
    pub(super) fn may_take(&self, other: &Self) -> bool {
        self.likeness(other) > 0 && self.required.is_subset(&other.required)
    }
}
