//! Is this an OpenAPI 3.0 document at all?

use serde_json::Value;

use crate::finding::Finding;
use crate::source::Source;

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let version = source.value.get("openapi").and_then(Value::as_str);
    if !version.is_some_and(|version| version.starts_with("3.0.")) {
        return vec![source.finding(
            "openapi-version",
            "/openapi",
            match version {
                Some(version) => format!("OpenAPI {version} is not supported: 3.0 is"),
                None => {
                    "the document has no text `openapi`, so it is no OpenAPI document".to_owned()
                }
            },
            "convert the document to OpenAPI 3.0",
        )];
    }
    let parsed: Result<openapiv3::OpenAPI, _> = serde_path_to_error::deserialize(&source.value);
    match parsed {
        Ok(_) => Vec::new(),
        Err(error) => {
            let pointer: String = error
                .path()
                .iter()
                .filter_map(|segment| match segment {
                    serde_path_to_error::Segment::Seq { index } => Some(index.to_string()),
                    serde_path_to_error::Segment::Map { key } => Some(key.clone()),
                    _ => None,
                })
                .map(|token| format!("/{}", crate::pointer::escape(&token)))
                .collect();
            vec![source.finding(
                "openapi-form",
                pointer,
                format!("not an OpenAPI 3.0 document here: {}", error.inner()),
                "compare this place with https://spec.openapis.org/oas/v3.0.3.html, and correct it in an override",
            )]
        }
    }
}
