//! The ways through a [`Model`]: from a response to a value in it, and from a property to the field that it becomes.

use super::extensions::Step;
use super::model::Model;
use super::pages::{Hop, Pages};
use super::place::{Place, Property};
use super::schema::Schema;
use crate::names;

impl Model {
    /// The field that a property becomes.
    pub fn field(&self, hop: &Hop) -> String {
        let schema = self.schema(&hop.owner).into_iter();
        let mut properties = schema.flat_map(Schema::properties);
        properties
            .find(|property| property.name == hop.property)
            .map_or_else(|| names::snake(&hop.property), Property::field_name)
    }

    /// Returns whether an invalid member is set aside, so that the content and records of a response survive.
    pub fn is_set_aside(&self, owner: &Schema, property: &str) -> bool {
        let envelope = owner.envelope.as_ref();
        let has_content = envelope.is_some_and(|envelope| !envelope.content.is_empty());
        let members = || self.pages.iter().flat_map(hops);
        let is_passed = members().any(|(name, _, leads)| leads && name == owner.name);
        (has_content || is_passed)
            && !owner.is_content(property)
            && !self.is_needed(owner, property)
    }

    /// Returns whether paging needs a member: it leads to the records, or distinguishes their lists.
    pub fn is_needed(&self, owner: &Schema, property: &str) -> bool {
        let mut members = self.pages.iter().flat_map(hops);
        members.any(|(name, member, _)| name == owner.name && member == property)
    }

    /// Walks from a response schema along `steps`; the last member is the result, as its owner and name.
    pub fn member<'m>(
        &'m self,
        from: &'m Place,
        steps: &[Step],
    ) -> Option<(&'m Schema, String, &'m Place)> {
        let (mut hops, place) = self.way(from, steps)?;
        let last = hops.pop()?;
        Some((self.schema(&last.owner)?, last.property, place))
    }

    /// Walks from a response schema along `steps`: every member on the way, and the value at its end.
    pub fn way<'m>(&'m self, from: &'m Place, steps: &[Step]) -> Option<(Vec<Hop>, &'m Place)> {
        let mut at = from;
        let mut hops: Vec<Hop> = Vec::new();
        for step in steps {
            match step {
                Step::Member(name) => {
                    let schema = self.referenced(at)?;
                    at = schema.property(name)?;
                    hops.push(Hop::to(&schema.name, name));
                }
                Step::Each => {
                    at = self.resolved(at).items()?;
                    hops.last_mut()?.is_list = true;
                }
                Step::Last => at = self.resolved(at).items()?,
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
