//! The parts of a schema as written: the schemas that hold wherever it does, and its lists of alternatives.

use std::collections::{HashMap, HashSet, VecDeque};

use openapi_document::json::elements_of;
use openapi_document::keywords::Role::{Content, Part, Presence, Reference, Values};
use openapi_document::keywords::says;
use openapi_document::resolver::REFERRING;
use serde_json::Value;

use super::document::{Document, LIMIT};
use super::keywords::leaves_open;
use super::plain::is_null;

/// Keywords with alternatives.
pub const CHOICES: [&str; 2] = ["oneOf", "anyOf"];

/// Returns a schema and its parts: the targets of its references, and the schemas of its `allOf`. Each is there once, after its own parts,
/// so that the last one that says something is the most specific. Of more than the limit, the nearest are there.
pub fn parts<'d>(document: &mut Document<'d>, schema: &'d Value) -> Vec<&'d Value> {
    let mut near = nearest(document, schema);
    let mut parts = Vec::with_capacity(near.len());
    add(&mut near, schema, &mut parts);
    parts
}

/// Direct parts of schemas, by the addresses of these.
type Near<'d> = HashMap<*const Value, Vec<&'d Value>>;

/// Returns the direct parts of a schema and of its parts.
fn nearest<'d>(document: &mut Document<'d>, schema: &'d Value) -> Near<'d> {
    let mut near = Near::new();
    let mut waiting = VecDeque::from([schema]);
    while let Some(schema) = waiting.pop_front() {
        if !schema.is_object() || near.contains_key(&std::ptr::from_ref(schema)) {
            continue;
        }
        if near.len() == LIMIT {
            document.is_cut = true;
            break;
        }
        let direct = direct(document, schema);
        waiting.extend(&direct);
        near.insert(schema, direct);
    }
    near
}

fn direct<'d>(document: &mut Document<'d>, schema: &'d Value) -> Vec<&'d Value> {
    let references = REFERRING
        .iter()
        .filter_map(|key| schema.get(*key)?.as_str());
    let mut direct: Vec<&'d Value> = references
        .filter_map(|text| document.target(text, schema))
        .collect();
    direct.extend(elements_of(schema, "allOf"));
    direct
}

/// Adds a schema after its parts. It is taken out of `near`, which also ends circles.
fn add<'d>(near: &mut Near<'d>, schema: &'d Value, parts: &mut Vec<&'d Value>) {
    if let Some(direct) = near.remove(&std::ptr::from_ref(schema)) {
        for part in direct {
            add(near, part, parts);
        }
        parts.push(schema);
    }
}

/// Returns a schema, its parts and its alternatives, and those of these, each once.
pub fn described<'d>(document: &mut Document<'d>, schema: &'d Value) -> Vec<&'d Value> {
    let (mut all, mut seen) = (Vec::new(), HashSet::new());
    let mut waiting = vec![schema];
    while let Some(schema) = waiting.pop() {
        for part in parts(document, schema) {
            if seen.insert(std::ptr::from_ref(part)) {
                waiting.extend(choices(part).flatten());
                all.push(part);
            }
        }
    }
    all
}

/// Returns the lists of alternatives that a schema has itself.
pub fn choices(schema: &Value) -> impl Iterator<Item = &[Value]> {
    let lists = CHOICES.iter().map(|keyword| elements_of(schema, keyword));
    lists.filter(|list| !list.is_empty())
}

/// Returns the only alternative beside null.
pub(super) fn only_alternative<'d>(
    document: &mut Document<'d>,
    list: &'d [Value],
) -> Option<&'d Value> {
    let mut others = list.iter().filter(|one| !is_null(document, one));
    let only = others.next()?;
    others.next().is_none().then_some(only)
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

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    #[test]
    fn of_too_many_parts_the_nearest_are_there() {
        let mut schemas = Map::new();
        for number in 0..LIMIT {
            let next = json!({"$ref": format!("#/components/schemas/S{}", number + 1)});
            let own = json!({"properties": {number.to_string(): {}}});
            schemas.insert(format!("S{number}"), json!({"allOf": [next, own]}));
        }
        let root = json!({"components": {"schemas": schemas}});
        let schema = &root["components"]["schemas"]["S0"];
        let mut document = Document::new(&root);
        let parts = parts(&mut document, schema);
        assert!(document.is_cut);
        assert_eq!(parts.len(), LIMIT);
        assert!(parts.last().is_some_and(|last| std::ptr::eq(*last, schema)));
        assert!(parts.contains(&&schema["allOf"][1]));
    }

    #[test]
    fn a_circle_ends() {
        let root = json!({"components": {"schemas": {
            "A": {"allOf": [{"$ref": "#/components/schemas/B"}]},
            "B": {"allOf": [{"$ref": "#/components/schemas/A"}, {"type": "object"}]},
        }}});
        let mut document = Document::new(&root);
        assert_eq!(
            parts(&mut document, &root["components"]["schemas"]["A"]).len(),
            5
        );
        assert!(!document.is_cut);
    }
}
