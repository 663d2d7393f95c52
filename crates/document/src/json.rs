//! Members of JSON objects: a document may have any JSON in their place.

use serde_json::Value;

/// Returns the members of the object that a member holds.
pub fn members_of<'v>(
    value: &'v Value,
    key: &str,
) -> impl Iterator<Item = (&'v String, &'v Value)> + use<'v> {
    let object = value.get(key).and_then(Value::as_object);
    object.into_iter().flatten()
}

/// Returns the elements of the array that a member holds.
pub fn elements_of<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    let array = value.get(key).and_then(Value::as_array);
    array.map_or(&[], Vec::as_slice)
}

/// Returns the string that a member holds.
pub fn text_of<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

/// Returns whether a member is `true`.
pub fn is_true(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&Value::Bool(true))
}
