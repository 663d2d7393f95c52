//! A schema under its Rust name: in which direction it travels, and what its values always have.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::names;

/// In which direction values of a schema travel.
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
    /// Where it stands in the document.
    pub pointer: String,
    /// The schema; whatever else becomes a type is a reference in it.
    pub value: Value,
    /// The directions in which its values travel.
    pub usage: Usage,
    /// Where properties stand that other schemas bring into this one; all others stand in the schema itself.
    pub origins: BTreeMap<String, String>,
    /// How the alternatives of a union are told apart, where a property does it.
    pub tag: Option<Tag>,
    /// What it has to have, if it is the top level of a response.
    pub envelope: Option<Envelope>,
}

/// The property that tells the alternatives of a union apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name on the wire.
    pub property: String,
    /// Its values for each alternative, in their order; empty for what is no object.
    pub values: Vec<Vec<String>>,
    /// Whether the document lists all values, so that any other is an alternative that it does not have.
    pub is_certain: bool,
}

/// On an enumeration of texts: any other text is a value too.
pub const ANY_TEXT: &str = "x-any-text";

impl Schema {
    /// Whether a value of this type always has the property, and not null: the type insists where callers send it, and on the
    /// content of a response.
    pub fn insists_on(&self, property: &str) -> bool {
        let required = self.value.get("required").and_then(Value::as_array);
        let properties = self.value.get("properties");
        let nullable = properties.and_then(|all| all.get(property)?.get("nullable")?.as_bool());
        let is_sent = self.usage.request
            && nullable != Some(true)
            && required
                .into_iter()
                .flatten()
                .any(|name| name.as_str() == Some(property));
        is_sent || self.is_content(property)
    }

    /// Whether the property holds the content of a response, at its top level.
    pub fn is_content(&self, property: &str) -> bool {
        let content = self.envelope.iter().flat_map(|envelope| &envelope.content);
        content.into_iter().any(|name| name == property)
    }

    /// The properties of an object schema, in the order of the document.
    pub fn properties(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.value
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
    }

    /// The names of the members that the document requires.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        let required = self.value.get("required").and_then(Value::as_array);
        required.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Whether values are a text that is none of a list.
    pub fn is_any_text(&self) -> bool {
        self.value.get("type").and_then(Value::as_str) == Some("string")
            && self.value.get("enum").is_none()
            && self.value.get("x-rust-type").is_none()
    }

    /// The alternatives, if values are one of several forms.
    pub fn alternatives(&self) -> Option<&[Value]> {
        Some(self.value.get("oneOf")?.as_array()?.as_slice())
    }

    /// The elements of a list of a fixed length, which have a type each.
    pub fn elements(&self) -> Option<&[Value]> {
        Some(self.value.get("prefixItems")?.as_array()?.as_slice())
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

/// The name of the field that a property becomes.
pub fn field_name(property: &str, value: &Value) -> String {
    let name = value.get("x-rust-name").and_then(Value::as_str);
    names::snake(name.unwrap_or(property))
}

/// The Rust name in a hoisted reference.
pub fn reference(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.rsplit('/').next()
}
