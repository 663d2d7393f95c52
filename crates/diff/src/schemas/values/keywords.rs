//! Keywords whose values are compared as they stand.

/// Keywords that `bounds` and `texts` compare.
pub(crate) const PLAIN: [&str; 18] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
    "pattern",
    "multipleOf",
    "contentEncoding",
    "contentMediaType",
    "format",
    "uniqueItems",
];
