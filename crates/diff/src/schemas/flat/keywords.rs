//! Keywords that constrain no value, some of them with certain values only.

use serde_json::Value;

use super::formats::excludes;
use super::types;

/// Keywords that say something to people only.
pub(crate) const DOCS: [&str; 10] = [
    "title",
    "description",
    "summary",
    "example",
    "examples",
    "externalDocs",
    "$comment",
    "termsOfService",
    "contact",
    "license",
];

/// Keywords about objects alone.
pub(crate) const OBJECTS: [&str; 8] = [
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
];

/// Keywords about lists alone.
pub(crate) const ARRAYS: [&str; 5] = [
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
];

/// Whether a keyword says nothing by itself: it is silent, or leads to schemas that say something.
pub(crate) fn is_wrapping(keyword: &str) -> bool {
    is_silent(keyword) || matches!(keyword, "$ref" | "$dynamicRef" | "allOf")
}

/// Whether a keyword constrains no value, or names the schema.
pub(crate) fn is_silent(keyword: &str) -> bool {
    is_annotation(keyword) || matches!(keyword, "$anchor" | "$dynamicAnchor")
}

/// The types that a keyword is about; `None` for one that is about values of any type.
fn subject(keyword: &str) -> Option<u8> {
    Some(match keyword {
        "minLength" | "maxLength" | "pattern" => types::STRING,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            types::NUMBER
        }
        "minItems" | "maxItems" | "uniqueItems" => types::ARRAY,
        "minProperties" | "maxProperties" => types::OBJECT,
        _ if ARRAYS.contains(&keyword) => types::ARRAY,
        _ if OBJECTS.contains(&keyword) => types::OBJECT,
        _ => return None,
    })
}

/// Whether a keyword with this value constrains no value of these types.
pub(super) fn says_nothing(allowed: u8, keyword: &str, value: &Value) -> bool {
    if subject(keyword).is_some_and(|subject| subject & allowed == 0) {
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

/// Whether a keyword constrains no value.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    DOCS.contains(&keyword)
        || keyword.starts_with("x-")
        || matches!(
            keyword,
            "deprecated" | "default" | "readOnly" | "writeOnly" | "xml"
        )
}
