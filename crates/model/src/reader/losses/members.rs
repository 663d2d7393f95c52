//! The members of OpenAPI's objects. Clients ignore any other.

use openapi_document::finding::near;
use openapi_document::pointer;
use serde_json::Value;

use super::Walk;

pub(super) const PATH_ITEM: &[&str] = &[
    "$ref",
    "additionalOperations",
    "delete",
    "description",
    "get",
    "head",
    "options",
    "parameters",
    "patch",
    "post",
    "put",
    "query",
    "servers",
    "summary",
    "trace",
];
pub(super) const OPERATION: &[&str] = &[
    "callbacks",
    "deprecated",
    "description",
    "externalDocs",
    "operationId",
    "parameters",
    "requestBody",
    "responses",
    "security",
    "servers",
    "summary",
    "tags",
];
pub(super) const REQUEST_BODY: &[&str] = &["content", "description", "required"];
pub(super) const RESPONSE: &[&str] = &["content", "description", "headers", "links", "summary"];
pub(super) const MEDIA_TYPE: &[&str] = &[
    "description",
    "encoding",
    "example",
    "examples",
    "itemEncoding",
    "itemSchema",
    "prefixEncoding",
    "schema",
];
pub(super) const ENCODING: &[&str] = &[
    "allowReserved",
    "contentType",
    "encoding",
    "explode",
    "headers",
    "itemEncoding",
    "prefixEncoding",
    "style",
];

/// Notes the members that an object of this kind does not have, or that have another form than OpenAPI defines.
pub(super) fn members(walk: &mut Walk<'_, '_>, at: &str, value: &Value, known: &[&'static str]) {
    let members = value.as_object().into_iter().flatten();
    for (key, value) in members.filter(|(key, _)| !key.starts_with("x-")) {
        let below = pointer::join(at, key);
        if known.contains(&key.as_str()) {
            if !value.is_null() && !is_right(key, value) {
                let message = format!("`{key}` has another form in OpenAPI, and is not read");
                walk.notes.warn("openapi-form", &below, message, HELP);
            }
            continue;
        }
        let message = match near(key, known.iter().copied()) {
            Some(near) => {
                format!("OpenAPI has no `{key}` here, and it is not read: `{near}` may be meant")
            }
            None => format!("OpenAPI has no `{key}` here, and it is not read"),
        };
        walk.notes.warn("unknown-member", &below, message, HELP);
    }
}

const HELP: &str = "write it as OpenAPI defines it, or remove it, in an override";

/// Returns whether a member has its form, which is the same in all objects.
fn is_right(key: &str, value: &Value) -> bool {
    match key {
        "allowEmptyValue" | "allowReserved" | "deprecated" | "explode" | "required" => {
            value.is_boolean()
        }
        "contentType" | "description" | "in" | "name" | "operationId" | "style" | "summary" => {
            value.is_string()
        }
        "parameters" | "prefixEncoding" | "servers" | "tags" => value.is_array(),
        "callbacks" | "content" | "encoding" | "examples" | "headers" | "links" | "responses" => {
            value.is_object()
        }
        _ => true,
    }
}
