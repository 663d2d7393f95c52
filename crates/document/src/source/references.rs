//! Where references stand in a document. What only looks like one is a name, or data of an example.

use serde_json::Value;

use crate::keywords::{is_data, is_map_of_names};
use crate::pointer;

/// The key of the first file below which the others stand, by their paths from its folder.
pub const BUNDLED: &str = "x-bundled-files";

/// Whether a reference leads out of a document and its files.
pub fn leaves(reference: &str) -> bool {
    !reference.is_empty() && !reference.starts_with('#')
}

/// All references of a document with the objects that have them, those of its other files too.
pub fn references(document: &Value) -> Vec<(&str, &Value)> {
    let mut found = Vec::new();
    texts(document, &mut |_, keyword, text, holder| {
        if keyword == "$ref" {
            found.push((text, holder));
        }
    });
    found
}

/// Where a walk is. Its pointer is written only for those who ask.
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

/// What is called for the texts of keywords: with the place of the object that has one, the keyword, the text and the object.
pub(crate) type Visit<'v, 'd> = &'v mut dyn FnMut(&At<'_>, &'d str, &'d str, &'d Value);

/// Visits the texts of all keywords, outer ones first and else from the end: reports name the last of several places.
pub(crate) fn texts<'d>(document: &'d Value, visit: Visit<'_, 'd>) {
    let others = document.get(BUNDLED).and_then(Value::as_object);
    let files = At::Key(&At::Root, BUNDLED);
    for (path, file) in others.into_iter().flatten().rev() {
        texts_in(file, false, &At::Key(&files, path), visit);
    }
    texts_in(document, false, &At::Root, visit);
}

/// `names` says that the keys of this map are names.
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
