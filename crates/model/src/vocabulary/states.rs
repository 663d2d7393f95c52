//! States of a request property beside a value: absent, null, or either.

use super::model::Model;
use super::schema::Schema;

/// The documented states of a property in a request.
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

impl States {
    /// Returns the states of a property that callers send. `None` if only a service sends it, and if emitted code reads it from responses:
    /// there, absent and null are the same.
    pub fn of(model: &Model, owner: &Schema, property: &str) -> Option<Self> {
        if !owner.usage.request || is_read(model, &owner.name, property) {
            return None;
        }
        let is_nullable = owner.property(property).is_some_and(|place| place.nullable);
        Some(match (owner.requires(property), is_nullable) {
            (true, false) => Self::Value,
            (true, true) => Self::OrNull,
            (false, false) => Self::OrAbsent,
            (false, true) => Self::OrEither,
        })
    }
}

/// Returns whether emitted code reads a response property on the path to the records of a page or to a link's argument.
fn is_read(model: &Model, owner: &str, property: &str) -> bool {
    let pages = model.pages.iter().any(|pages| {
        let branches = pages.total.iter().chain(&pages.key);
        let members = branches.flat_map(|branch| &branch.members);
        let mut members = members.chain(&pages.items).chain(&pages.echoed_offset);
        members.any(|one| one.owner == owner && one.property == property)
    });
    let mut conversions = model.conversions.iter();
    let mut submissions = model.waits.iter().flat_map(|waits| &waits.submissions);
    pages
        || conversions.any(|one| one.owner == owner && one.property == property)
        || submissions.any(|one| one.response == owner && one.property == property)
}
