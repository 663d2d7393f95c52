//! Formats that exclude values, from JSON Schema and the OpenAPI registry.

/// Formats of strings, except those of encoded bytes.
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

/// Returns the minimum and maximum of a format for whole numbers.
pub fn limits(format: &str) -> Option<(i128, i128)> {
    Some(match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" => (i64::MIN.into(), i64::MAX.into()),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint64" => (0, u64::MAX.into()),
        "double-int" => (-(1i128 << 53) + 1, (1i128 << 53) - 1),
        _ => return None,
    })
}

/// Returns whether a format is one of strings.
pub fn is_of_text(format: &str) -> bool {
    TEXTS.contains(&format)
}

/// Returns whether a format is one of encoded bytes.
pub fn is_of_bytes(format: &str) -> bool {
    BYTES.contains(&format)
}

/// Returns whether a format excludes some value of its type.
pub(super) fn excludes(format: &str) -> bool {
    is_of_text(format) || is_of_bytes(format) || format == "float" || limits(format).is_some()
}
