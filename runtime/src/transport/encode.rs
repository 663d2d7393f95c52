//! Percent-encoding. Everything but RFC 3986's unreserved characters is encoded, so that a value means the same in a path and in a query.

use std::fmt::Display;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

pub(crate) fn encode(value: &dyn Display) -> String {
    utf8_percent_encode(&value.to_string(), RESERVED).to_string()
}
