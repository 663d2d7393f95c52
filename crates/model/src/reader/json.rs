//! Members of JSON objects: a document may have any JSON in their place.

use openapi_document::resolver::meant;
use serde_json::Value;

/// Returns the members of the object that a member holds.
pub(super) fn members_of<'v>(
    value: &'v Value,
    key: &str,
) -> impl Iterator<Item = (&'v String, &'v Value)> + use<'v> {
    let object = value.get(key).and_then(Value::as_object);
    object.into_iter().flatten()
}

/// Returns the string that a member holds.
pub(super) fn text_of<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

/// Returns whether a member is `true`.
pub(super) fn is_true(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&Value::Bool(true))
}

/// Follows the references of a schema. One that leads nowhere is returned itself.
pub(super) fn followed<'v>(document: &'v Value, schema: &'v Value) -> &'v Value {
    meant(document, schema).unwrap_or(schema)
}
