//! JSON types as bits; a number is a whole number or one with a fraction.

use serde_json::Value;

use crate::decimal::decimal;

/// `true` and `false`.
pub const BOOLEAN: u8 = 1;
/// Whole numbers.
pub const INTEGER: u8 = 2;
/// Numbers with a fraction.
pub const FRACTION: u8 = 4;
/// Strings.
pub const STRING: u8 = 8;
/// Arrays.
pub const ARRAY: u8 = 16;
/// Objects.
pub const OBJECT: u8 = 32;
/// Name that is not a JSON type.
pub const UNKNOWN: u8 = 64;
/// All numbers.
pub const NUMBER: u8 = INTEGER | FRACTION;
/// Any value other than null.
pub const ALL: u8 = 127;

/// Names of the keyword `type`.
pub struct TypeNames {
    /// Types other than null.
    pub types: u8,
    /// True if null is one of them.
    pub null: bool,
}

fn type_named(name: &str) -> u8 {
    match name {
        "boolean" => BOOLEAN,
        "integer" => INTEGER,
        "number" => NUMBER,
        "string" => STRING,
        "array" => ARRAY,
        "object" => OBJECT,
        "null" => 0,
        _ => UNKNOWN,
    }
}

/// Returns the names of types, as the keyword `type` has them.
pub fn names(types: u8) -> Vec<&'static str> {
    let all = [
        (BOOLEAN, "boolean"),
        (FRACTION, "number"),
        (STRING, "string"),
        (ARRAY, "array"),
        (OBJECT, "object"),
        (INTEGER, "integer"),
    ];
    // A whole number is a number, too.
    let left_out = if types & FRACTION != 0 { INTEGER } else { 0 };
    let named = all
        .into_iter()
        .filter(|(bit, _)| types & !left_out & bit != 0);
    named.map(|(_, name)| name).collect()
}

/// Returns the type of a value; none for null.
pub fn type_of(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => BOOLEAN,
        Value::String(_) => STRING,
        Value::Array(_) => ARRAY,
        value => match decimal(value) {
            Some(number) if number.is_whole() => INTEGER,
            Some(_) => FRACTION,
            None => OBJECT,
        },
    }
}

/// Returns the types of the keyword `type`.
pub fn type_names(part: &Value) -> Option<TypeNames> {
    Some(match part.get("type")? {
        Value::String(name) => TypeNames {
            types: type_named(name),
            null: name == "null",
        },
        Value::Array(names) => {
            let names = names.iter().map(|name| name.as_str().unwrap_or("?"));
            TypeNames {
                types: names.clone().fold(0, |all, name| all | type_named(name)),
                null: names.into_iter().any(|name| name == "null"),
            }
        }
        _ => TypeNames {
            types: UNKNOWN,
            null: false,
        },
    })
}
