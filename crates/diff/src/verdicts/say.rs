//! Values and their changes in sentences, short enough for one line.

use serde_json::Value;

/// Maximum length of a value that is quoted in full, in characters.
const LONGEST: usize = 60;

/// Quotes a value for a sentence.
pub(crate) fn quote(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= LONGEST {
        return format!("`{}`", text.trim_matches('"'));
    }
    match value {
        Value::Object(map) => format!("an object of {} members", map.len()),
        Value::Array(items) => format!("a list of {} elements", items.len()),
        _ => {
            let start: String = text.trim_matches('"').chars().take(LONGEST).collect();
            format!("`{start}…`")
        }
    }
}

/// Returns "`name` changed from a to b", or that it was added or removed.
pub(crate) fn changed(name: &str, old: Option<&Value>, new: Option<&Value>) -> String {
    match (old, new) {
        (Some(old), Some(new)) => {
            let (a, b) = (quote(old), quote(new));
            if a == b {
                return format!("`{name}` changed");
            }
            format!("`{name}` changed from {a} to {b}")
        }
        (None, Some(new)) => format!("`{name}` was added: {}", quote(new)),
        (Some(old), None) => format!("`{name}` was removed: {}", quote(old)),
        (None, None) => format!("`{name}` changed"),
    }
}
