//! Percent-encoding that leaves reserved characters, as OpenAPI's `allowReserved` requires.

use percent_encoding::{AsciiSet, utf8_percent_encode};

use crate::transport::encode::RESERVED;

/// Leaves out the reserved characters that a query value can contain: `&` and `+` would change its meaning, `#` ends a query, and `[` and
/// `]` are not allowed in one.
const IN_QUERY: &AsciiSet = &RESERVED
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// Leaves out the reserved characters that a path can contain: `?` and `#` end it, and `[` and `]` are not allowed in it.
const IN_PATH: &AsciiSet = &IN_QUERY.add(b'?').remove(b'&').remove(b'+');

/// Encodes a query value as OpenAPI's `allowReserved` requires: reserved characters and encoded ones stay.
pub(crate) fn encode_reserved(text: &str) -> String {
    encode_but(text, IN_QUERY)
}

/// Encodes a path value in the same way, except that `/` would begin another segment.
pub(crate) fn encode_reserved_path(text: &str) -> String {
    encode_but(text, IN_PATH)
}

fn encode_but(text: &str, set: &'static AsciiSet) -> String {
    let mut encoded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        encoded.extend(utf8_percent_encode(before, set));
        let is_encoded = after.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
        encoded.push_str(if is_encoded { "%" } else { "%25" });
        rest = after;
    }
    encoded.extend(utf8_percent_encode(rest, set));
    encoded
}
