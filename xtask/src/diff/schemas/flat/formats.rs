//! Formats that exclude values: those that JSON Schema and the registry of OpenAPI have.

/// Formats of texts, but for those of encoded bytes.
const TEXTS: [&str; 24] = [
    "char",
    "date",
    "date-time",
    "date-time-local",
    "duration",
    "email",
    "hostname",
    "http-date",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "media-range",
    "regex",
    "relative-json-pointer",
    "time",
    "time-local",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];
/// Formats of encoded bytes.
const BYTES: [&str; 4] = ["byte", "base64", "base64url", "binary"];
/// Formats of numbers that have not all of them.
const NUMBERS: [&str; 10] = [
    "float",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "double-int",
];

/// Whether a format is one of texts.
pub(in crate::diff) fn is_of_text(format: &str) -> bool {
    TEXTS.contains(&format)
}

/// Whether a format is one of encoded bytes.
pub(in crate::diff) fn is_of_bytes(format: &str) -> bool {
    BYTES.contains(&format)
}

/// Whether a format excludes some value of its type.
pub(super) fn excludes(format: &str) -> bool {
    is_of_text(format) || is_of_bytes(format) || NUMBERS.contains(&format)
}
