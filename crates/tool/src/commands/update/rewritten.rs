//! Writes a document in the format and the order of the committed one.

use openapi_document::source::Source;
use serde_json::{Map, Value};

/// Returns whether an object has common keys in another order.
pub(super) fn is_reordered(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let kept = old.keys().filter(|key| new.contains_key(*key));
            let is_moved = !kept.eq(new.keys().filter(|key| old.contains_key(*key)));
            let mut both = old
                .iter()
                .filter_map(|(key, old)| Some((old, new.get(key)?)));
            is_moved || both.any(|(old, new)| is_reordered(old, new))
        }
        (Value::Array(old), Value::Array(new)) => {
            old.iter().zip(new).any(|(old, new)| is_reordered(old, new))
        }
        _ => false,
    }
}

/// Writes a value in the format of the committed document, with its keys in the order there. The same value stays as it is written; `None` if the
/// value would be read as another one.
pub(super) fn rewritten(committed: &Source, value: &Value) -> Option<String> {
    let ordered = ordered(&committed.value, value);
    // Values are equal in any order.
    let (written, before) = (ordered.to_string(), committed.value.to_string());
    if written == before {
        return Some(committed.text.clone());
    }
    let text = if committed.is_json() {
        serde_json::to_string_pretty(&ordered).ok()? + "\n"
    } else {
        serde_yaml::to_string(&ordered).ok()?
    };
    let read = Source::parse(&committed.path, text.clone()).ok()?;
    (read.value == *value).then_some(text)
}

/// Returns a value with its keys in the order of another, and new ones after them.
fn ordered(like: &Value, value: &Value) -> Value {
    match (like, value) {
        (Value::Object(like), Value::Object(value)) => {
            let mut all = Map::new();
            for (key, like) in like {
                if let Some(value) = value.get(key) {
                    all.insert(key.clone(), ordered(like, value));
                }
            }
            for (key, value) in value {
                if !like.contains_key(key) {
                    all.insert(key.clone(), value.clone());
                }
            }
            Value::Object(all)
        }
        (Value::Array(like), Value::Array(value)) => {
            let like = like.iter().chain(std::iter::repeat(&Value::Null));
            value
                .iter()
                .zip(like)
                .map(|(value, like)| ordered(like, value))
                .collect()
        }
        _ => value.clone(),
    }
}
