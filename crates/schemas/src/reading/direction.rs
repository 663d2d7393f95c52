//! Directions of a member: `readOnly` and `writeOnly`.

use std::collections::HashSet;

use openapi_document::keywords::COMPOSITIONS;
use openapi_document::resolver::REFERRING;
use serde_json::Value;

use super::document::{Document, LIMIT};

/// Keywords that restrict a member to responses or to requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directions<'d> {
    /// `readOnly: true`, if the schema has it.
    pub read_only: Option<&'d Value>,
    /// `writeOnly: true`, if the schema has it.
    pub write_only: Option<&'d Value>,
}

/// Returns the directions of a member with these schemas. Only they and their references matter, so the member is not read as a whole.
pub fn directions<'d>(document: &mut Document<'d>, parts: &[&'d Value]) -> Directions<'d> {
    let mut directions = Directions::default();
    let mut seen: HashSet<*const Value> = HashSet::new();
    let mut waiting: Vec<&'d Value> = parts.to_vec();
    while let Some(part) = waiting.pop() {
        if !seen.insert(std::ptr::from_ref(part)) {
            continue;
        }
        if seen.len() > LIMIT {
            document.is_cut = true;
            break;
        }
        directions.read_only = directions
            .read_only
            .or_else(|| switched_on(part, "readOnly"));
        directions.write_only = directions
            .write_only
            .or_else(|| switched_on(part, "writeOnly"));
        for keyword in REFERRING {
            let text = part.get(keyword).and_then(Value::as_str);
            waiting.extend(text.and_then(|text| document.target(text, part)));
        }
        for keyword in COMPOSITIONS {
            let list = part.get(keyword).and_then(Value::as_array);
            match list.map(Vec::as_slice) {
                Some(all) if keyword == "allOf" => waiting.extend(all),
                Some([only]) => waiting.push(only),
                _ => {}
            }
        }
    }
    directions
}

fn switched_on<'d>(schema: &'d Value, keyword: &str) -> Option<&'d Value> {
    schema
        .get(keyword)
        .filter(|value| **value == Value::Bool(true))
}
