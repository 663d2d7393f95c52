//! Alternatives that only list enum values, types or null, which can also be written without `oneOf`.

use std::collections::HashSet;

use openapi_document::keywords::Role::{Null, Type, Values};
use openapi_document::keywords::{has_role, is_annotation};
use serde_json::Value;

use super::document::Document;
use super::keywords::says_nothing;
use super::types::{self, type_names};
use super::wrapper::{Way, wrapper};
use crate::decimal::Key;

/// One value of an enumeration.
#[derive(Clone, Copy)]
pub struct EnumValue<'d> {
    /// The value.
    pub value: &'d Value,
    /// Schema that documents the value, in the form with one schema per enum value.
    pub about: Option<&'d Value>,
}

/// An alternative that constrains only its type and its values, with its wrappers.
struct Plain<'d> {
    /// Objects, from the outermost to the innermost.
    wrappers: Vec<&'d Value>,
    /// Types that all of them allow, if one lists types.
    types: Option<u8>,
    /// True if null is one of them.
    null: bool,
}

impl<'d> Plain<'d> {
    /// Returns the only list of values; `None` for no list or several.
    fn listed(&self) -> Option<&'d [Value]> {
        let mut lists = self.wrappers.iter().filter_map(|wrapper| {
            match (wrapper.get("const"), wrapper.get("enum")) {
                (Some(only), None) => Some(std::slice::from_ref(only)),
                (None, Some(Value::Array(listed))) => Some(listed.as_slice()),
                _ => None,
            }
        });
        let first = lists.next()?;
        lists.next().is_none().then_some(first)
    }

    /// Returns whether a value has one of the types.
    fn has(&self, value: &Value) -> bool {
        match value {
            Value::Null => self.null || self.types.is_none(),
            value => self
                .types
                .is_none_or(|all| types::type_of(value) & all != 0),
        }
    }
}

/// Follows references and one-element lists. `None` if a keyword constrains more than type and values.
fn plain<'d>(document: &mut Document<'d>, schema: &'d Value) -> Option<Plain<'d>> {
    let mut plain = Plain {
        wrappers: Vec::new(),
        types: None,
        null: false,
    };
    let (mut next, mut rest, mut way) = (Some(schema), Vec::new(), Way::default());
    while let Some(schema) = next.take() {
        if !way.goes_on(document, schema) {
            return None;
        }
        plain.wrappers.push(schema);
        let wrapper = wrapper(document, schema)?;
        next = wrapper.inner;
        let others = wrapper.rest.into_iter();
        rest.extend(others.filter(|(key, _)| !has_role(key, &[Type, Null, Values])));
        if let Some(named) = type_names(schema) {
            plain.null = named.null && (plain.null || plain.types.is_none());
            plain.types = Some(plain.types.unwrap_or(types::ALL) & named.types);
        }
    }
    plain.null |= plain.wrappers.iter().any(|wrapper| is_nullable(wrapper));
    // Any keyword may constrain an unknown type.
    let known = plain.types.filter(|all| all & types::UNKNOWN == 0);
    // Keywords about other types do not constrain null.
    let known = match plain.listed() {
        Some(listed) if !listed.is_empty() && listed.iter().all(Value::is_null) => Some(0),
        _ => known,
    };
    let mut rest = rest.into_iter();
    let is_plain = rest.all(|(key, value)| says_nothing(known.unwrap_or(types::ALL), key, value));
    is_plain.then_some(plain)
}

/// Returns whether a schema itself marks null as allowed.
pub(super) fn is_nullable(schema: &Value) -> bool {
    schema.get("nullable") == Some(&Value::Bool(true))
}

/// Returns whether an alternative allows only null.
pub fn is_null<'d>(document: &mut Document<'d>, schema: &'d Value) -> bool {
    plain(document, schema).is_some_and(|plain| match plain.listed() {
        Some(listed) => !listed.is_empty() && listed.iter().all(Value::is_null),
        None => plain.null && plain.types == Some(0),
    })
}

/// Returns whether an alternative allows only null, or the placeholder of some tools for an omitted choice.
pub(super) fn is_blank<'d>(document: &mut Document<'d>, schema: &'d Value) -> bool {
    is_null(document, schema)
        || plain(document, schema).is_some_and(|plain| {
            let listed = plain.listed().unwrap_or_default();
            let mut values = listed.iter();
            !listed.is_empty() && values.all(|value| value.is_null() || value == "")
        })
}

/// Result for alternatives that are values or types.
pub(super) struct Bare<'d, T> {
    pub(super) all: T,
    pub(super) null: bool,
    /// Objects of the alternatives, which may contain documentation.
    pub(super) about: Vec<&'d Value>,
}

/// Returns the enum values, if every alternative lists some. `oneOf` refuses a value that two of its alternatives list.
pub(super) fn enum_values_of<'d>(
    document: &mut Document<'d>,
    keyword: &str,
    alternatives: &[&'d Value],
) -> Option<Bare<'d, Vec<EnumValue<'d>>>> {
    let mut bare = Bare {
        all: Vec::new(),
        null: false,
        about: Vec::new(),
    };
    let mut known = HashSet::new();
    for one in alternatives {
        let plain = plain(document, one)?;
        let listed = plain.listed()?;
        let is_twice = listed.iter().any(|value| known.contains(&Key::of(value)));
        if !listed.iter().all(|value| plain.has(value)) || keyword == "oneOf" && is_twice {
            return None;
        }
        known.extend(listed.iter().map(Key::of));
        let telling = plain.wrappers.iter().find(|wrapper| says_more(wrapper));
        let telling = telling.or(plain.wrappers.last()).copied();
        let about = telling.filter(|_| listed.len() == 1);
        bare.null |= listed.iter().any(Value::is_null)
            || plain.wrappers.iter().any(|wrapper| is_nullable(wrapper));
        let values = listed.iter().map(|value| EnumValue { value, about });
        bare.all.extend(values);
        if about.is_none() {
            bare.about.extend(plain.wrappers);
        }
    }
    Some(bare)
}

/// Returns whether a schema contains documentation or extensions.
fn says_more(schema: &Value) -> bool {
    let mut keys = schema.as_object().into_iter().flat_map(|map| map.keys());
    keys.any(|key| is_annotation(key))
}

/// Returns the types, if every alternative is a type and constrains nothing else. `oneOf` refuses a value of a type that two alternatives
/// have.
pub(super) fn bare_types<'d>(
    document: &mut Document<'d>,
    keyword: &str,
    alternatives: &[&'d Value],
) -> Option<Bare<'d, u8>> {
    let mut bare = Bare {
        all: 0,
        null: false,
        about: Vec::new(),
    };
    for one in alternatives {
        let plain = plain(document, one)?;
        let mut wrappers = plain.wrappers.iter();
        let has_values = wrappers.any(|one| one.get("const").or(one.get("enum")).is_some());
        let named = plain.types?;
        if has_values || keyword == "oneOf" && bare.all & named != 0 {
            return None;
        }
        bare.all |= named;
        bare.null |= plain.null;
        bare.about.extend(plain.wrappers);
    }
    Some(bare)
}
