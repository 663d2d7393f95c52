//! Alternatives that contain alternatives, and alternatives that allow null: both may be written one level further out.

use std::collections::HashSet;

use openapi_document::json::elements_of;
use openapi_document::keywords::COMPOSITIONS;
use serde_json::Value;

use super::document::Document;
use super::keywords::says_nothing;
use super::plain::is_nullable;
use super::types::{self, type_names};
use super::wrapper::unwrapped;

/// Returns the alternatives of a list, with nested choices of the same keyword flattened. Skipped objects are added to `about`.
pub(super) fn spliced<'d>(
    document: &mut Document<'d>,
    keyword: &str,
    list: &'d [Value],
    about: &mut Vec<&'d Value>,
) -> Vec<&'d Value> {
    let mut found = Vec::with_capacity(list.len());
    let mut seen: HashSet<*const Value> = HashSet::new();
    let mut waiting: Vec<&'d Value> = list.iter().rev().collect();
    while let Some(one) = waiting.pop() {
        let inner =
            unwrapped(document, one).and_then(|value| Some((value, choice_of(keyword, value)?)));
        match inner {
            // Each is added once: duplicates at every level would grow exponentially.
            Some((value, _)) if !seen.insert(std::ptr::from_ref(value)) => {}
            Some((value, inner)) => {
                about.push(value);
                waiting.extend(inner.iter().rev());
            }
            None => found.push(one),
        }
    }
    found
}

/// Returns the alternatives of a schema that is a choice and constrains nothing else.
fn choice_of<'d>(keyword: &str, schema: &'d Value) -> Option<&'d [Value]> {
    let map = schema.as_object()?;
    if !map
        .iter()
        .all(|(key, value)| key == keyword || says_nothing(types::ALL, key, value))
    {
        return None;
    }
    map.get(keyword)?.as_array().map(Vec::as_slice)
}

/// Returns whether one of several schemas lists null among its values.
pub(super) fn says_null<'d>(document: &mut Document<'d>, schemas: &[&'d Value]) -> bool {
    let mut waiting = schemas.to_vec();
    let mut seen: HashSet<*const Value> = HashSet::new();
    while let Some(one) = waiting.pop() {
        let Some(value) = unwrapped(document, one) else {
            continue;
        };
        if !seen.insert(std::ptr::from_ref(value)) {
            continue;
        }
        if is_nullable(value) {
            return true;
        }
        let listed = match (value.get("const"), value.get("enum")) {
            (Some(only), _) => Some(only.is_null()),
            (None, Some(Value::Array(all))) => Some(all.iter().any(Value::is_null)),
            _ => None,
        };
        match (type_names(value), listed) {
            (Some(named), _) if !named.null => continue,
            (_, Some(false)) => continue,
            (Some(_), _) | (_, Some(true)) => return true,
            (None, None) => {}
        }
        for keyword in COMPOSITIONS {
            waiting.extend(elements_of(value, keyword));
        }
    }
    false
}
