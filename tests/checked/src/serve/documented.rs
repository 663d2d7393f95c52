//! The documented response to a request.

use axum::http::StatusCode;
use serde_json::Value;

use crate::request::is_json;
use crate::{Direction, Document, Operation, Values};

/// A documented response: its status code, and its content.
pub(super) struct Documented<'d> {
    pub(super) status: StatusCode,
    pub(super) content: Content<'d>,
}

/// A documented body in JSON.
#[derive(Default)]
pub(super) struct Content<'d> {
    pub(super) schema: Option<&'d Value>,
    pub(super) body: Option<Value>,
    /// True if no example of the document is the body.
    pub(super) is_made_up: bool,
}

/// Returns the first success that the document has for an operation.
pub(super) fn documented<'d>(document: &'d Document, operation: &Operation<'d>) -> Documented<'d> {
    let responses = operation.value.get("responses").and_then(Value::as_object);
    for (status, response) in responses.into_iter().flatten() {
        let status = status.replace("XX", "00");
        let status = status.parse().ok().filter(|code| (200..300).contains(code));
        if let Some(status) = status.and_then(|code| StatusCode::from_u16(code).ok()) {
            let content = content(document, document.meant(response));
            return Documented { status, content };
        }
    }
    Documented {
        status: StatusCode::OK,
        content: Content::default(),
    }
}

/// Returns the example of a request body or a response, or a body that its schema allows.
pub(super) fn content<'d>(document: &'d Document, of: &'d Value) -> Content<'d> {
    let content = of.get("content").and_then(Value::as_object);
    let mut content = content.into_iter().flatten();
    let Some((_, media)) = content.find(|(media_type, _)| is_json(media_type)) else {
        return Content::default();
    };
    let example = example(document, media);
    let schema = media.get("schema");
    Content {
        schema,
        is_made_up: example.is_none(),
        body: example.or_else(|| made_up(document, schema?)),
    }
}

/// Returns an example of a media type, or of its schema.
fn example(document: &Document, media: &Value) -> Option<Value> {
    let named = media.get("examples").and_then(Value::as_object);
    let named = named.and_then(|all| document.meant(all.values().next()?).get("value"));
    let schema = media.get("schema").map(|schema| document.meant(schema));
    let of_schema = schema.and_then(|schema| schema.get("example"));
    media.get("example").or(named).or(of_schema).cloned()
}

/// Makes up a value of a schema with all of its members, which is the same each time.
fn made_up(document: &Document, schema: &Value) -> Option<Value> {
    let states = Values::new(document, Direction::Response).states(schema);
    states.into_iter().next()
}
