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

/// Notes the members that an object of this kind does not have.
pub(super) fn members(walk: &mut Walk<'_, '_>, at: &str, value: &Value, known: &[&'static str]) {
    let keys = value.as_object().into_iter().flatten().map(|(key, _)| key);
    for key in keys.filter(|key| !key.starts_with("x-") && !known.contains(&key.as_str())) {
        let message = match near(key, known.iter().copied()) {
            Some(near) => {
                format!("OpenAPI has no `{key}` here, and it is not read: `{near}` may be meant")
            }
            None => format!("OpenAPI has no `{key}` here, and it is not read"),
        };
        walk.notes.warn(
            "unknown-member",
            &pointer::join(at, key),
            message,
            "write it as OpenAPI defines it, or remove it, in an override",
        );
    }
}
