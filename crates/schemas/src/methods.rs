//! The methods of operations, and the operations of a document.

use openapi_document::resolver::Target;
use serde_json::Value;

/// The methods that a path item may have, in the order in which operations are listed.
pub const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// Returns the path items of a document, as they are written.
pub fn path_items(document: &Value) -> impl Iterator<Item = Target<'_>> {
    let root = Target {
        pointer: String::new(),
        value: document,
    };
    root.below("paths")
}

/// Returns the operations of a document, path by path, each in the order of [`METHODS`].
pub fn operations(document: &Value) -> impl Iterator<Item = Target<'_>> {
    path_items(document).flat_map(|item| {
        METHODS
            .map(|method| item.child(method))
            .into_iter()
            .flatten()
    })
}
