//! A schema without what only spells it in another way: a reference to it, a list of which it is the only part, and null,
//! the only value and excluded bounds in the keywords of another version.

use openapi_document::json::text_of;
use openapi_document::keywords::Role::{
    Choice, Condition, Null, Part, Reference, Tag, Type, Values,
};
use openapi_document::keywords::{has_role, is_words};
use openapi_document::pointer;
use openapi_document::resolver::{REFERRING, reference, referred};
use openapi_schemas::Style;
use openapi_schemas::reading::{Document, Reading, Site, is_null, read};
use serde_json::{Map, Value};

/// Maximum number of schemas around another one; more are circular.
const LONGEST: usize = 64;

/// Bounds that 3.0 excludes by a flag and 3.1 by a number.
const EXCLUDED: [(&str, &str); 2] = [
    ("maximum", "exclusiveMaximum"),
    ("minimum", "exclusiveMinimum"),
];

/// A keyword that may be beside the only alternative, or in it.
pub(super) const DEFAULT: &str = "default";

/// A schema.
pub(super) struct Said<'e> {
    /// The schemas around it, and the schema.
    chain: Vec<&'e Map<String, Value>>,
    /// The schema without those around it.
    pub(super) map: &'e Map<String, Value>,
    /// True if one around it allows null.
    pub(super) or_null: bool,
    /// The first reference to it.
    pub(super) reference: Option<Referring<'e>>,
    /// What all of them say together.
    reading: Reading<'e>,
}

/// A reference to a schema.
#[derive(Clone, Copy)]
pub(super) struct Referring<'e> {
    pub(super) text: &'e str,
    /// True if a schema around the reference allows null.
    pub(super) or_null: bool,
}

/// Returns what a schema says; `None` for a schema without keywords, and for one that leads back to itself.
pub(super) fn peeled<'e>(document: &mut Document<'e>, value: &'e Value) -> Option<Said<'e>> {
    let mut said = Said {
        chain: Vec::new(),
        map: value.as_object()?,
        or_null: false,
        reference: None,
        reading: read(document, &Site::new(Some(value), value)),
    };
    let mut schema = value;
    while said.chain.len() < LONGEST {
        said.map = schema.as_object()?;
        said.chain.push(said.map);
        let Some(inner) = said.inner(document, schema) else {
            return Some(said);
        };
        schema = inner;
    }
    None
}

impl<'e> Said<'e> {
    /// Returns whether a keyword has other spellings, with which it is compared by [`Self::says_as`].
    pub(super) fn is_folded(key: &str) -> bool {
        let mut bounds = EXCLUDED.iter();
        has_role(key, &[Type, Null, Values])
            || key == DEFAULT
            || bounds.any(|(limit, flag)| [*limit, *flag].contains(&key))
    }

