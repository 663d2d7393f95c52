//! Alternatives that are no more than enum values, types or null, which other spellings say without `oneOf`.

use serde_json::Value;

use super::keywords::is_annotation;
use super::types::type_names;
use crate::diff::schemas::side::Side;

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
    null && map.keys().all(|key| {
        is_annotation(key) || matches!(key.as_str(), "type" | "const" | "enum" | "nullable")
    })
}

/// What an alternative is, without references and one-element lists around it.
pub(in crate::diff) fn unwrapped<'d>(side: &mut Side<'d>, schema: &'d Value) -> Option<&'d Value> {
    let mut at = schema;
    // A longer chain is a circle.
    for _ in 0..64 {
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

/// The enum values, when every alternative is a list of them.
pub(super) fn enum_values_of<'d>(
    side: &mut Side<'d>,
    alternatives: &[&'d Value],
) -> Option<Vec<EnumValue<'d>>> {
    let mut enum_values = Vec::new();
    for one in alternatives {
        let value = unwrapped(side, one)?;
        let map = value.as_object()?;
        let is_plain = |key: &String| matches!(key.as_str(), "type" | "const" | "enum");
        if !map.keys().all(|key| is_plain(key) || is_annotation(key)) {
            return None;
        }
        match (map.get("const"), map.get("enum")) {
            (Some(enum_value), None) => enum_values.push(EnumValue {
                value: enum_value,
                about: Some(value),
            }),
            (None, Some(Value::Array(listed))) => {
                let about = Some(value).filter(|_| listed.len() == 1);
                enum_values.extend(listed.iter().map(|value| EnumValue { value, about }));
            }
            _ => return None,
        }
    }
    Some(enum_values)
}

/// Types that alternatives name.
pub(super) struct Bare<'d> {
    pub(super) types: u8,
    pub(super) null: bool,
    /// The alternatives, which may say more to people.
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
        let value = unwrapped(side, one)?;
        let map = value.as_object()?;
        let is_plain = |key: &String| matches!(key.as_str(), "type" | "nullable");
        if !map.keys().all(|key| is_plain(key) || is_annotation(key)) {
            return None;
        }
        let (named, null) = type_names(value)?;
        bare.types |= named;
        bare.null |= null || map.get("nullable") == Some(&Value::Bool(true));
        bare.about.push(value);
    }
    Some(bare)
}
