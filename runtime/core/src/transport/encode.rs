//! Percent-encoding. Everything but RFC 3986's unreserved characters is encoded, so that a value means the same in a path and in a query.

use std::fmt::Display;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
/// Without the reserved characters that a query value can hold: `&` and `+` would change what is read, `#` ends a query, and `[` and `]` are
/// not allowed in one.
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

pub(crate) fn encode(value: &dyn Display) -> String {
    utf8_percent_encode(&value.to_string(), RESERVED).to_string()
}

/// Encodes as OpenAPI's `allowReserved` has it: reserved characters stay, and so does what is encoded already.
pub(crate) fn encode_reserved(text: &str) -> String {
    let mut encoded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        encoded.extend(utf8_percent_encode(before, IN_QUERY));
        let is_encoded = after.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
        encoded.push_str(if is_encoded { "%" } else { "%25" });
        rest = after;
    }
    encoded.extend(utf8_percent_encode(rest, IN_QUERY));
    encoded
}
