//! Paths through a [`Model`]: from a response to a value in it, and from a property to the field that it becomes.

use openapi_document::pointer;

use super::aliases::Aliases;
use super::extensions::Step;
use super::model::Model;
use super::pages::{PageMembers, Pages, PathMember};
use super::place::{Place, Property};
use super::schema::Schema;
use crate::names;

impl Model {
    /// The field that a property becomes.
    pub fn field(&self, member: &PathMember) -> String {
        let schema = self.schema(&member.owner).into_iter();
        let mut properties = schema.flat_map(Schema::properties);
        properties
            .find(|property| property.name == member.property)
            .map_or_else(|| names::snake(&member.property), Property::field_name)
    }

    /// Returns whether an invalid member is set aside, so that the content and records of a response survive.
    pub fn is_set_aside(&self, owner: &Schema, property: &str) -> bool {
        let envelope = owner.envelope.as_ref();
        let has_content = envelope.is_some_and(|envelope| !envelope.content.is_empty());
        let needed = self.page_members().get(&owner.name);
        let is_passed = needed.is_some_and(|members| members.values().any(|leads| *leads));
        (has_content || is_passed)
            && !owner.is_content(property)
            && !self.is_needed(owner, property)
    }

    /// Returns whether paging needs a member: it leads to the records, or distinguishes their lists.
    pub fn is_needed(&self, owner: &Schema, property: &str) -> bool {
        let members = self.page_members().get(&owner.name);
        members.is_some_and(|members| members.contains_key(property))
    }

    fn page_members(&self) -> &PageMembers {
        self.page_members.get_or_init(|| {
            let mut all = PageMembers::new();
            for (member, leads) in self.pages.iter().flat_map(needed_members) {
                let of_owner = all.entry(member.owner.clone()).or_default();
                *of_owner.entry(member.property.clone()).or_default() |= leads;
            }
            all
        })
    }

    /// Walks from a response schema along `steps`; the last member is the result, as its owner and name.
    pub fn member<'m>(
        &'m self,
        from: &'m Place,
        steps: &[Step],
    ) -> Option<(&'m Schema, String, &'m Place)> {
        let (mut members, place) = self.follow(from, steps)?;
        let last = members.pop()?;
        Some((self.schema(&last.owner)?, last.property, place))
    }

    /// Walks from a response schema along `steps`: every member on the path, and the value at its end.
    pub fn follow<'m>(
        &'m self,
        from: &'m Place,
        steps: &[Step],
    ) -> Option<(Vec<PathMember>, &'m Place)> {
        let mut at = from;
        let mut members: Vec<PathMember> = Vec::new();
        for step in steps {
            match step {
                Step::Member(name) => {
                    let schema = self.referenced(at)?;
                    at = schema.property(name)?;
                    members.push(PathMember::to(&schema.name, name));
                }
                Step::Each => {
                    at = self.resolved(at).items()?;
                    members.last_mut()?.is_list = true;
                }
                Step::Last => at = self.resolved(at).items()?,
            }
        }
        Some((members, at))
    }

    /// Returns the JSON Pointers that a path of a response leads to, by each name of its members, with `-1` for the last element of an array.
    /// They end at the first step into each element of an array.
    pub fn pointers(&self, from: &Place, steps: &[Step]) -> Option<Vec<String>> {
        let (members, _) = self.follow(from, steps)?;
        let mut members = members.iter();
        let mut pointers = vec![String::new()];
        for step in steps {
            let names = match step {
                Step::Member(_) => self.wire_names(members.next()?),
                Step::Last => vec!["-1"],
                Step::Each => break,
            };
            let longer = pointers
                .iter()
                .flat_map(|at| names.iter().map(|name| pointer::join(at, name)));
            pointers = longer.collect();
        }
        Some(pointers)
    }

    /// Returns the names of a member in a response.
    fn wire_names<'m>(&'m self, member: &'m PathMember) -> Vec<&'m str> {
        let owner = self.schema(&member.owner);
        let place = owner.and_then(|owner| owner.property(&member.property));
        let aliases = place.and_then(|place| place.aliases.as_ref());
        let others = aliases.map_or(&[][..], Aliases::names);
        let own = std::iter::once(&member.property);
        own.chain(others).map(String::as_str).collect()
    }
}

/// Returns the members that paging needs, and whether each leads to the records rather than distinguishing lists.
fn needed_members(pages: &Pages) -> impl Iterator<Item = (&PathMember, bool)> {
    let key = pages.key.iter().flat_map(|key| &key.members);
    let items = pages.items.iter().map(|member| (member, true));
    items.chain(key.map(|member| (member, false)))
}
