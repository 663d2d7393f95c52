//! Annotation keywords of a schema: descriptions, examples and formats.

use openapi_document::json::text_of;
use serde_json::{Map, Value};

use crate::{Aliases, Place, RuntimeType, Shape};

/// On a required property of a response, `true`: its field is an `Option` nevertheless. On one of a request, `false`: callers give it, whatever
/// its default.
pub(super) const OPTIONAL: &str = "x-rust-optional";

/// Returns a place with all of its annotations, without its bounds and null.
pub(super) fn place(shape: Shape, keywords: &Map<String, Value>) -> Place {
    Place {
        shape,
        format: text(keywords, "format"),
        description: text(keywords, "description"),
        deprecated: is_true(keywords, "deprecated"),
        default: keywords.get("default").cloned(),
        example: keywords.get("example").cloned(),
        read_only: is_true(keywords, "readOnly"),
        write_only: is_true(keywords, "writeOnly"),
        rust_name: text(keywords, "x-rust-name"),
        rust_type: keywords.get(super::type_name::CHOSEN).map(written),
        is_optional: is_true(keywords, OPTIONAL),
        is_given: keywords.get(OPTIONAL) == Some(&Value::Bool(false)),
        aliases: keywords.get("x-aliases").map(Aliases::of),
        ..Place::default()
    }
}

fn text(keywords: &Map<String, Value>, key: &str) -> Option<String> {
    Some(keywords.get(key)?.as_str()?.to_owned())
}

fn is_true(keywords: &Map<String, Value>, key: &str) -> bool {
    keywords.get(key) == Some(&Value::Bool(true))
}

/// Returns a string, or any other value as JSON.
fn written(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the format of a string schema that has a type of the runtime. An enumeration has none, and neither has a schema with an
/// overridden type.
pub(super) fn text_format(schema: &Value) -> Option<&'static RuntimeType> {
    let is_other = ["enum", super::type_name::CHOSEN]
        .iter()
        .any(|key| schema.get(*key).is_some());
    if text_of(schema, "type") != Some("string") || is_other {
        return None;
    }
    RuntimeType::of_format(text_of(schema, "format")?)
}
