//! Local references.

use openapi_document::pointer;
use serde_json::Value;

/// The methods that a path item may have, in the order in which operations are listed.
pub const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// Follows `$ref`s from the value at `pointer`: its own pointer, and the value there.
/// `None` when a reference leaves the document, dangles or runs in a circle.
pub fn resolve<'d>(document: &'d Value, pointer: &str) -> Option<(String, &'d Value)> {
    let mut at = pointer.to_owned();
    // A chain longer than this is a circle.
    for _ in 0..64 {
        let value = document.pointer(&at)?;
        match value.get("$ref") {
            Some(Value::String(reference)) => {
                at = pointer::from_fragment(reference)?.to_owned();
            }
            _ => return Some((at, value)),
        }
    }
    None
}
