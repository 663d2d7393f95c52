//! A schema under its Rust name: the direction of its values, and the members that they always have.

use super::place::{Object, Place, Property, Shape};

/// The directions in which values of a schema are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// From the caller to the service.
    pub request: bool,
    /// From the service to the caller.
    pub response: bool,
}

/// A schema that becomes a Rust type.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The Rust type.
    pub name: String,
    /// Its location in the document.
    pub pointer: String,
    /// Its content; each other type is a reference in it.
    pub place: Place,
    /// The directions in which its values are sent.
    pub usage: Usage,
    /// The members that it must have, if it is the top level of a response.
    pub envelope: Option<Envelope>,
    /// True if callers can see its type: a body that is given part by part has none, and neither has a file.
    pub is_visible: bool,
    /// The feature that its type needs, in a crate that is split by groups of operations; `None` for a type that is always there.
    pub feature: Option<String>,
}

impl Schema {
    /// Returns whether the document has this schema under a name.
    pub fn is_component(&self) -> bool {
        let name = self.pointer.strip_prefix("/components/schemas/");
        name.is_some_and(|name| !name.contains('/'))
    }

    /// Returns whether a value of this type always has the property, and not null: in values that callers send, and in the content of a
    /// response.
    pub fn insists_on(&self, property: &str) -> bool {
        let is_demanded = self.usage.request && self.requires(property);
        let is_sent = is_demanded
            && self
                .property(property)
                .is_none_or(|place| !place.nullable && place.constant.is_none());
        is_sent || self.is_content(property)
    }

    /// Returns whether a value that callers send always has the property, and one that a service sends lacks it.
    pub fn is_only_sent(&self, property: &str) -> bool {
        let mut given = self.object().into_iter().flat_map(|object| &object.given);
        given.any(|name| name == property)
            && (self.property(property)).is_some_and(|place| place.constant.is_none())
    }

    /// Returns whether the property holds the content of a response, at its top level.
    pub fn is_content(&self, property: &str) -> bool {
        let content = self.envelope.iter().flat_map(|envelope| &envelope.content);
        content.into_iter().any(|name| name == property)
    }

    /// Returns the members of an object.
    pub fn object(&self) -> Option<&Object> {
        match &self.place.shape {
            Shape::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The properties of an object schema, in the order of the document.
    pub fn properties(&self) -> &[Property] {
        self.place.properties()
    }

    /// A property by its name on the wire.
    pub fn property(&self, name: &str) -> Option<&Place> {
        let mut properties = self.properties().iter();
        let property = properties.find(|property| property.name == name)?;
        Some(&property.place)
    }

    /// The names of the members that the document requires.
    pub fn required(&self) -> &[String] {
        self.object()
            .map_or(&[], |object| object.required.as_slice())
    }

    /// Returns whether the document requires a member.
    pub fn requires(&self, name: &str) -> bool {
        self.required().iter().any(|required| required == name)
    }

    /// Returns whether a member is required by assumption alone: nothing that a service sends is refused without it.
    pub fn assumes(&self, name: &str) -> bool {
        let assumed = self.object().map(|object| object.assumed.as_slice());
        assumed.is_some_and(|assumed| assumed.iter().any(|one| one == name))
    }

    /// Returns the values of a string enumeration; empty for any other schema.
    pub fn texts(&self) -> &[String] {
        match &self.place.shape {
            Shape::Texts { values, .. } => values,
            _ => &[],
        }
    }

    /// Returns whether its type accepts strings that the enumeration does not list, as all response types do.
    pub fn is_open(&self) -> bool {
        self.usage.response || matches!(self.place.shape, Shape::Texts { is_open: true, .. })
    }

    /// The alternatives, if values are one of several forms.
    pub fn alternatives(&self) -> Option<&[Place]> {
        match &self.place.shape {
            Shape::Union { alternatives, .. } => Some(alternatives),
            _ => None,
        }
    }

    /// The elements of a list of a fixed length, which have a type each.
    pub fn elements(&self) -> Option<&[Place]> {
        match &self.place.shape {
            Shape::Tuple(elements) => Some(elements),
            _ => None,
        }
    }
}

/// The top level of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The members that the document requires.
    pub required: Vec<String>,
    /// The required members that are objects or arrays and never null: a body without one of these does not decode.
    pub content: Vec<String>,
}
