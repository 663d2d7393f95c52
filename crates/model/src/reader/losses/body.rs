//! Parts of a body's media types that the model leaves out.

use openapi_document::keywords::keyword;
use openapi_document::pointer;
use openapi_document::resolver::meant;
use serde_json::Value;

use super::Walk;
use super::members::{ENCODING, MEDIA_TYPE, members};
use crate::reader::bodies::essence;

/// The owner of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Request,
    Response,
    Webhook,
}

/// The members of a media type that hold a schema: of the whole, and of each item of a stream.
const SCHEMAS: [&str; 2] = ["schema", "itemSchema"];

impl Walk<'_> {
    /// Notes the schemas that were not read, and encodings without effect.
    pub(super) fn content(&mut self, holder: &str, value: &Value, whose: Content) {
        let content = value.get("content").and_then(Value::as_object);
        let content = || content.into_iter().flatten();
        let at = |media_type: &str| pointer::join(&format!("{holder}/content"), media_type);
        let is_read = |media_type: &str, key: &str| {
            self.placed.contains(&format!("{}/{key}", at(media_type)))
        };
        let all = content().flat_map(|(media_type, value)| {
            let schemas = SCHEMAS.into_iter();
            schemas.filter_map(move |key| Some((media_type, key, value.get(key)?)))
        });
        // The same values in another media type are read already.
        let (read, unread): (Vec<_>, Vec<_>) =
            all.partition(|(media_type, key, _)| is_read(media_type, key));
        for (media_type, key, schema) in unread {
            let is_known = read.iter().any(|(_, _, known)| *known == schema);
            if !is_known && self.is_structured(schema) {
                self.unread(&format!("{}/{key}", at(media_type)), media_type, whose);
            }
        }
        for (media_type, value) in content() {
            members(self, &at(media_type), value, MEDIA_TYPE);
            if whose == Content::Request {
                self.encodings(&at(media_type), media_type, value);
            }
        }
    }

    fn unread(&mut self, at: &str, media_type: &str, whose: Content) {
        let is_stream = is_stream(media_type);
        let (rule, message) = match whose {
            Content::Request => (
                "request-schema",
                format!(
                    "the schema of `{media_type}` is not read: the body is sent as the caller writes it"
                ),
            ),
            Content::Response if is_stream => (
                "event-schema",
                format!(
                    "the schema of `{media_type}` is not read: what is in the stream has no type"
                ),
            ),
            Content::Response => (
                "response-schema",
                format!("the schema of `{media_type}` is not read: such a body has no type"),
            ),
            Content::Webhook => (
                "webhook",
                format!(
                    "the schema of `{media_type}` is not read: the body of the webhook has no type"
                ),
            ),
        };
        self.warn(
            rule,
            at,
            message,
            "no action is needed if callers read or write it themselves; otherwise describe it as JSON in an override",
        );
    }

    /// Returns whether the values of a schema have parts, so that text or bytes lose some of it.
    fn is_structured(&self, schema: &Value) -> bool {
        let schema = meant(&self.source.value, schema).unwrap_or(schema);
        let kind = schema.get("type").and_then(Value::as_str);
        let holds_schemas = |key: &String| {
            let takes = keyword(key).map(|row| row.takes);
            takes.is_some_and(|takes| takes.holds_schemas())
        };
        match kind {
            Some("object" | "array") => true,
            Some(_) => false,
            None => schema
                .as_object()
                .is_some_and(|map| map.keys().any(holds_schemas)),
        }
    }

    fn encodings(&mut self, at: &str, media_type: &str, value: &Value) {
        for key in ["itemEncoding", "prefixEncoding"] {
            if value.get(key).is_some() {
                self.in_vain(&format!("{at}/{key}"), format!("`{key}` is not read"));
            }
        }
        // Other bodies ignore an encoding.
        if !essence(media_type).starts_with("multipart/") {
            return;
        }
        let encodings = value.get("encoding").and_then(Value::as_object);
        for (property, encoding) in encodings.into_iter().flatten() {
            let at = pointer::join(&format!("{at}/encoding"), property);
            members(self, &at, encoding, ENCODING);
            let has_style =
                |key: &str, usual: Value| encoding.get(key).is_some_and(|value| *value != usual);
            let styles = [
                ("style", Value::from("form")),
                ("explode", Value::from(true)),
            ];
            let styles = styles
                .into_iter()
                .filter(|(key, usual)| has_style(key, usual.clone()));
            let nested = ["headers", "encoding", "itemEncoding", "prefixEncoding"];
            for key in nested.into_iter().chain(styles.map(|(key, _)| key)) {
                if encoding.get(key).is_some() {
                    let message = format!("`{key}` of the part `{property}` is not sent");
                    self.in_vain(&format!("{at}/{key}"), message);
                }
            }
        }
    }

    fn in_vain(&mut self, at: &str, message: String) {
        let help = "no action is needed if the service does not need it";
        self.warn("encoding", at, message, help);
    }
}

/// Returns whether a body is a sequence of values.
fn is_stream(media_type: &str) -> bool {
    let essence = essence(media_type);
    ["event-stream", "jsonl", "ndjson", "json-seq", "stream"]
        .iter()
        .any(|end| essence.ends_with(end))
}
