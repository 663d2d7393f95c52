//! Where references stand in a document. What only looks like one is a name, or data of an example.

use serde_json::Value;

/// The key of the first file below which the others stand, by their paths from its folder.
pub const BUNDLED: &str = "x-bundled-files";

/// Maps whose keys are names and not keywords.
const NAMED: [&str; 20] = [
    "$defs",
    "callbacks",
    "content",
    "definitions",
    "dependentSchemas",
    "encoding",
    "headers",
    "links",
    "mediaTypes",
    "parameters",
    "pathItems",
    "paths",
    "patternProperties",
    "properties",
    "requestBodies",
    "responses",
    "schemas",
    "securitySchemes",
    "variables",
    "webhooks",
];

/// Keywords under which anything may stand: what looks like a reference there is data.
const DATA: [&str; 6] = ["const", "default", "enum", "example", "examples", "value"];

/// Whether the keys of the map under a keyword are names.
pub(super) fn is_map_of_names(keyword: &str) -> bool {
    NAMED.contains(&keyword)
}

/// Whether anything may stand under a keyword.
pub(super) fn is_data(keyword: &str) -> bool {
    DATA.contains(&keyword) || keyword.starts_with("x-")
}

/// Whether a reference leads out of a document and its files.
pub fn leaves(reference: &str) -> bool {
    !reference.is_empty() && !reference.starts_with('#')
}

/// All references of a document with the objects that have them, those of its other files too.
pub fn references(document: &Value) -> Vec<(&str, &Value)> {
    with_text(document, &["$ref"])
}

/// All anchors of a document, by the names that references know them by, with the schemas that have them.
pub fn anchors(document: &Value) -> Vec<(&str, &Value)> {
    with_text(document, &["$anchor", "$dynamicAnchor"])
}

/// The texts of keywords with the objects that have them.
fn with_text<'d>(document: &'d Value, keywords: &[&str]) -> Vec<(&'d str, &'d Value)> {
    let mut found = Vec::new();
    // With each value, whether its keys are names.
    let mut waiting = vec![(document, false)];
    let others = document.get(BUNDLED).and_then(Value::as_object);
    waiting.extend(others.into_iter().flatten().map(|(_, file)| (file, false)));
    while let Some((value, names)) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items.iter().map(|item| (item, false))),
            Value::Object(map) => {
                for (key, child) in map {
                    match (key.as_str(), child) {
                        (key, Value::String(text)) if keywords.contains(&key) => {
                            found.push((text.as_str(), value));
                        }
                        (key, child) if names || !is_data(key) => {
                            waiting.push((child, !names && is_map_of_names(key)));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    found
}
