//! Alternatives that only list enum values, types or null, which can also be written without `oneOf`.

use std::collections::HashSet;

use openapi_document::keywords::Role::{Null, Type, Values};
use openapi_document::keywords::{has_role, is_annotation};
use serde_json::Value;

use super::keywords::says_nothing;
use super::layer::{LAYERS, Layer, layer};
use super::types::{self, type_names};
use crate::decimal::Key;
use crate::schemas::side::Side;

/// One value of an enumeration.
#[derive(Clone, Copy)]
pub(crate) struct EnumValue<'d> {
    pub(crate) value: &'d Value,
    /// Schema that documents the value, in the form with one schema per enum value.
    pub(crate) about: Option<&'d Value>,
}

/// Returns an alternative without references and one-element lists around it.
pub(crate) fn unwrapped<'d>(side: &mut Side<'d>, schema: &'d Value) -> Option<&'d Value> {
    let mut at = schema;
    for _ in 0..LAYERS {
        at = side.object(at)?;
        match layer(side, at) {
            Some(Layer {
                inner: Some(inner),
                rest,
            }) if rest.is_empty() => at = inner,
            _ => return Some(at),
        }
    }
    None
}

/// An alternative that constrains only its type and its values, with its wrappers.
struct Plain<'d> {
    /// Objects, from the outermost to the innermost.
    layers: Vec<&'d Value>,
    /// Types that all of them allow, if one lists types.
    types: Option<u8>,
    /// True if null is one of them.
    null: bool,
}

impl<'d> Plain<'d> {
    /// Returns the only list of values; `None` for no list or several.
    fn listed(&self) -> Option<&'d [Value]> {
        let list = |layer: &&'d Value| match (layer.get("const"), layer.get("enum")) {
            (Some(only), None) => Some(std::slice::from_ref(only)),
            (None, Some(Value::Array(listed))) => Some(listed.as_slice()),
            _ => None,
        };
        let mut lists = self.layers.iter().filter_map(list);
        let first = lists.next()?;
        lists.next().is_none().then_some(first)
    }

    /// Returns whether a value has one of the types.
    fn has(&self, value: &Value) -> bool {
        match value {
            Value::Null => self.null || self.types.is_none(),
            value => self
                .types
                .is_none_or(|all| types::of_value(value) & all != 0),
        }
    }
}

/// Follows references and one-element lists. `None` if a keyword constrains more than type and values.
fn plain<'d>(side: &mut Side<'d>, schema: &'d Value) -> Option<Plain<'d>> {
    let mut plain = Plain {
        layers: Vec::new(),
        types: None,
        null: false,
    };
    let (mut next, mut rest) = (Some(schema), Vec::new());
    while let Some(schema) = next.take() {
        if plain.layers.len() >= LAYERS {
            return None;
        }
        plain.layers.push(schema);
        let layer = layer(side, schema)?;
        next = layer.inner;
        let constrains = |(key, _): &(&str, _)| !has_role(key, &[Type, Null, Values]);
        rest.extend(layer.rest.into_iter().filter(constrains));
        if let Some((named, null)) = type_names(schema) {
            plain.null = null && (plain.null || plain.types.is_none());
            plain.types = Some(plain.types.unwrap_or(types::ALL) & named);
        }
    }
    plain.null |= plain.layers.iter().any(|layer| is_nullable(layer));
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

fn is_nullable(schema: &Value) -> bool {
    schema.get("nullable") == Some(&Value::Bool(true))
}

/// Returns whether an alternative allows only null.
pub(super) fn is_null<'d>(side: &mut Side<'d>, schema: &'d Value) -> bool {
    plain(side, schema).is_some_and(|plain| match plain.listed() {
        Some(listed) => !listed.is_empty() && listed.iter().all(Value::is_null),
        None => plain.null && plain.types == Some(0),
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
    side: &mut Side<'d>,
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
        let plain = plain(side, one)?;
        let listed = plain.listed()?;
        let is_twice = listed.iter().any(|value| known.contains(&Key::of(value)));
        if !listed.iter().all(|value| plain.has(value)) || keyword == "oneOf" && is_twice {
            return None;
        }
        known.extend(listed.iter().map(Key::of));
        let telling = plain.layers.iter().find(|layer| says_more(layer));
        let telling = telling.or(plain.layers.last()).copied();
        let about = telling.filter(|_| listed.len() == 1);
        bare.null |= listed.iter().any(Value::is_null)
            || plain.layers.iter().any(|layer| is_nullable(layer));
        let values = listed.iter().map(|value| EnumValue { value, about });
        bare.all.extend(values);
        if about.is_none() {
            bare.about.extend(plain.layers);
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
    side: &mut Side<'d>,
    keyword: &str,
    alternatives: &[&'d Value],
) -> Option<Bare<'d, u8>> {
    let mut bare = Bare {
        all: 0,
        null: false,
        about: Vec::new(),
    };
    for one in alternatives {
        let plain = plain(side, one)?;
        let has_values = |layer: &&Value| layer.get("const").or(layer.get("enum")).is_some();
        let named = plain.types?;
        if plain.layers.iter().any(has_values) || keyword == "oneOf" && bare.all & named != 0 {
            return None;
        }
        bare.all |= named;
        bare.null |= plain.null;
        bare.about.extend(plain.layers);
    }
    Some(bare)
}
