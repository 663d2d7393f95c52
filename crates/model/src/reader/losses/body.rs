//! Parts of a body's media types that the model leaves out.

use openapi_document::json::members_of;
use openapi_document::pointer;
use openapi_schemas::media_type::{EVENTS, essence, is_json_sequence};
use serde_json::Value;

use super::Walk;
use super::members::{ENCODING, MEDIA_TYPE, members};
use crate::reader::media::is_structured;
use crate::{Body, BodyKind, Model};

/// The owner of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Request,
    Response,
    Webhook,
}

/// The members of a media type that hold a schema: of the whole, and of each item of a stream.
const SCHEMAS: [&str; 2] = ["schema", "itemSchema"];

impl Walk<'_, '_> {
    /// Notes the schemas that were not read, and encodings without effect.
    pub(super) fn content(&mut self, holder: &str, value: &Value, whose: Content) {
        let holder = format!("{holder}/content");
        let mut read = Vec::new();
        let mut unread = Vec::new();
        for (media_type, value) in members_of(value, "content") {
            for key in SCHEMAS {
                let at = format!("{}/{key}", pointer::join(&holder, media_type));
                match value.get(key) {
                    Some(schema) if self.placed.contains(&at) => read.push(schema),
                    Some(schema) => unread.push((at, media_type, schema)),
                    None => {}
                }
            }
        }
        for (at, media_type, schema) in unread {
            // The same values in another media type are read already.
            if !read.contains(&schema) && is_structured(&self.notes.source.value, schema) {
                self.unread(&at, media_type, whose);
            }
        }
        for (media_type, value) in members_of(value, "content") {
            let at = pointer::join(&holder, media_type);
            members(self, &at, value, MEDIA_TYPE);
            if whose == Content::Request {
                self.encodings(&at, media_type, value);
            }
        }
    }

    /// Notes a multipart body whose parts the caller writes, although some of them have a schema.
    pub(super) fn unnamed_parts(&mut self, model: &Model, body: &Body) {
        let schema = model.referenced(&body.schema);
        let is_named = schema.is_some_and(|schema| !schema.properties().is_empty());
        if body.kind == BodyKind::Multipart && is_named && model.parts(body).is_none() {
            self.unread(&body.pointer, &body.media_type, Content::Request);
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
        self.notes.warn(
            rule,
            at,
            message,
            "no action is needed if callers read or write it themselves; otherwise describe it as JSON in an override",
        );
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
        for (property, encoding) in members_of(value, "encoding") {
            let at = pointer::join(&format!("{at}/encoding"), property);
            members(self, &at, encoding, ENCODING);
            for (key, usual) in [
                ("headers", Value::Null),
                ("encoding", Value::Null),
                ("itemEncoding", Value::Null),
                ("prefixEncoding", Value::Null),
                ("style", Value::from("form")),
                ("explode", Value::from(true)),
            ] {
                if encoding.get(key).is_some_and(|value| *value != usual) {
                    let message = format!("`{key}` of the part `{property}` is not sent");
                    self.in_vain(&format!("{at}/{key}"), message);
                }
            }
        }
    }

    fn in_vain(&mut self, at: &str, message: String) {
        let help = "no action is needed if the service does not need it";
        self.notes.warn("encoding", at, message, help);
    }
}

/// Returns whether a body is a sequence of values.
fn is_stream(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence == EVENTS || is_json_sequence(&essence)
}
