//! Rewrites a YAML file for another value: unchanged parts keep their place, form and comments, and only changes are written again.
//! Input: the committed content, and a value. Output: the content for that value. This module reads no file.

mod edit;
mod nodes;
mod pairs;
mod render;

use serde_json::{Map, Value};

use super::input::Source;
use super::parse::parse;

/// Writes a value in the form of a committed file: keys in its order and new ones after them, strings with its quotes and folding, and
/// all of its comments except on removed parts.
pub fn restyled(committed: &Source, value: &Value) -> String {
    if committed.is_json() {
        return match serde_json::to_string_pretty(&ordered(&committed.value, value)) {
            Ok(text) => text + "\n",
            Err(_) => value.to_string(),
        };
    }
    let says_it = |text: &String| {
        let parsed = parse("restyled.yaml", text, true);
        parsed.is_ok_and(|parsed| parsed.value == *value)
    };
    // Line edits do not support anchors and tags: such a file is rewritten completely.
    edit::edited(&committed.text, &committed.value, value)
        .filter(says_it)
        .or_else(|| Some(render::document(&ordered(&committed.value, value))).filter(says_it))
        .or_else(|| serde_yaml::to_string(value).ok())
        .unwrap_or_else(|| value.to_string())
}

/// Returns a value with its keys in the order of another, and new ones after them.
fn ordered(like: &Value, value: &Value) -> Value {
    match (like, value) {
        (Value::Object(like), Value::Object(value)) => {
            let kept = like.iter().filter_map(|(key, like)| {
                let value = value.get(key)?;
                Some((key.clone(), ordered(like, value)))
            });
            let new = value.iter().filter(|(key, _)| !like.contains_key(*key));
            let all: Map<String, Value> = kept
                .chain(new.map(|(key, value)| (key.clone(), value.clone())))
                .collect();
            Value::Object(all)
        }
        (Value::Array(like), Value::Array(value)) => {
            let items = value.iter().enumerate().map(|(index, value)| {
                let like = like.get(index).unwrap_or(&Value::Null);
                ordered(like, value)
            });
            Value::Array(items.collect())
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests;
