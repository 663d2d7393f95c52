//! Parameters: their members, and what each has to have.

use serde_json::{Value, json};

use super::walker::Walker;

/// Members of a parameter.
pub const PARAMETER: [&str; 13] = [
    "allowEmptyValue",
    "allowReserved",
    "content",
    "deprecated",
    "description",
    "example",
    "examples",
    "explode",
    "in",
    "name",
    "required",
    "schema",
    "style",
];

/// Gives a parameter a schema. Returns whether it has a name and a place in the request.
pub(super) fn parameter(walker: &mut Walker<'_>, value: &mut Value, at: &str) -> bool {
    let Some(map) = value.as_object_mut() else {
        form(walker, at, "this is not a parameter");
        return false;
    };
    if !map.get("name").is_some_and(Value::is_string) {
        form(walker, at, "the parameter has no name");
        return false;
    }
    if !map.get("in").is_some_and(Value::is_string) {
        form(walker, at, "the parameter does not say where it is sent");
        return false;
    }
    if !map.contains_key("schema") && !map.contains_key("content") {
        form(
            walker,
            at,
            "the parameter has no schema, and any value is accepted",
        );
        map.insert("schema".to_owned(), json!({}));
    }
    true
}

fn form(walker: &mut Walker<'_>, at: &str, message: &str) {
    walker.warn(
        "openapi-form",
        at,
        message,
        "write the parameter as OpenAPI 3 defines it, in an override",
    );
}
