//! Encodings of bytes as strings: `contentEncoding` and `contentMediaType`, or the equivalent formats of 3.0.

use serde_json::Value;

use crate::schemas::comparison::Notes;
use crate::verdicts::rules;
use openapi_schemas::reading::{Reading, types};

/// Media type of bytes with unknown content.
const BYTES: &str = "application/octet-stream";

/// Returns the meaning of a keyword's value, if it applies.
type Meaning = fn(&str, &str) -> Option<String>;

pub(super) fn encodings<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    let has = |flat: &Reading<'d>| flat.types & (types::STRING | types::UNKNOWN) != 0;
    let of: [(&str, Meaning); 2] = [
        ("contentEncoding", encoding),
        ("contentMediaType", media_type),
    ];
    for (keyword, meaning) in of {
        let said = |flat: &Reading<'d>| -> Option<(String, &'d Value)> {
            ["format", keyword].into_iter().find_map(|from| {
                let mut values = flat.all(from);
                values.find_map(|value| Some((meaning(from, value.as_str()?)?, value)))
            })
        };
        let (a, b) = (said(old), said(new));
        let means = |said: &Option<(String, &'d Value)>| said.as_ref().map(|(is, _)| is.clone());
        if means(&a) == means(&b) {
            continue;
        }
        let (x, y) = (a.map(|(_, value)| value), b.map(|(_, value)| value));
        let rule = match (has(old), has(new)) {
            (true, true) => &rules::ENCODING_CHANGED,
            (false, false) => &rules::NO_EFFECT,
            _ => continue,
        };
        notes.changed(rule, keyword, (old, x), (new, y));
    }
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
