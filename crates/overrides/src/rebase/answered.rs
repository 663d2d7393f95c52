//! The keywords of a schema for which its reading answers. Any other keyword, and one with a value of another form, is compared as JSON.

use openapi_document::keywords::Role::{Content, Name, Rest, Values};
use openapi_document::keywords::{Takes, has_role, rows};
use openapi_document::resolver::REFERRING;
use openapi_schemas::reading::{leads_on, names_types};
use serde_json::{Map, Value};

/// Returns the keywords for the members or elements that no other keyword describes.
pub(super) fn remaining() -> impl Iterator<Item = &'static str> {
    let all = rows(&[Content, Rest]);
    let all = all.filter(|row| matches!(row.takes, Takes::Schema | Takes::SchemaOrBool));
    all.map(|row| row.name)
}

/// Bounds that 3.0 excludes by a flag and 3.1 by a number.
pub(super) const EXCLUDED: [(&str, &str); 2] = [
    ("maximum", "exclusiveMaximum"),
    ("minimum", "exclusiveMinimum"),
];

/// Names of types.
const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Returns whether a keyword composes a schema of others.
pub(super) fn is_composing(key: &str) -> bool {
    leads_on(key) && !names_types(key)
}

/// Returns whether a reading answers for a keyword with this value. One of another form says nothing to it.
pub(super) fn is_read(part: &Map<String, Value>, key: &str, value: &Value) -> bool {
    let all = |is_one: fn(&Value) -> bool| {
        let list = value.as_array();
        list.is_some_and(|list| !list.is_empty() && list.iter().all(is_one))
    };
    match key {
        "type" => is_type(value) || all(is_type),
        "enum" => value.is_array() && !part.contains_key("const"),
        "const" => true,
        key if names_types(key) => value.is_boolean(),
        "properties" | "discriminator" => value.is_object(),
        "required" => all(Value::is_string),
        key if REFERRING.contains(&key) => value.is_string(),
        key if leads_on(key) => all(is_schema),
        key if has_role(key, &[Name]) => value.is_string() && !matches!(key, "$id" | "$schema"),
        key if remaining().any(|name| name == key) => is_schema(value),
        key => {
            let is_limit = EXCLUDED.iter().any(|(limit, _)| *limit == key);
            let is_flag = EXCLUDED.iter().any(|(_, flag)| *flag == key);
            (is_limit || is_flag) && value.is_number() || is_flag && value.is_boolean()
        }
    }
}

/// Returns whether a part lacks a keyword, or a reading answers for it as far as for any.
pub(super) fn is_read_in(part: &Value, key: &str) -> bool {
    let map = part.as_object();
    let value = map.and_then(|map| Some((map, map.get(key)?)));
    value.is_none_or(|(map, value)| {
        let is_known = names_types(key) || leads_on(key) || has_role(key, &[Values]);
        !is_known || is_read(map, key, value)
    })
}

fn is_type(value: &Value) -> bool {
    value.as_str().is_some_and(|name| TYPES.contains(&name))
}

/// Returns whether a value has the form of a schema.
pub(super) fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}
