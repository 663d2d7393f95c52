//! Encodings of bytes as strings: `contentEncoding` and `contentMediaType`, or the equivalent formats of 3.0.

use serde_json::Value;

use crate::schemas::comparison::{Notes, Readings};
use crate::verdicts::rules;
use openapi_schemas::reading::{Reading, types};

/// Media type of bytes with unknown content.
const BYTES: &str = "application/octet-stream";

/// Returns the meaning of a keyword's value, if it applies.
type Meaning = fn(&str, &str) -> Option<String>;

pub(super) fn encodings<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    let rule = if both.both_allow(types::STRING) {
        &rules::ENCODING_CHANGED
    } else if both.neither_allows(types::STRING) {
        &rules::NO_EFFECT
    } else {
        return;
    };
    let keywords: [(&str, Meaning); 2] = [
        ("contentEncoding", encoding),
        ("contentMediaType", media_type),
    ];
    for (name, meaning) in keywords {
        let (old, new) = (
            meant(both.old, name, meaning),
            meant(both.new, name, meaning),
        );
        let [was, is] = [&old, &new].map(|found| found.as_ref().map(|found| &found.meaning));
        if was != is {
            let [old, new] = [old, new].map(|found| found.map(|found| found.value));
            notes.changed(rule, both.keyword(name, old, new));
        }
    }
}

/// The value of a keyword, with its meaning.
struct Meant<'d> {
    meaning: String,
    value: &'d Value,
}

/// Returns the meaning of a format, or else that of a keyword.
fn meant<'d>(flat: &Reading<'d>, name: &str, meaning: Meaning) -> Option<Meant<'d>> {
    ["format", name].into_iter().find_map(|from| {
        flat.all(from).find_map(|value| {
            let meaning = meaning(from, value.as_str()?)?;
            Some(Meant { meaning, value })
        })
    })
}

/// Returns the encoding of bytes as a string.
fn encoding(from: &str, value: &str) -> Option<String> {
    match (from, value) {
        ("format", "byte" | "base64") => Some("base64".to_owned()),
        ("format", "base64url") => Some("base64url".to_owned()),
        ("format", _) => None,
        // Raw bytes have no encoding.
        (_, "binary" | "8bit" | "7bit") => None,
        (_, value) => Some(value.to_lowercase()),
    }
}

/// Returns the media type of the bytes.
fn media_type(from: &str, value: &str) -> Option<String> {
    match (from, value) {
        ("format", "binary") => Some(BYTES.to_owned()),
        ("format", _) => None,
        (_, value) => Some(value.to_lowercase()),
    }
}
