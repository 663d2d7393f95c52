//! JSON types as bits; a number is a whole number or one with a fraction.

use serde_json::Value;

use crate::decimal::decimal;

pub(crate) const BOOLEAN: u8 = 1;
pub(crate) const INTEGER: u8 = 2;
pub(crate) const FRACTION: u8 = 4;
pub(crate) const STRING: u8 = 8;
pub(crate) const ARRAY: u8 = 16;
pub(crate) const OBJECT: u8 = 32;
/// Name that is not a JSON type.
pub(crate) const UNKNOWN: u8 = 64;
pub(crate) const NUMBER: u8 = INTEGER | FRACTION;
pub(crate) const ALL: u8 = 127;

fn of_name(name: &str) -> u8 {
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

pub(crate) fn of_value(value: &Value) -> u8 {
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

/// Returns the types of the keyword `type`, and whether null is one.
pub(super) fn type_names(part: &Value) -> Option<(u8, bool)> {
    match part.get("type")? {
        Value::String(name) => Some((of_name(name), name == "null")),
        Value::Array(names) => Some(names.iter().fold((0, false), |(all, null), name| {
            let name = name.as_str().unwrap_or("?");
            (all | of_name(name), null || name == "null")
        })),
        _ => Some((UNKNOWN, false)),
    }
}
