//! The references of a document. Names and example data may look like references, but are not.

use serde_json::Value;

use crate::keywords::{is_data, is_map_of_names};
use crate::pointer;

/// Key of the first file that holds the others, by their paths from its folder.
pub const BUNDLED: &str = "x-bundled-files";

/// Returns whether a reference leads out of a document and its files.
pub fn leaves(reference: &str) -> bool {
    !reference.is_empty() && !reference.starts_with('#')
}

/// Returns all references of a document and of its other files, with the objects that have them.
pub fn references(document: &Value) -> Vec<(&str, &Value)> {
    let mut found = Vec::new();
    texts(document, &mut |_, keyword, text, holder| {
        if keyword == "$ref" {
            found.push((text, holder));
        }
    });
    found
}

/// Location of a walk. Its pointer is only built on demand.
pub(crate) enum At<'a> {
    Root,
    Key(&'a At<'a>, &'a str),
    Index(&'a At<'a>, usize),
}

impl At<'_> {
    pub(crate) fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(above, key) => pointer::join(&above.pointer(), key),
            Self::Index(above, index) => format!("{}/{index}", above.pointer()),
        }
    }
}

/// Callback for the strings of keywords: with the location of the object, the keyword, the string and the object.
pub(crate) type Visit<'v, 'd> = &'v mut dyn FnMut(&At<'_>, &'d str, &'d str, &'d Value);

/// Visits the strings of all keywords, outer ones first, then from the end: reports name the last of several locations.
pub(crate) fn texts<'d>(document: &'d Value, visit: Visit<'_, 'd>) {
    let others = document.get(BUNDLED).and_then(Value::as_object);
    let files = At::Key(&At::Root, BUNDLED);
    for (path, file) in others.into_iter().flatten().rev() {
        texts_in(file, false, &At::Key(&files, path), visit);
    }
    texts_in(document, false, &At::Root, visit);
}

/// If `names`, the keys of this map are names.
fn texts_in<'d>(value: &'d Value, names: bool, at: &At<'_>, visit: Visit<'_, 'd>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate().rev() {
                texts_in(item, false, &At::Index(at, index), visit);
            }
        }
        Value::Object(map) => {
            for (key, child) in map {
                if let Value::String(text) = child {
                    visit(at, key, text, value);
                }
            }
            for (key, child) in map.iter().rev() {
                let is_inside = child.is_object() || child.is_array();
                if is_inside && (names || !is_data(key)) {
                    let names = !names && is_map_of_names(key);
                    texts_in(child, names, &At::Key(at, key), visit);
                }
            }
        }
        _ => {}
    }
}
