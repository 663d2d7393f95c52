//! The schema that determines the form of a value: it is behind references, the only telling part of an `allOf`, or the only alternative
//! beside null.

use openapi_document::keywords::Role::{Choice, Content, Part, Presence, Reference, Type, Values};
use openapi_document::keywords::{COMPOSITIONS, has_role};
use openapi_document::resolver::reference;
use serde_json::{Map, Value};

use super::document::Document;
use super::parts::only_alternative;
use super::wrapper::Way;

/// Extensions that determine the form of a value.
#[derive(Clone, Copy)]
pub struct Extensions {
    /// Extension that gives a schema a name.
    pub name: &'static str,
    /// Extension that gives values a type. Beside a schema with a name it is about the location.
    pub chosen: &'static str,
}

/// The schema that determines the form of a value.
pub struct Followed<'d> {
    /// The schema; null if a reference leads nowhere or back to itself.
    pub schema: &'d Value,
    /// True if a reference was followed.
    pub is_referred: bool,
    /// Schemas around it, up to the first reference, outer ones first.
    pub around: Vec<&'d Map<String, Value>>,
    /// Schemas around it behind that reference.
    pub behind: Vec<&'d Map<String, Value>>,
}

impl Extensions {
    /// Follows a schema as long as nothing beside the next one determines the form of its values, up to one that has a name.
    pub fn follow<'d>(
        &self,
        document: &mut Document<'d>,
        schema: &'d Value,
        has_name: &dyn Fn(&Value) -> bool,
    ) -> Followed<'d> {
        let mut followed = Followed {
            schema,
            is_referred: false,
            around: Vec::new(),
            behind: Vec::new(),
        };
        let mut way = Way::default();
        loop {
            let schema = followed.schema;
            let Some(map) = schema.as_object() else {
                return followed;
            };
            if has_name(schema) {
                return followed;
            }
            let reference = reference(schema);
            let next = match reference {
                // The type of the values is about the location.
                Some(_) if map.keys().any(|key| is_structural(key)) => return followed,
                Some(reference) => document.target(reference, schema),
                None => match self.inner(document, map) {
                    Some(inner) if self.is_about(document, map, inner) => Some(inner),
                    _ => return followed,
                },
            };
            if followed.is_referred {
                followed.behind.push(map);
            } else {
                followed.around.push(map);
            }
            followed.is_referred |= reference.is_some();
            let next = next.filter(|_| way.goes_on(document, schema));
            followed.schema = next.unwrap_or(&Value::Null);
        }
    }

    /// Returns the only schema of a composition, if no other keyword determines the form of a value.
    fn inner<'d>(
        &self,
        document: &mut Document<'d>,
        map: &'d Map<String, Value>,
    ) -> Option<&'d Value> {
        let mut structural = map.keys().filter(|key| is_structural(key));
        let keyword = structural.next()?;
        let is_only = structural.next().is_none() && COMPOSITIONS.contains(&keyword.as_str());
        let list = map.get(keyword).filter(|_| is_only)?.as_array()?;
        if keyword == "allOf" {
            let mut telling = list.iter().filter(|part| !self.is_silent(part));
            return telling.next().filter(|_| telling.next().is_none());
        }
        // The only alternative beside a discriminator has a tag, so it is more than its schema.
        let only = only_alternative(document, list)?;
        (!map.contains_key("discriminator")).then_some(only)
    }

    /// Returns whether the type that a wrapper gives to values, if it gives one, is about its location.
    fn is_about<'d>(
        &self,
        document: &mut Document<'d>,
        map: &Map<String, Value>,
        inner: &'d Value,
    ) -> bool {
        !map.contains_key(self.chosen) || self.is_called(document, inner)
    }

    /// Returns whether a schema has a name, or is a reference, perhaps with keywords beside it and in wrappers.
    fn is_called<'d>(&self, document: &mut Document<'d>, mut schema: &'d Value) -> bool {
        loop {
            if reference(schema).is_some() || schema.get(self.name).is_some() {
                return true;
            }
            let map = schema.as_object();
            let map = map.filter(|map| !map.contains_key(self.chosen));
            match map.and_then(|map| self.inner(document, map)) {
                Some(inner) => schema = inner,
                None => return false,
            }
        }
    }

    /// Returns whether a part only describes or bounds values.
    fn is_silent(&self, part: &Value) -> bool {
        part.as_object().is_some_and(|map| {
            !map.keys().any(|key| {
                [self.name, self.chosen].contains(&key.as_str())
                    || is_structural(key)
                    || has_role(key, &[Reference, Type])
            })
        })
    }
}

/// Returns whether a keyword determines the form of a value. Beside a reference it makes a separate schema.
fn is_structural(key: &str) -> bool {
    has_role(key, &[Values, Part, Choice, Content, Presence])
}
