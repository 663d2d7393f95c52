//! The parts of a schema as written: the schemas that hold wherever it does, and its lists of alternatives.

use std::collections::HashSet;

use openapi_document::keywords::Role::{Content, Part, Presence, Reference, Values};
use openapi_document::keywords::says;
use openapi_document::resolver::REFERRING;
use serde_json::Value;

use super::document::{Document, LIMIT};
use super::keywords::leaves_open;

/// Keywords with alternatives.
const CHOICES: [&str; 2] = ["oneOf", "anyOf"];

/// Step of a walk through parts.
enum Step<'d> {
    Enter(&'d Value),
    Leave(&'d Value),
}

/// Returns a schema and its parts: the targets of its references, and the schemas of its `allOf`. Each is there once, after its own parts,
/// so that the last one that says something is the most specific.
pub fn parts<'d>(document: &mut Document<'d>, schema: &'d Value) -> Vec<&'d Value> {
    let (mut parts, mut seen) = (Vec::new(), HashSet::new());
    let mut waiting = vec![Step::Enter(schema)];
    while let Some(step) = waiting.pop() {
        let part = match step {
            Step::Enter(part) => part,
            Step::Leave(part) => {
                parts.push(part);
                continue;
            }
        };
        if !part.is_object() || !seen.insert(std::ptr::from_ref(part)) {
            continue;
        }
        if seen.len() > LIMIT {
            document.is_cut = true;
            continue;
        }
        waiting.push(Step::Leave(part));
        let all_of = part.get("allOf").and_then(Value::as_array);
        waiting.extend(all_of.into_iter().flatten().rev().map(Step::Enter));
        for keyword in REFERRING {
            let reference = part.get(keyword).and_then(Value::as_str);
            let target = reference.and_then(|reference| document.target(reference, part));
            waiting.extend(target.map(Step::Enter));
        }
    }
    parts
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
