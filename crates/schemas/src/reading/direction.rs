//! Directions of a member: `readOnly` and `writeOnly`.

use serde_json::Value;

use super::document::Document;
use super::meaning::Reading;
use super::read::read;
use super::site::Site;

/// Keywords that restrict a member to responses or to requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directions<'d> {
    /// `readOnly: true`, if the schema has it.
    pub read_only: Option<&'d Value>,
    /// `writeOnly: true`, if the schema has it.
    pub write_only: Option<&'d Value>,
}

/// Returns the directions of a member with these schemas.
pub fn directions<'d>(document: &mut Document<'d>, parts: &[&'d Value]) -> Directions<'d> {
    let site = Site::all(parts.to_vec(), document.root);
    let reading = read(document, &site);
    Directions {
        read_only: switched_on(&reading, "readOnly"),
        write_only: switched_on(&reading, "writeOnly"),
    }
}

fn switched_on<'d>(reading: &Reading<'d>, keyword: &str) -> Option<&'d Value> {
    let mut all = reading.all(keyword);
    all.find(|value| **value == Value::Bool(true))
}
