//! Is this what OpenAPI 3.0 has?

use std::collections::BTreeSet;

use openapi_document::finding::{Finding, keep};
use openapi_document::pointer::any_within;
use openapi_document::resolver::{self, Target};
use openapi_document::source::Source;
use openapi_schemas::{METHODS, operations, path_items};
use openapiv3::ReferenceOr;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(super) fn check(source: &Source) -> Vec<Finding> {
    // Small pieces first: for a whole document the parser only names the path item of the error.
    let mut findings = Vec::new();
    let mut reported = BTreeSet::new();
    let mut document = source.value.clone();
    without_shared_parts(&mut document);
    pieces(&document, &mut |pointer, value, piece| {
        let failure = match piece {
            Piece::Parameter => read::<ReferenceOr<openapiv3::Parameter>>(value),
            Piece::Schema => read::<ReferenceOr<openapiv3::Schema>>(value),
            Piece::Operation => read::<openapiv3::Operation>(value),
        };
        // An error in a piece is also an error in its parents: one finding is enough.
        if let Some((below, message)) = failure
            && !any_within(&reported, pointer)
        {
            let finding = finding(source, format!("{pointer}{below}"), &message);
            reported.insert(finding.pointer.clone());
            keep(&mut findings, finding);
        }
    });
    if findings.is_empty()
        && let Some((pointer, message)) = read::<openapiv3::OpenAPI>(&document)
    {
        findings.push(finding(source, pointer, &message));
    }
    findings
}

fn finding(source: &Source, pointer: String, message: &str) -> Finding {
    source.finding(
        "openapi-form",
        pointer,
        format!("not valid in OpenAPI 3.0: {message}"),
        "compare this place with https://spec.openapis.org/oas/v3.0.3.html, and correct it in an override",
    )
    .warning()
}

enum Piece {
    Parameter,
    Schema,
    Operation,
}

/// Visits the parts of a document that can be read on their own, inner ones first.
fn pieces(document: &Value, visit: &mut dyn FnMut(&str, &Value, Piece)) {
    let components = Target {
        pointer: "/components".to_owned(),
        value: document.get("components").unwrap_or(&Value::Null),
    };
    let parameters = components.below("parameters");
    parameters.for_each(|one| visit(&one.pointer, one.value, Piece::Parameter));
    let schemas = components.below("schemas");
    schemas.for_each(|one| visit(&one.pointer, one.value, Piece::Schema));
    for holder in path_items(document).chain(operations(document)) {
        let parameters = holder.below("parameters");
        parameters.for_each(|one| visit(&one.pointer, one.value, Piece::Parameter));
    }
    operations(document).for_each(|one| visit(&one.pointer, one.value, Piece::Operation));
}

/// Levels that the parser can recurse into on a small stack.
const DEEPEST: usize = 64;

/// Returns whether a value has at most so many levels.
fn is_within(value: &Value, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return false;
    };
    match value {
        Value::Object(map) => map.values().all(|value| is_within(value, below)),
        Value::Array(items) => items.iter().all(|value| is_within(value, below)),
        _ => true,
    }
}

/// Returns the reason and the location if a value does not read as `T`. Values that are too deep have another finding.
fn read<T: DeserializeOwned>(value: &Value) -> Option<(String, String)> {
    if !is_within(value, DEEPEST) {
        return None;
    }
    let error = serde_path_to_error::deserialize::<_, T>(value).err()?;
    let pointer = error
        .path()
        .iter()
        .filter_map(|segment| match segment {
            serde_path_to_error::Segment::Seq { index } => Some(index.to_string()),
            serde_path_to_error::Segment::Map { key } => Some(key.clone()),
            _ => None,
        })
        .map(|token| format!("/{}", openapi_document::pointer::escape(&token)))
        .collect();
    Some((pointer, error.inner().to_string()))
}

/// Removes references in place of an operation, or of the media types of a body, which are read although OpenAPI 3.0 lacks them. Dangling
/// references have another finding.
fn without_shared_parts(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, value| {
                !METHODS.contains(&key.as_str()) || resolver::reference(value).is_none()
            });
            for (key, value) in map.iter_mut() {
                if key == "content" && resolver::reference(value).is_some() {
                    *value = Value::Object(serde_json::Map::new())
                } else {
                    without_shared_parts(value)
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(without_shared_parts),
        _ => {}
    }
}
