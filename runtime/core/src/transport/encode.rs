//! Percent-encoding. Everything but RFC 3986's unreserved characters is encoded, so that a value means the same in a path and in a query.

use std::fmt::Display;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

pub(super) const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
pub(crate) fn encode(value: &dyn Display) -> String {
    utf8_percent_encode(&value.to_string(), RESERVED).to_string()
}

/// Appends the result of [`encode`].
pub(crate) fn encode_into(text: &mut String, value: &str) {
    text.extend(utf8_percent_encode(value, RESERVED));
}

/// Returns why encoded strings cannot be distinguished once they are joined, as the end of a sentence; `None` if they can.
pub(crate) fn ambiguous(encoded: &[String], delimiter: &str) -> Option<String> {
    // The caller may have percent-encoded in lower case.
    let lower = delimiter.to_ascii_lowercase();
    let mut encoded = encoded.iter();
    let is_ambiguous = !delimiter.is_empty()
        && encoded.any(|text| text.contains(delimiter) || text.contains(&lower));
    is_ambiguous.then(|| format!("has a value that contains the delimiter `{delimiter}`"))
}
