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

/// Whether a keyword constrains no value.
pub(in crate::diff) fn is_annotation(keyword: &str) -> bool {
    DOCS.contains(&keyword)
        || keyword.starts_with("x-")
        || matches!(
            keyword,
            "deprecated" | "default" | "readOnly" | "writeOnly" | "xml"
        )
}
