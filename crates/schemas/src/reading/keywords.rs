//! Keywords that constrain no value, in some cases with certain values only.

use openapi_document::keywords::Role::{
    self, Choice, Content, Null, Part, Reference, Tag, Type, Values,
};
use openapi_document::keywords::{About, has_role, is_silent, keyword, says};
use openapi_document::resolver::REFERRING;
use serde_json::Value;

use super::formats::excludes;
use super::types;

/// Returns whether a keyword alone constrains nothing: it is an annotation, or contains schemas.
pub fn is_wrapping(keyword: &str) -> bool {
    is_silent(keyword) || REFERRING.contains(&keyword) || keyword == "allOf"
}

/// Keywords that determine the form of a value.
const OF_A_FORM: &[Role] = &[Reference, Type, Values, Part, Choice, Content];

/// Returns whether a schema leaves the form of a value open: it only describes or restricts it.
pub fn leaves_open(schema: &Value) -> bool {
    !schema.as_object().is_some_and(|map| says(map, OF_A_FORM))
}

/// Returns whether a keyword leads to other schemas that are about the same value, or marks null.
pub fn leads_on(keyword: &str) -> bool {
    has_role(keyword, &[Reference, Part, Choice, Tag, Null])
}

/// Returns whether a keyword names types, or null.
pub fn names_types(keyword: &str) -> bool {
    has_role(keyword, &[Type, Null])
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
