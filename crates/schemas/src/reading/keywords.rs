//! Keywords that constrain no value, in some cases with certain values only.

use openapi_document::keywords::{About, is_silent, keyword};
use openapi_document::resolver::REFERRING;
use serde_json::Value;

use super::formats::excludes;
use super::types;

/// Returns whether a keyword alone constrains nothing: it is an annotation, or contains schemas.
pub fn is_wrapping(keyword: &str) -> bool {
    is_silent(keyword) || REFERRING.contains(&keyword) || keyword == "allOf"
}

/// Returns the types that a keyword is about; all of them for an unknown keyword.
fn subject(name: &str) -> u8 {
    match keyword(name).map_or(About::Any, |row| row.about) {
        About::Any => types::ALL,
        About::String => types::STRING,
        About::Number => types::NUMBER,
        About::Array => types::ARRAY,
        About::Object => types::OBJECT,
    }
}

/// Returns whether a keyword with this value excludes no value of these types.
pub(super) fn says_nothing(allowed: u8, keyword: &str, value: &Value) -> bool {
    let subject = subject(keyword);
    if subject != types::ALL && subject & allowed == 0 {
        return true;
    }
    match (keyword, value) {
        ("minLength" | "minItems" | "minProperties", least) => least.as_f64() == Some(0.0),
        (
            "uniqueItems" | "nullable" | "exclusiveMinimum" | "exclusiveMaximum",
            Value::Bool(is_on),
        ) => !is_on,
        ("required", Value::Array(names)) => names.is_empty(),
        ("properties" | "patternProperties", Value::Object(all)) => all.is_empty(),
        ("additionalProperties", Value::Bool(is_open)) => *is_open,
        ("additionalProperties", Value::Object(schema)) => schema.is_empty(),
        ("format", Value::String(name)) => !excludes(name),
        _ => is_silent(keyword),
    }
}
