//! Parameters, including those in the form of Swagger 2.0.

use serde_json::{Map, Value};

use super::walker::Walker;

/// Members of a parameter. In Swagger 2.0, all others describe its value.
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
        let schema = of_swagger(map);
        if schema.is_empty() {
            form(
                walker,
                at,
                "the parameter has no schema, and any value is accepted",
            );
        } else {
            form(
                walker,
                at,
                "the parameter has no schema; the keywords beside its name are read as one",
            );
        }
        map.insert("schema".to_owned(), Value::Object(schema));
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

/// Removes the schema keywords from a parameter and returns them.
fn of_swagger(map: &mut Map<String, Value>) -> Map<String, Value> {
    let (own, others): (Map<String, Value>, Map<String, Value>) = std::mem::take(map)
        .into_iter()
        .partition(|(key, _)| PARAMETER.contains(&key.as_str()) || key.starts_with("x-"));
    *map = own;
    others
}
