//! Presence of a property: the form of its field, and the result of a response that lacks it.

use std::collections::{BTreeSet, HashMap};

use super::model::Model;
use super::pages::PathMember;
use super::place::{Place, Scalar, Shape};
use super::runtime_types::{Absent, RuntimeType, runtime_type};
use super::schema::Schema;

/// The form of a property's field, and the treatment of a missing or null property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The field is plain, and a value without the property does not decode.
    Certain,
    /// The field is plain, and empty if a response lacks the property.
    Promised,
    /// The field is an option, or an empty list or map.
    Optional,
}

impl Presence {
    /// Returns whether the field is plain.
    pub fn is_plain(self) -> bool {
        self != Self::Optional
    }
}

impl Model {
    /// Returns the presence of a property.
    pub fn presence(&self, owner: &Schema, property: &str) -> Presence {
        let place = owner.property(property);
        let promised = place.filter(|place| {
            owner.usage.response
                && !owner.is_content(property)
                && owner.promises(property)
                && !self.is_echo(owner, property)
                && self.has_default(place, self.without_default())
        });
        match promised {
            Some(place) if self.has_empty_form(place) => Presence::Promised,
            // The rest of the response is usable without it, or nothing says that it is always there.
            Some(_)
                if !owner.insists_on(property)
                    && (owner.assumes(property) || self.is_set_aside(owner, property)) =>
            {
                Presence::Optional
            }
            Some(_) => Presence::Certain,
            None if owner.insists_on(property) => Presence::Certain,
            None => Presence::Optional,
        }
    }

    /// Returns whether the default of the type means that nothing was sent, as with an empty string or list. The default of a number, a
    /// boolean, a date, an identifier, or an object with one of these would be made up.
    fn has_empty_form(&self, place: &Place) -> bool {
        let schema = self.referenced(place);
        let resolved = self.resolved(place);
        let chosen = [place, resolved].into_iter().find_map(of_runtime);
        if let Some(chosen) = chosen {
            return chosen.absent != Absent::Value;
        }
        match (&resolved.shape, schema) {
            (Shape::Texts { .. }, _) => true,
            (Shape::Scalar { kind, .. }, None) => *kind == Scalar::Text,
            (Shape::Scalar { .. }, Some(_)) => false,
            (Shape::Object(object), Some(schema)) => object.properties.iter().all(|property| {
                self.presence(schema, &property.name) != Presence::Certain
                    || self.has_empty_form(&property.place)
            }),
            _ => true,
        }
    }

    /// Returns the presence of a property on a path.
    pub fn presence_at(&self, member: &PathMember) -> Presence {
        let owner = self.schema(&member.owner);
        owner.map_or(Presence::Optional, |owner| {
            self.presence(owner, &member.property)
        })
    }

    /// Returns whether a response repeats the offset here: a zero in its place would be another page than the requested one.
    fn is_echo(&self, owner: &Schema, property: &str) -> bool {
        let mut echoes = self.pages.iter().flat_map(|pages| &pages.echoed_offset);
        echoes.any(|member| member.owner == owner.name && member.property == property)
    }

    fn has_default(&self, place: &Place, without: &BTreeSet<String>) -> bool {
        self.referenced(place)
            .is_none_or(|schema| !without.contains(&schema.name))
    }

    /// Returns whether the type of a schema has a default.
    pub fn is_defaulted(&self, schema: &Schema) -> bool {
        !self.without_default().contains(&schema.name)
    }

    /// Returns the schemas whose types have no default: those with a required value, and those that need one of them or themselves.
    fn without_default(&self) -> &BTreeSet<String> {
        self.without_default.get_or_init(|| {
            let mut lacking: HashMap<&str, usize> = HashMap::new();
            let mut needed_by: HashMap<&str, Vec<&str>> = HashMap::new();
            let mut ready = Vec::new();
            for schema in &self.schemas {
                let needs = needs(self, schema);
                match &needs {
                    Some(needs) if needs.is_empty() => ready.push(schema.name.as_str()),
                    Some(needs) => {
                        lacking.insert(&schema.name, needs.len());
                    }
                    None => {}
                }
                for need in needs.into_iter().flatten() {
                    needed_by.entry(need).or_default().push(&schema.name);
                }
            }
            let mut without: BTreeSet<String> = self
                .schemas
                .iter()
                .map(|schema| schema.name.clone())
                .collect();
            while let Some(name) = ready.pop() {
                without.remove(name);
                for waiting in needed_by.remove(name).into_iter().flatten() {
                    if let Some(left) = lacking.get_mut(waiting) {
                        *left = left.saturating_sub(1);
                        if *left == 0 {
                            ready.push(waiting);
                        }
                    }
                }
            }
            without
        })
    }
}

/// Returns the schemas whose defaults this default consists of; `None` if a value is required.
fn needs<'m>(model: &'m Model, schema: &'m Schema) -> Option<BTreeSet<&'m str>> {
    if lacks_default(&schema.place) {
        return None;
    }
    if schema.properties().is_empty() {
        let is_given = schema.elements().is_some() && schema.usage.request;
        return (!is_given).then(BTreeSet::new);
    }
    let mut properties = schema.properties().iter();
    if schema.usage.request && properties.any(|one| schema.insists_on(&one.name)) {
        return None;
    }
    let mut needs = BTreeSet::new();
    for property in schema.properties() {
        let place = &property.place;
        let is_content = schema.is_content(&property.name);
        let needed = place.reference().filter(|_| place.rust_type.is_none());
        let component = needed.and_then(|name| model.schema(name));
        let is_lacking =
            lacks_default(place) || component.is_some_and(|one| lacks_default(&one.place));
        match (is_content, is_lacking) {
            // A plain field of what has no default by its nature.
            (true, true) => return None,
            (true, false) => needs.extend(needed),
            // An option in its owner, which can do without.
            (false, true) => {}
            (false, false) => needs.extend(needed.filter(|_| schema.promises(&property.name))),
        }
    }
    Some(needs)
}

impl Schema {
    /// Returns whether the document promises the property and forbids null, and a default would not be wrong.
    fn promises(&self, name: &str) -> bool {
        self.requires(name)
            && self
                .property(name)
                .is_none_or(|place| !place.nullable && !place.is_optional && !lacks_default(place))
    }
}

/// The type of the runtime that values have: by choice, or for their format.
fn of_runtime(place: &Place) -> Option<&'static RuntimeType> {
    match &place.rust_type {
        Some(chosen) => runtime_type(chosen),
        None => place.text_format(),
    }
}

/// Returns whether a default of the values of a schema would be wrong.
fn lacks_default(place: &Place) -> bool {
    of_runtime(place).is_some_and(|runtime| runtime.absent == Absent::Wrong)
}
