//! Tells JSON from other bodies, by the media type and the schema.

use openapi_document::json::text_of;
use openapi_document::keywords::keyword;
use openapi_document::resolver::followed;
use openapi_schemas::media_type::{self, essence};
use serde_json::Value;

/// Returns whether a body is one JSON value.
///
/// A range of media types is read as JSON if its schema has parts, and JSON whose schema is bytes is not.
pub(super) fn is_json(document: &Value, media_type: &str, content: &Value) -> bool {
    let essence = essence(media_type);
    let schema = content.get("schema").unwrap_or(&Value::Null);
    if ["*/*", "application/*"].contains(&essence.as_str()) {
        return is_structured(document, schema);
    }
    let is_bytes = text_of(followed(document, schema), "format") == Some("binary");
    media_type::is_json(&essence) && !is_bytes
}

/// Returns whether the values of a schema have parts, so that text or bytes lose some of it.
pub(super) fn is_structured(document: &Value, schema: &Value) -> bool {
    let schema = followed(document, schema);
    if let Some(kind) = text_of(schema, "type") {
        return ["object", "array"].contains(&kind);
    }
    let mut rows = schema.as_object().into_iter().flatten();
    rows.any(|(key, _)| keyword(key).is_some_and(|row| row.takes.holds_schemas()))
}
