//! The parts of a schema as written: the schemas that hold wherever it does, and its lists of alternatives.

use std::collections::HashSet;

use openapi_document::keywords::Role::{Content, Part, Presence, Reference, Values};
use openapi_document::keywords::says;
use openapi_document::resolver::reference;
use serde_json::Value;

use super::document::{Document, LIMIT};
use super::keywords::leaves_open;

/// Keywords with alternatives.
const CHOICES: [&str; 2] = ["oneOf", "anyOf"];

/// Returns a schema and its parts: the targets of its references, and the schemas of its `allOf`. Each is there once, after its own parts,
/// so that the last one that says something is the most specific.
pub fn parts<'d>(document: &mut Document<'d>, schema: &'d Value) -> Vec<&'d Value> {
    let mut parts = Vec::new();
    add(document, schema, &mut HashSet::new(), &mut parts);
    parts
}

fn add<'d>(
    document: &mut Document<'d>,
    schema: &'d Value,
    seen: &mut HashSet<*const Value>,
    parts: &mut Vec<&'d Value>,
) {
    if !schema.is_object() || !seen.insert(schema) {
        return;
    }
    if seen.len() > LIMIT {
        document.is_cut = true;
        return;
    }
    if let Some(target) = reference(schema).and_then(|text| document.target(text, schema)) {
        add(document, target, seen, parts);
    }
    let all_of = schema.get("allOf").and_then(Value::as_array);
    for part in all_of.into_iter().flatten() {
        add(document, part, seen, parts);
    }
    parts.push(schema);
}

/// Returns the lists of alternatives that a schema has itself.
pub fn choices(schema: &Value) -> impl Iterator<Item = &[Value]> {
    let lists = CHOICES.iter().filter_map(|keyword| schema.get(keyword));
    let lists = lists.filter_map(Value::as_array).map(Vec::as_slice);
    lists.filter(|list| !list.is_empty())
}

/// Returns the alternatives of a schema, if nothing else determines the form of its values.
pub fn only_choice(schema: &Value) -> Option<&[Value]> {
    let map = schema.as_object()?;
    let mut lists = choices(schema);
    let list = lists.next().filter(|_| lists.next().is_none())?;
    let kind = map.get("type").and_then(Value::as_str);
    let is_alone = !says(map, &[Reference, Values, Part, Content, Presence])
        && matches!(kind, None | Some("object"))
        && !list.iter().any(leaves_open);
    is_alone.then_some(list)
}
