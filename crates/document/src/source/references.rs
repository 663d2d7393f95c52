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

/// What is called for the texts of keywords: with the pointer of the object that has one, the keyword, the text and the object.
pub(crate) type Visit<'v, 'd> = &'v mut dyn FnMut(&str, &'d str, &'d str, &'d Value);

/// Visits the texts of all keywords, outer ones first and else from the end: reports name the last of several places.
pub(crate) fn texts<'d>(document: &'d Value, visit: Visit<'_, 'd>) {
    let others = document.get(BUNDLED).and_then(Value::as_object);
    for (path, file) in others.into_iter().flatten().rev() {
        let mut at = pointer::join(&pointer::join("", BUNDLED), path);
        texts_in(file, false, &mut at, visit);
    }
    texts_in(document, false, &mut String::new(), visit);
}

/// `names` says that the keys of this map are names.
fn texts_in<'d>(value: &'d Value, names: bool, at: &mut String, visit: Visit<'_, 'd>) {
    let above = at.len();
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate().rev() {
                at.push_str(&format!("/{index}"));
                texts_in(item, false, at, visit);
                at.truncate(above);
            }
        }
        Value::Object(map) => {
            for (key, text) in map
                .iter()
                .filter_map(|(key, child)| Some((key, child.as_str()?)))
            {
                visit(at, key, text, value);
            }
            for (key, child) in map.iter().rev().filter(|(key, _)| names || !is_data(key)) {
                at.push('/');
                at.push_str(&pointer::escape(key));
                texts_in(child, !names && is_map_of_names(key), at, visit);
                at.truncate(above);
            }
        }
        _ => {}
    }
}
