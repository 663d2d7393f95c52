//! The data of server-sent events: in OpenAPI 3.2 a string with a `contentSchema` for its JSON. Here it is that JSON.

use std::collections::HashSet;

use openapi_document::keywords::COMPOSITIONS;
use openapi_document::resolver::{Resolver, Target};
use serde_json::Value;

use super::walker::Walker;

/// Replaces the string with the schema of its data, in each event that the walk has met.
pub(super) fn data(walker: &mut Walker<'_>, document: &mut Value) {
    let events = walker.events.iter().filter_map(|at| {
        Some(Target {
            pointer: at.clone(),
            value: document.pointer(at)?,
        })
    });
    let schemas = composed(document, events.collect()).into_iter();
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

/// Returns schemas and all those that they refer to or are composed of, each once.
fn composed<'d>(document: &'d Value, mut waiting: Vec<Target<'d>>) -> Vec<Target<'d>> {
    let resolver = Resolver::new(document);
    let (mut all, mut seen) = (Vec::new(), HashSet::new());
    while let Some(one) = waiting.pop() {
        if !seen.insert(std::ptr::from_ref(one.value)) {
            continue;
        }
        let reference = one.value.get("$ref").and_then(Value::as_str);
        waiting.extend(reference.and_then(|reference| resolver.target(reference)));
        waiting.extend(COMPOSITIONS.iter().flat_map(|key| one.below(key)));
        all.push(one);
    }
    all
}
