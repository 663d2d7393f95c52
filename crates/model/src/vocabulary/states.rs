//! What a property of what callers send can be beside a value: absent, null, or either.

use super::model::Model;
use super::pages::Hop;
use super::schema::Schema;

/// What a property can be, as the document says it of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum States {
    /// A value.
    Value,
    /// A value, or absent.
    OrAbsent,
    /// A value, or null.
    OrNull,
    /// A value, absent, or null.
    OrEither,
}

impl Schema {
    /// What callers can make of a property.
    pub fn states(&self, property: &str) -> States {
        let is_nullable = self.property(property).is_some_and(|place| place.nullable);
        match (self.requires(property), is_nullable) {
            (true, false) => States::Value,
            (true, true) => States::OrNull,
            (false, false) => States::OrAbsent,
            (false, true) => States::OrEither,
        }
    }
}

impl Model {
    /// What a property can be in what callers send. `None` where only a service sends it, and where emitted code reads it from responses:
    /// there, what is absent and what is null are the same.
    pub fn sent_states(&self, owner: &Schema, property: &str) -> Option<States> {
        let is_sent = owner.usage.request && !self.is_read(&owner.name, property);
        is_sent.then(|| owner.states(property))
    }

    /// Whether emitted code goes through a property of a response, to the records of a page or to what a link passes on.
    fn is_read(&self, owner: &str, property: &str) -> bool {
        let is_it = |hop: &Hop| hop.owner == owner && hop.property == property;
        let pages = self.pages.iter().any(|pages| {
            let branches = pages.total.iter().chain(&pages.key);
            let hops = branches.flat_map(|branch| &branch.hops);
            let hops = hops.chain(&pages.items).chain(&pages.echoed_offset);
            hops.into_iter().any(is_it)
        });
        let mut conversions = self.conversions.iter();
        let mut submissions = self.waits.iter().flat_map(|waits| &waits.submissions);
        pages
            || conversions.any(|one| one.owner == owner && one.property == property)
            || submissions.any(|one| one.response == owner && one.property == property)
    }
}
