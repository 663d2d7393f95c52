//! What a schema says: the objects that must hold at once, and the values that they allow together.

use std::collections::BTreeMap;

use openapi_document::keywords::Role::{Choice as Alternatives, Null, Tag, Values};
use openapi_document::keywords::{has_role, names};
use serde_json::Value;

use super::choice::Choice;
use super::document::Unresolved;
use super::keywords::{is_wrapping, says_nothing};
use super::member::{Further, Member};
use super::plain::EnumValue;
use super::site::{Parts, Site};
use super::types;

/// What a schema says.
#[derive(Clone)]
pub struct Reading<'d> {
    /// Objects that must hold at once.
    pub parts: Parts<'d>,
    /// Object to point at if a keyword is absent.
    pub home: &'d Value,
    /// Allowed types other than null.
    pub types: u8,
    /// True if the types are restricted.
    pub typed: bool,
    /// True if null is allowed.
    pub null: bool,
    /// True if null is named: as a type, a value, or an alternative. A schema that allows any value does not name it.
    pub names_null: bool,
    /// True if the listed values contradict the listed types; the values count.
    pub is_mistyped: bool,
    /// Allowed enum values, if they are listed.
    pub enum_values: Option<Vec<EnumValue<'d>>>,
    /// Choices that are more than enum values.
    pub choices: Vec<Choice<'d>>,
    /// Schemas that a discriminator chooses beside the listed alternatives: a value may be one of them, or none.
    pub children: Vec<Choice<'d>>,
    /// Alternatives that are read as types, or as part of the choice around them; their documentation still counts.
    pub about: Vec<&'d Value>,
    /// Property whose values chose the alternative that this is compared with.
    pub tag: Option<&'d str>,
    /// References that cannot be resolved.
    pub unresolved: Vec<Unresolved<'d>>,
    /// True if the schema exceeds the limit.
    pub is_cut: bool,
}

impl<'d> Reading<'d> {
    /// Returns the reading of a schema without keywords.
    pub(super) fn empty(site: &Site<'d>) -> Self {
        Self {
            parts: Vec::new(),
            home: site.home,
            types: types::ALL,
            typed: false,
            null: true,
            names_null: false,
            is_mistyped: false,
            enum_values: None,
            choices: Vec::new(),
            children: Vec::new(),
            about: Vec::new(),
            tag: site.tag,
            unresolved: Vec::new(),
            is_cut: false,
        }
    }

    /// Returns whether values of one of these types may be allowed: an unknown type may be any.
    pub fn allows(&self, types: u8) -> bool {
        self.types & (types | types::UNKNOWN) != 0
    }

    /// Returns whether null is one of the values that the schema describes.
    pub fn is_nullable(&self) -> bool {
        self.null && self.names_null
    }

    /// Returns the values of a keyword in all parts.
    pub fn all(&self, keyword: &str) -> impl Iterator<Item = &'d Value> {
        self.parts.iter().filter_map(move |part| part.get(keyword))
    }

    /// Returns the value of the keyword that lists the values.
    pub fn values_keyword(&self) -> Option<&'d Value> {
        names(&[Values, Alternatives]).find_map(|keyword| self.first(keyword))
    }

    /// Returns the value of the keyword that says whether null is allowed.
    pub fn null_keyword(&self) -> Option<&'d Value> {
        self.first("nullable").or_else(|| self.first("type"))
    }

    /// Returns the first value of a keyword.
    pub fn first(&self, keyword: &str) -> Option<&'d Value> {
        self.all(keyword).next()
    }

    /// Returns whether a keyword is `true` in any part.
    pub fn says(&self, keyword: &str) -> bool {
        self.all(keyword).any(|value| value == &Value::Bool(true))
    }

    /// Returns whether a keyword is `false` in any part.
    pub fn forbids(&self, keyword: &str) -> bool {
        self.all(keyword).any(|value| value == &Value::Bool(false))
    }

    /// Returns the keywords of all parts that hold an object, with their names.
    fn entries(&self, keyword: &str) -> impl Iterator<Item = (&'d String, &'d Value)> {
        self.all(keyword).filter_map(Value::as_object).flatten()
    }

    /// Returns the members that have a name, by it.
    pub fn members(&self) -> BTreeMap<&'d str, Member<'d>> {
        let mut members: BTreeMap<&'d str, Member<'d>> = BTreeMap::new();
        for (name, schema) in self.entries("properties") {
            members.entry(name).or_default().parts.push(schema);
        }
        for name in self.all("required").filter_map(Value::as_array).flatten() {
            if let Some(text) = name.as_str() {
                members.entry(text).or_default().required = Some(name);
            }
        }
        members
    }

    /// Returns what members may be that have no name in the schema.
    pub fn further(&self) -> Further<'d> {
        self.remaining("additionalProperties")
    }

    /// Returns what members or elements may be that no other keyword describes, by a keyword for the remaining ones.
    pub fn remaining(&self, keyword: &str) -> Further<'d> {
        let mut values = self.all(keyword);
        if let Some(closed) = values.find(|value| **value == Value::Bool(false)) {
            return Further::Closed(closed);
        }
        let schemas: Parts<'d> = self
            .all(keyword)
            .filter(|value| value.as_object().is_some_and(|schema| !schema.is_empty()))
            .collect();
        if schemas.is_empty() {
            Further::Open
        } else {
            Further::Of(schemas)
        }
    }

    /// Returns whether the schema contains only a choice between alternatives.
    pub fn is_choice(&self) -> bool {
        self.choices.len() == 1 && self.parts.iter().all(|part| only_chooses(part))
    }
}

/// Returns whether a part constrains values by its alternatives alone.
fn only_chooses(part: &Value) -> bool {
    part.as_object().is_some_and(|map| {
        map.iter().all(|(key, value)| {
            is_wrapping(key)
                || has_role(key, &[Alternatives, Tag, Null])
                || says_nothing(types::ALL, key, value)
        })
    })
}
