//! Alternatives that are no more than enum values, types or null, which other spellings say without `oneOf`.

use serde_json::Value;

use super::keywords::{is_annotation, says_nothing};
use super::types::{self, type_names};
use crate::diff::schemas::side::Side;

/// Schemas within each other that are looked through. A longer chain is a circle.
const LAYERS: usize = 64;

/// One value of an enumeration.
#[derive(Clone, Copy)]
pub(in crate::diff) struct EnumValue<'d> {
    pub(in crate::diff) value: &'d Value,
    /// The schema that says more about it, in the spelling with one schema per enum value.
    pub(in crate::diff) about: Option<&'d Value>,
}

/// Whether two JSON values are the same to JSON Schema, where 1 is 1.0.
pub(in crate::diff) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => match (whole(a), whole(b)) {
            (Some(a), Some(b)) => a == b,
            _ => x.as_f64() == y.as_f64(),
        },
        _ => a == b,
    }
}

/// A whole number, if a JSON number is one for certain: beyond 64 bits a fraction may have been lost.
fn whole(value: &Value) -> Option<i128> {
    let own = value.as_i64().map(i128::from);
    let own = own.or_else(|| value.as_u64().map(i128::from));
    own.or_else(|| {
        let number = value.as_f64()?;
        let is_certain = number.fract() == 0.0 && number.abs() < 2_f64.powi(64);
        is_certain.then_some(number as i128)
    })
}

pub(super) fn is_null(schema: &Value) -> bool {
    let Some(map) = schema.as_object() else {
        return false;
    };
    let null = match (map.get("type"), map.get("const"), map.get("enum")) {
        (Some(Value::String(name)), None, None) => name == "null",
        (Some(Value::Array(names)), None, None) => {
            matches!(names.as_slice(), [Value::String(name)] if name == "null")
        }
        (_, Some(enum_value), _) => enum_value.is_null(),
        (_, None, Some(Value::Array(enum_values))) => {
            !enum_values.is_empty() && enum_values.iter().all(Value::is_null)
        }
        _ => false,
    };
    null && map.iter().all(|(key, value)| {
        says_nothing(0, key, value)
            || matches!(key.as_str(), "type" | "const" | "enum" | "nullable")
    })
}

/// What an alternative is, without references and one-element lists around it.
pub(in crate::diff) fn unwrapped<'d>(side: &mut Side<'d>, schema: &'d Value) -> Option<&'d Value> {
    let mut at = schema;
    for _ in 0..LAYERS {
        at = side.object(at)?;
        let inner = match at.as_object().map(|map| (map.len(), map.iter().next())) {
            Some((1, Some((keyword, Value::Array(list)))))
                if matches!(keyword.as_str(), "allOf" | "oneOf" | "anyOf") =>
            {
                list.as_slice()
            }
            _ => return Some(at),
        };
        let [only] = inner else { return Some(at) };
        at = only;
    }
    None
}

/// What an alternative is that constrains no more than its type and its values, however it is wrapped.
struct Plain<'d> {
    /// Its objects, from the outermost to the innermost.
    layers: Vec<&'d Value>,
    /// The types that all of them name, if one does.
    types: Option<u8>,
    /// Whether null is one of them.
    null: bool,
}

/// Follows references and lists of one element. `None` where a keyword constrains more than `own` keywords do.
fn plain<'d>(side: &mut Side<'d>, schema: &'d Value, own: &[&str]) -> Option<Plain<'d>> {
    let mut plain = Plain {
        layers: Vec::new(),
        types: None,
        null: false,
    };
    let (mut next, mut rest) = (Some(schema), Vec::new());
    while let Some(at) = next.take() {
        let layer = side.object(at)?;
        if plain.layers.len() >= LAYERS {
            return None;
        }
        plain.layers.push(layer);
        for (key, value) in layer.as_object()? {
            match (key.as_str(), value.as_array().map(Vec::as_slice)) {
                ("allOf" | "oneOf" | "anyOf", Some([only])) if next.is_none() => next = Some(only),
                (key, _) if own.contains(&key) => {}
                (key, _) => rest.push((key, value)),
            }
        }
        if let Some((named, null)) = type_names(layer) {
            plain.null = null && (plain.null || plain.types.is_none());
            plain.types = Some(plain.types.unwrap_or(types::ALL) & named);
        }
    }
    let is_nullable = |layer: &&Value| layer.get("nullable") == Some(&Value::Bool(true));
    plain.null |= plain.layers.iter().any(is_nullable);
    let allowed = plain.types.unwrap_or(types::ALL);
    let mut rest = rest.into_iter();
    let is_plain = rest.all(|(key, value)| says_nothing(allowed, key, value));
    is_plain.then_some(plain)
}

/// The enum values, when every alternative is a list of them.
pub(super) fn enum_values_of<'d>(
    side: &mut Side<'d>,
    alternatives: &[&'d Value],
) -> Option<Vec<EnumValue<'d>>> {
    let mut enum_values = Vec::new();
    for one in alternatives {
        let plain = plain(side, one, &["type", "const", "enum"])?;
        if plain.types.is_some_and(|named| named & types::UNKNOWN != 0) {
            return None;
        }
        let mut listing =
            plain
                .layers
                .iter()
                .filter_map(|layer| match (layer.get("const"), layer.get("enum")) {
                    (Some(only), None) => Some(std::slice::from_ref(only)),
                    (None, Some(Value::Array(listed))) => Some(listed.as_slice()),
                    _ => None,
                });
        let (Some(listed), None) = (listing.next(), listing.next()) else {
            return None;
        };
        let telling = plain.layers.iter().find(|layer| says_more(layer));
        let about = telling.or(plain.layers.last()).copied();
        let about = about.filter(|_| listed.len() == 1);
        // A value of another type is none of the alternative's.
        let allowed = plain.types.unwrap_or(types::ALL);
        let own = listed
            .iter()
            .filter(|value| value.is_null() || types::of_value(value) & allowed != 0);
        enum_values.extend(own.map(|value| EnumValue { value, about }));
    }
    Some(enum_values)
}

/// Whether a schema says something to people or tools.
fn says_more(schema: &Value) -> bool {
    let mut keys = schema.as_object().into_iter().flat_map(|map| map.keys());
    keys.any(|key| is_annotation(key))
}

/// Types that alternatives name.
pub(super) struct Bare<'d> {
    pub(super) types: u8,
    pub(super) null: bool,
    /// The objects of the alternatives, which may say more to people.
    pub(super) about: Vec<&'d Value>,
}

/// The types, when every alternative is a type and constrains nothing else.
pub(super) fn bare_types<'d>(side: &mut Side<'d>, alternatives: &[&'d Value]) -> Option<Bare<'d>> {
    let mut bare = Bare {
        types: 0,
        null: false,
        about: Vec::new(),
    };
    for one in alternatives {
        let plain = plain(side, one, &["type", "nullable"])?;
        bare.types |= plain.types?;
        bare.null |= plain.null;
        bare.about.extend(plain.layers);
    }
    Some(bare)
}
