//! Reads one extension into its typed form.

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The extension `key` of the object at `pointer`, if it exists and has the right form.
pub(super) fn read<T: DeserializeOwned>(
    source: &Source,
    pointer: &str,
    object: &Value,
    key: &str,
    findings: &mut Vec<Finding>,
) -> Option<T> {
    let value = object.get(key)?;
    serde_path_to_error::deserialize(value)
        .map_err(|error| {
            findings.push(source.finding(
                "extension-form",
                format!("{pointer}/{key}"),
                format!("`{key}` at `{}`: {}", error.path(), error.inner()),
                "correct it where it is written",
            ));
        })
        .ok()
}
