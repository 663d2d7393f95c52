//! Directions of a member: `readOnly` and `writeOnly`.

use std::collections::HashSet;

use serde_json::Value;

use super::document::{Document, LIMIT};
use super::parts::{choices, only_alternative, parts};

/// Keywords that restrict a member to responses or to requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directions<'d> {
    /// `readOnly: true`, if the schema has it.
    pub read_only: Option<&'d Value>,
    /// `writeOnly: true`, if the schema has it.
    pub write_only: Option<&'d Value>,
}

/// Returns the directions of a member with these schemas. Only they, their parts and lone alternatives matter: to read them as a whole, as often
/// as a large schema is a member, would take too long.
pub fn directions<'d>(document: &mut Document<'d>, schemas: &[&'d Value]) -> Directions<'d> {
    let mut directions = Directions::default();
    let (mut waiting, mut seen) = (schemas.to_vec(), HashSet::new());
    while let Some(schema) = waiting.pop() {
        for part in parts(document, schema) {
            if !seen.insert(std::ptr::from_ref(part)) {
                continue;
            }
            if seen.len() > LIMIT {
                document.is_cut = true;
                return directions;
            }
            directions.read_only = directions.read_only.or(switched_on(part, "readOnly"));
            directions.write_only = directions.write_only.or(switched_on(part, "writeOnly"));
            waiting.extend(choices(part).filter_map(|list| only_alternative(document, list)));
        }
    }
    directions
}

fn switched_on<'d>(schema: &'d Value, keyword: &str) -> Option<&'d Value> {
    schema
        .get(keyword)
        .filter(|value| **value == Value::Bool(true))
}