    /// Returns the only schema that this one leads to, if it has no other keyword but a default; notes null and the reference.
    fn inner(&mut self, document: &mut Document<'e>, schema: &'e Value) -> Option<&'e Value> {
        let is_null_allowed = self.map.get("nullable") == Some(&Value::Bool(true));
        let keys = self.map.keys().map(String::as_str);
        let key = only(keys.filter(|key| {
            let is_null = *key == "nullable" && is_null_allowed;
            !(is_null || is_words(key) || *key == DEFAULT)
        }))?;
        let (inner, has_null) = match (key, self.map.get(key)?) {
            (key, Value::String(_)) if REFERRING.contains(&key) => {
                (referred(document.root, schema)?, false)
            }
            ("allOf", Value::Array(parts)) => (only(parts.iter())?, false),
            ("anyOf" | "oneOf", Value::Array(parts)) => {
                let others: Vec<&Value> = (parts.iter())
                    .filter(|part| !is_null(document, part))
                    .collect();
                (only(others.iter().copied())?, others.len() < parts.len())
            }
            _ => return None,
        };
        self.or_null |= is_null_allowed || has_null;
        if let (Some(text), None) = (reference(schema), self.reference) {
            self.reference = Some(Referring {
                text,
                or_null: self.or_null,
            });
        }
        Some(inner)
    }

    /// Returns the value of a keyword of the schema, or of the outermost one around it.
    pub(super) fn get(&self, key: &str) -> Option<&'e Value> {
        self.chain.iter().find_map(|map| map.get(key))
    }

    /// Returns whether a keyword lists parts of the schema.
    pub(super) fn is_part(key: &str) -> bool {
        has_role(key, &[Part])
    }

    /// Returns whether a keyword lists alternatives.
    pub(super) fn is_choice(key: &str) -> bool {
        has_role(key, &[Choice])
    }

    /// Returns whether a keyword leads to schemas about the same value.
    pub(super) fn leads_on(key: &str) -> bool {
        has_role(key, &[Reference, Part, Choice, Condition, Tag])
    }

    /// Returns whether two schemas say the same by one of the folded keywords.
    /// With `is_null_aside`, null does not count.
    pub(super) fn says_as(&self, other: &Self, key: &str, is_null_aside: bool) -> bool {
        if has_role(key, &[Type, Null]) {
            self.has_types_of(other, is_null_aside)
        } else if has_role(key, &[Values]) {
            self.has_values_of(other) && self.has_types_of(other, is_null_aside)
        } else if key == DEFAULT {
            self.has_default_of(other)
        } else {
            self.has_bounds_of(other)
        }
    }

    /// Returns whether another schema has the same default, which may be beside a schema around it.
    pub(super) fn has_default_of(&self, other: &Self) -> bool {
        self.get(DEFAULT) == other.get(DEFAULT)
    }

    /// Returns whether another schema lists the same values. Null among them is a type.
    pub(super) fn has_values_of(&self, other: &Self) -> bool {
        self.values() == other.values()
    }

    /// Returns whether another schema has the same bounds, of those that may be excluded.
    pub(super) fn has_bounds_of(&self, other: &Self) -> bool {
        self.bounds() == other.bounds()
    }

    /// Returns whether another schema has the same types. A flag for null that is no boolean is read by some tools only.
    pub(super) fn has_types_of(&self, other: &Self, is_null_aside: bool) -> bool {
        let (own, others) = (&self.reading, &other.reading);
        own.types == others.types
            && own.typed == others.typed
            && (is_null_aside || own.is_nullable() == others.is_nullable())
            && self.unclear_flag() == other.unclear_flag()
    }

    fn unclear_flag(&self) -> Option<&'e Value> {
        self.map.get("nullable").filter(|flag| !flag.is_boolean())
    }

    /// Returns the listed values, as JSON in one order.
    fn values(&self) -> Option<Vec<String>> {
        let all = self.reading.enum_values.as_ref()?.iter();
        let mut values: Vec<String> = all.map(|one| one.value.to_string()).collect();
        values.sort();
        Some(values)
    }

    /// Returns the bounds that may be excluded, each with whether it is.
    pub(super) fn bounds(&self) -> Vec<(&'static str, String, bool)> {
        let mut bounds = Vec::new();
        for (limit, flag) in EXCLUDED {
            let own = self.map.get(limit).map(Value::to_string);
            match (own, self.map.get(flag)) {
                (Some(own), Some(Value::Bool(is_excluded))) => {
                    bounds.push((limit, own, *is_excluded));
                }
                (own, flag) => {
                    bounds.extend(own.map(|own| (limit, own, false)));
                    bounds.extend(flag.map(|value| (limit, value.to_string(), true)));
                }
            }
        }
        bounds
    }
}

/// Returns the pointer of the only schema that an object has as a part of it, if that is a reference.
pub(super) fn part_of(object: &Value) -> Option<&str> {
    let parts = object.get("allOf").and_then(Value::as_array)?;
    pointer::from_fragment(reference(only(parts.iter())?)?)
}

/// Returns whether a member of a schema allows null, or an element of its list of types or alternatives.
pub(super) fn allows_null_by(key: &str, value: Option<&Value>) -> bool {
    has_role(key, &[Null])
        || value.is_some_and(|value| value == "null" || text_of(value, "type") == Some("null"))
}

/// Returns the only element.
fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    all.next().filter(|_| all.next().is_none())
}

/// Returns whether an object says by a keyword what it says without it.
pub(super) fn says_default(map: &Map<String, Value>, key: &str) -> bool {
    let (Some(value), place) = (map.get(key), map.get("in").and_then(Value::as_str)) else {
        return true;
    };
    match (key, place) {
        ("required" | "deprecated" | "allowReserved", _) => value == false,
        ("style" | "explode", Some(place)) => {
            let mut without = map.clone();
            without.shift_remove(key);
            Style::of(&map.clone().into(), place) == Style::of(&without.into(), place)
        }
        _ => false,
    }
}
