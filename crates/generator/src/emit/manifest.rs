//! The hashes of a crate's inputs, which show later the inputs that changed, and the location of each type's schema.

use std::collections::BTreeMap;
use std::fmt::Write;

use openapi_document::source::Source;
use openapi_model::Model;
use openapi_overrides::OverrideSet;
use sha2::{Digest, Sha256};

/// SHA-256 of every input by its path.
pub(super) fn inputs(published: &Source, overrides: &OverrideSet) -> BTreeMap<String, String> {
    published
        .files()
        .chain(overrides.overrides.iter().map(|one| &one.source))
        .chain(overrides.overlays.iter().map(|one| &one.source))
        .map(|source| (source.path.clone(), fingerprint(&source.text)))
        .collect()
}

fn fingerprint(text: &str) -> String {
    // A checkout may have changed the line ends.
    let digest = Sha256::digest(text.replace("\r\n", "\n").as_bytes());
    digest.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

pub(super) fn emit(inputs: &BTreeMap<String, String>, model: &Model) -> String {
    let mut text = String::from("inputs:\n");
    for (path, digest) in inputs {
        text.push_str(&format!("  {}: sha256:{digest}\n", key(path)));
    }
    let types = model.schemas.iter().filter(|schema| schema.is_visible);
    let types: BTreeMap<&str, &str> = types
        .map(|one| (one.name.as_str(), one.pointer.as_str()))
        .collect();
    if !types.is_empty() {
        text.push_str("types:\n");
    }
    for (name, pointer) in types {
        let pointer = serde_json::Value::from(pointer);
        text.push_str(&format!("  {name}: {pointer}\n"));
    }
    text
}

/// Returns a path as a key in YAML: in JSON's quotes, unless it is plain.
fn key(path: &str) -> String {
    let is_plain = path.starts_with(|c: char| c.is_ascii_alphabetic())
        && path
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
    if is_plain {
        path.to_owned()
    } else {
        serde_json::Value::from(path).to_string()
    }
}
