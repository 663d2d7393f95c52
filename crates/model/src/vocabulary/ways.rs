//! The ways through a [`Model`]: from a response to a value in it, and from a property to the field that it becomes.

use openapi_document::pointer;
use serde_json::Value;

use super::extensions::Step;
use super::model::Model;
use super::pages::{Hop, Pages};
use super::schema::{Schema, field_name};
use crate::names;

impl Model {
    /// The field that a property becomes.
    pub fn field(&self, hop: &Hop) -> String {
        let property = self.schema(&hop.owner).and_then(|schema| {
            properties(self, schema)
                .into_iter()
                .find(|(_, name, _)| *name == hop.property)
        });
        match property {
            Some((_, name, value)) => field_name(&name, &value),
            None => names::snake(&hop.property),
        }
    }

    /// Whether a member that does not fit is set aside, so that it costs neither the content nor the records of a response.
    pub fn is_set_aside(&self, owner: &Schema, property: &str) -> bool {
        let envelope = owner.envelope.as_ref();
        let has_content = envelope.is_some_and(|envelope| !envelope.content.is_empty());
        let members = || self.pages.iter().flat_map(hops);
        let is_passed = members().any(|(name, _, leads)| leads && name == owner.name);
        (has_content || is_passed)
            && !owner.is_content(property)
            && !self.is_needed(owner, property)
    }

    /// Whether paging cannot do without a member: it leads to the records, or tells their lists apart.
    pub fn is_needed(&self, owner: &Schema, property: &str) -> bool {
        let mut members = self.pages.iter().flat_map(hops);
        members.any(|(name, member, _)| name == owner.name && member == property)
    }

    /// Walks from a response schema along `steps`; the last member is the result, as its owner and name.
    pub fn member(&self, from: &Value, steps: &[Step]) -> Option<(&Schema, String, Value)> {
        let (mut hops, value) = self.way(from, steps)?;
        let last = hops.pop()?;
        Some((self.schema(&last.owner)?, last.property, value))
    }

    /// Walks from a response schema along `steps`: every member on the way, and the value at its end.
    pub fn way(&self, from: &Value, steps: &[Step]) -> Option<(Vec<Hop>, Value)> {
        let mut at = from.clone();
        let mut hops: Vec<Hop> = Vec::new();
        for step in steps {
            let schema = self.referenced(&at);
            let value = schema.map_or(&at, |schema| &schema.value);
            match step {
                Step::Member(name) => {
                    let next = value.get("properties")?.get(name)?.clone();
                    hops.push(Hop::to(&schema?.name, name));
                    at = next;
                }
                Step::Each => {
                    let next = value.get("items")?.clone();
                    hops.last_mut()?.is_list = true;
                    at = next;
                }
            }
        }
        Some((hops, at))
    }
}

/// Members that paging cannot do without: owner, name, and whether it leads to the records rather than telling lists apart.
fn hops(pages: &Pages) -> impl Iterator<Item = (&str, &str, bool)> {
    let key = pages.key.iter().flat_map(|key| &key.hops);
    let items = pages.items.iter().map(|hop| (hop, true));
    items
        .chain(key.map(|hop| (hop, false)))
        .map(|(hop, leads)| (hop.owner.as_str(), hop.property.as_str(), leads))
}

/// The properties of a schema, each with where it stands.
pub fn properties(_: &Model, schema: &Schema) -> Vec<(String, String, Value)> {
    let at = format!("{}/properties", schema.pointer);
    let all = schema.properties().map(|(name, value)| {
        let origin = schema.origins.get(name).cloned();
        let at = origin.unwrap_or_else(|| pointer::join(&at, name));
        (at, name.clone(), value.clone())
    });
    all.collect()
}
