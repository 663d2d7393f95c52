//! How an override begins that an update writes: its file, the text that it has so far, and the version that it names.

use openapi_overrides::Family;
use serde_json::Value;

/// Where the override stands.
pub(super) fn path(folder: &str, family: Family, file: &str) -> String {
    format!("{folder}/{}/{file}", family.folder())
}

/// The text that further actions are appended to: what is there already, or else the head.
pub(super) fn begun(before: Option<&str>, head: impl FnOnce() -> String) -> String {
    let mut text = before.map_or_else(head, str::to_owned);
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The version of a document, as it may stand in a text of YAML that goes over several lines.
pub(super) fn version(root: &Value) -> String {
    const UNPRINTABLE: [char; 3] = ['\u{feff}', '\u{fffe}', '\u{ffff}'];
    let version = root.pointer("/info/version").and_then(Value::as_str);
    let words = version.unwrap_or("unknown").split_whitespace();
    let mut text = words.collect::<Vec<_>>().join(" ");
    text.retain(|c| !c.is_control() && !UNPRINTABLE.contains(&c));
    text
}

/// The document of a version, as a value of YAML.
pub(super) fn reference(version: &str) -> Value {
    Value::String(format!("the document of version {version}"))
}
