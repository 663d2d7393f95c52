//! Keywords that constrain no value.

/// Keywords that say something to people only.
pub(in crate::diff) const DOCS: [&str; 10] = [
    "title",
    "description",
    "summary",
    "example",
    "examples",
    "externalDocs",
    "$comment",
    "termsOfService",
    "contact",
    "license",
];

/// Whether a keyword says nothing by itself: it is silent, or leads to schemas that say something.
pub(in crate::diff) fn is_wrapping(keyword: &str) -> bool {
    is_silent(keyword) || matches!(keyword, "$ref" | "$dynamicRef" | "allOf")
}

/// Whether a keyword constrains no value, or names the schema.
pub(in crate::diff) fn is_silent(keyword: &str) -> bool {
    is_annotation(keyword) || matches!(keyword, "$anchor" | "$dynamicAnchor")
}

/// Whether a keyword constrains no value.
pub(in crate::diff) fn is_annotation(keyword: &str) -> bool {
    DOCS.contains(&keyword)
        || keyword.starts_with("x-")
        || matches!(
            keyword,
            "deprecated" | "default" | "readOnly" | "writeOnly" | "xml"
        )
}
