//! An inline schema with a name: the keywords about its type, and those about its place.

use std::borrow::Cow;

use serde_json::Value;

/// The name of the type of an inline schema.
pub(super) const TYPE_NAME: &str = "x-rust-type-name";
/// How the values of a place are read.
pub(super) const CHOSEN: &str = "x-rust-type";

/// Returns the keywords of a schema that are about its type. The way in which a place reads the values of a named inline schema is not.
pub(super) fn of_the_type(schema: &Value) -> Cow<'_, Value> {
    match schema.as_object() {
        Some(map) if map.contains_key(TYPE_NAME) && map.contains_key(CHOSEN) => {
            let mut map = map.clone();
            map.shift_remove(CHOSEN);
            Cow::Owned(map.into())
        }
        _ => Cow::Borrowed(schema),
    }
}
