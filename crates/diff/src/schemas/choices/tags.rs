//! The discriminator values of each alternative.

use std::collections::{BTreeSet, HashMap};

use openapi_document::resolver::reference;
use serde_json::Value;

use crate::schemas::flat::Flat;
use crate::schemas::side::Side;
use crate::verdicts::address;

/// Mapping values of a discriminator, by their target.
pub(super) struct Tags<'d>(HashMap<usize, BTreeSet<&'d str>>);

pub(super) fn tags<'d>(side: &Side<'d>, flat: &Flat<'d>) -> Option<Tags<'d>> {
    let discriminator = flat.first("discriminator")?;
    let mut tags: HashMap<usize, BTreeSet<&'d str>> = HashMap::new();
    let mapping = discriminator.get("mapping").and_then(Value::as_object);
    for (value, target) in mapping.into_iter().flatten() {
        if let Some(target) = target.as_str().and_then(|text| side.schema_named(text)) {
            tags.entry(address(target)).or_default().insert(value);
        }
    }
    Some(Tags(tags))
}

impl<'d> Tags<'d> {
    /// Returns the values that choose an alternative: those of the mapping, or else the name of its component.
    pub(crate) fn of(&self, side: &Side<'d>, one: &'d Value) -> BTreeSet<&'d str> {
        let Some(reference) = reference(one) else {
            return BTreeSet::new();
        };
        let mapped = side
            .schema_named(reference)
            .and_then(|target| self.0.get(&address(target)));
        match mapped {
            Some(values) => values.clone(),
            None => reference.rsplit('/').next().into_iter().collect(),
        }
    }
}
