//! Tells JSON from other bodies, by the media type and the schema.

use std::collections::HashSet;

use openapi_document::json::text_of;
use openapi_document::keywords::keyword;
use openapi_document::resolver::followed;
use openapi_schemas::media_type::{self, essence};
use openapi_schemas::reading::choices;
use serde_json::Value;

/// Returns whether a body is one JSON value.
///
/// A range of media types is read as JSON if its schema has parts, and JSON whose schema is bytes is not. A number or a boolean as text is
/// written as in JSON.
pub(super) fn is_json(document: &Value, media_type: &str, content: &Value) -> bool {
    let essence = essence(media_type);
    let schema = content.get("schema").unwrap_or(&Value::Null);
    if ["*/*", "application/*"].contains(&essence.as_str()) {
        return is_always_structured(document, schema, DEEPEST, &mut HashSet::new());
    }
    let schema = followed(document, schema);
    if essence == "text/plain" {
        return text_of(schema, "type")
            .is_some_and(|kind| ["integer", "number", "boolean"].contains(&kind));
    }
    media_type::is_json(&essence) && text_of(schema, "format") != Some("binary")
}

/// Maximum number of alternatives within each other that are looked at.
const DEEPEST: usize = 8;

/// Returns whether the values of all alternatives have parts. Each schema is looked at once: many alternatives may lead to it.
fn is_always_structured<'d>(
    document: &'d Value,
    schema: &'d Value,
    depth: usize,
    seen: &mut HashSet<*const Value>,
) -> bool {
    let schema = followed(document, schema);
    if !seen.insert(schema) {
        return true;
    }
    if text_of(schema, "type").is_some() || choices(schema).next().is_none() {
        return is_structured(document, schema);
    }
    let mut alternatives = choices(schema).flatten();
    depth > 0 && alternatives.all(|one| is_always_structured(document, one, depth - 1, seen))
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

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    #[test]
    fn alternatives_that_share_alternatives_are_looked_at_once() {
        let last = json!({"type": "object"});
        let mut schemas = Map::from_iter([("S8".to_owned(), last)]);
        for level in 0..8 {
            let next = json!({"$ref": format!("#/components/schemas/S{}", level + 1)});
            schemas.insert(format!("S{level}"), json!({"oneOf": vec![next; 100]}));
        }
        let document = json!({"components": {"schemas": schemas}});
        let content = json!({"schema": {"$ref": "#/components/schemas/S0"}});
        assert!(is_json(&document, "*/*", &content));
    }
}
