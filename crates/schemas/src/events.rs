//! The data of server-sent events: in OpenAPI 3.2 a string with a `contentSchema` for its JSON. Here it is that JSON.

use openapi_document::keywords::COMPOSITIONS;
use openapi_document::resolver::Target;
use serde_json::Value;

use super::composed::composed;
use super::walker::Walker;

/// Replaces the string with the schema of its data, in each event that the walk has met.
pub(super) fn data(walker: &mut Walker<'_>, document: &mut Value) {
    let events = walker.events.iter().filter_map(|at| {
        Some(Target {
            pointer: at.clone(),
            value: document.pointer(at)?,
        })
    });
    let schemas = composed(document, events, &COMPOSITIONS).into_iter();
    let found: Vec<(String, Value)> = schemas
        .filter_map(|one| {
            let data = one.value.pointer("/properties/data")?;
            let content = data.get("contentSchema")?.clone();
            Some((format!("{}/properties/data", one.pointer), content))
        })
        .collect();
    for (at, content) in found {
        if let Some(data) = document.pointer_mut(&at) {
            *data = content;
            let written = format!("{at}/contentSchema");
            walker.moved.insert(at, written);
        }
    }
}
