//! Reads request bodies: which media types an operation takes, and how each is written.

use openapi_document::json::{is_true, members_of, text_of};
use openapi_document::pointer;
use openapi_document::resolver::followed;
use openapi_schemas::media_type::{essence, is_json, is_text};
use openapi_schemas::reading::choices;
use openapi_schemas::resolve;
use serde_json::Value;

use super::operation::Reader;
use super::{media, styles};
use crate::{Body, BodyKind, Encoding, Location, Place};

/// The bodies of an operation, one for each schema, the best to send first. `Err` has the reason why it cannot be called.
pub(super) fn bodies(
    reader: &mut Reader<'_, '_>,
    value: &Value,
    type_name: &str,
) -> Result<Vec<Body>, String> {
    if value.get("requestBody").is_none_or(Value::is_null) {
        return Ok(Vec::new());
    }
    let at = format!("{}/requestBody", reader.pointer);
    let Some((pointer, body)) = resolve(&reader.notes.source.value, &at) else {
        return Err("its request body is a reference that leads nowhere".to_owned());
    };
    let mut bodies: Vec<Body> = Vec::new();
    let document = &reader.notes.source.value;
    let media_types = members_of(body, "content").map(|(media_type, content)| {
        let is_json = media::is_json(document, media_type, content);
        let kind = match kind(media_type, is_json) {
            // A form has names: another value is sent as the caller writes it.
            BodyKind::Form if !may_have_names(document, content) => BodyKind::Text,
            kind => kind,
        };
        (media_type, content, kind)
    });
    let mut media_types: Vec<(&String, &Value, BodyKind)> = media_types.collect();
    media_types.sort_by_key(|(_, content, kind)| rank(*kind, has_files(reader, content)));
    for (media_type, content, kind) in media_types {
        let at = pointer::join(&format!("{pointer}/content"), media_type);
        let schema_pointer = format!("{at}/schema");
        // The same schema in another media type adds nothing, unless only one of them can hold files.
        let same = bodies.iter_mut().find(|known| {
            is_structured(known.kind)
                && is_structured(kind)
                && reader.notes.source.value.pointer(&known.pointer) == content.get("schema")
        });
        if let Some(known) = same {
            known.others.push(media_type.clone());
            continue;
        }
        let schema = match kind {
            // A body without structure is sent unchanged, whatever its schema says.
            BodyKind::Text | BodyKind::Bytes | BodyKind::Any => Place::default(),
            BodyKind::Multipart if has_no_parts(reader, content) => Place::default(),
            _ => {
                let hint = format!("{type_name}{}", suffix(kind));
                reader.registry.place(&hint, &schema_pointer)
            }
        };
        if kind == BodyKind::Multipart && has_files(reader, content) {
            note_parts(reader, content, &schema_pointer);
        }
        bodies.push(Body {
            schema,
            required: is_true(body, "required"),
            pointer: schema_pointer,
            media_type: sent(media_type, kind),
            kind,
            encodings: encodings(content),
            untyped_is_bytes: !text_of(document, "openapi")
                .is_some_and(|one| one.starts_with("3.0")),
            others: Vec::new(),
        });
    }
    Ok(bodies)
}

fn may_have_names(document: &Value, content: &Value) -> bool {
    let schema = content.get("schema").unwrap_or(&Value::Null);
    text_of(followed(document, schema), "type").is_none_or(|kind| kind == "object")
}

/// Returns whether a body is a list, or has the parts of one of several objects: no struct of parts has these.
fn has_no_parts(reader: &Reader<'_, '_>, content: &Value) -> bool {
    let document = &reader.notes.source.value;
    let schema = followed(document, content.get("schema").unwrap_or(&Value::Null));
    let alternatives = choices(schema).flatten();
    let of_parts = alternatives.filter(|one| media::is_structured(document, one));
    text_of(schema, "type") == Some("array")
        || members_of(schema, "properties").next().is_none() && of_parts.count() > 1
}

/// Warns of parts without a name, where one part is a file and each is given by its own name; and of a file that is sent as something else.
fn note_parts(reader: &mut Reader<'_, '_>, content: &Value, at: &str) {
    let document = &reader.notes.source.value;
    let schema = followed(document, content.get("schema").unwrap_or(&Value::Null));
    let others = schema.get("additionalProperties");
    let mut losses = Vec::new();
    if others.is_some_and(|others| *others != Value::Bool(false)) {
        losses.push("the parts that `additionalProperties` allows are not sent".to_owned());
    }
    for (name, property) in members_of(schema, "properties") {
        let mut alternatives = choices(followed(document, property)).flatten();
        let is_other = |one: &Value| !is_file(document, one) && !is_null(document, one);
        if may_be_file(document, property) && alternatives.any(is_other) {
            losses.push(format!(
                "the part `{name}` is not sent as a file, which it may be"
            ));
        }
    }
    for message in losses {
        let help = "no action is needed if the service does not need them; otherwise describe them in an override";
        reader.notes.warn("encoding", at, message, help);
    }
}

/// Returns whether a property of a body is a file.
fn has_files(reader: &Reader<'_, '_>, content: &Value) -> bool {
    let document = &reader.notes.source.value;
    let schema = followed(document, content.get("schema").unwrap_or(&Value::Null));
    let mut properties = members_of(schema, "properties");
    properties.any(|(_, property)| may_be_file(document, property))
        || encodings(content).iter().any(|encoding| encoding.is_bytes)
}

fn may_be_file(document: &Value, schema: &Value) -> bool {
    let mut alternatives = choices(followed(document, schema)).flatten();
    is_file(document, schema) || alternatives.any(|one| is_file(document, one))
}

/// Returns whether a schema is a file or a list of files.
fn is_file(document: &Value, schema: &Value) -> bool {
    let schema = followed(document, schema);
    let items = followed(document, schema.get("items").unwrap_or(schema));
    let mut both = [schema, items].into_iter();
    both.any(|one| text_of(one, "format") == Some("binary"))
}

fn is_null(document: &Value, schema: &Value) -> bool {
    text_of(followed(document, schema), "type") == Some("null")
}

/// Returns the media type that a body is sent with.
fn sent(media_type: &str, kind: BodyKind) -> String {
    if kind == BodyKind::Json && media_type.contains('*') {
        return "application/json".to_owned();
    }
    media_type.to_owned()
}

/// How a media type is written.
fn kind(media_type: &str, is_json: bool) -> BodyKind {
    let essence = essence(media_type);
    match essence.as_str() {
        _ if is_json => BodyKind::Json,
        "application/x-www-form-urlencoded" => BodyKind::Form,
        "multipart/form-data" => BodyKind::Multipart,
        // The boundary is the caller's.
        essence if essence.contains('*') || essence.starts_with("multipart/") => BodyKind::Any,
        essence if is_text(essence) => BodyKind::Text,
        _ => BodyKind::Bytes,
    }
}

fn is_bytes(media_type: &str) -> bool {
    kind(media_type, is_json(&essence(media_type))) == BodyKind::Bytes
}

fn is_structured(kind: BodyKind) -> bool {
    matches!(kind, BodyKind::Json | BodyKind::Form | BodyKind::Multipart)
}

/// JSON holds everything but files.
fn rank(kind: BodyKind, has_files: bool) -> u8 {
    match kind {
        BodyKind::Multipart if has_files => 0,
        BodyKind::Json => 1,
        BodyKind::Form => 2,
        BodyKind::Multipart => 3,
        BodyKind::Text => 4,
        BodyKind::Bytes => 5,
        BodyKind::Any => 6,
    }
}

fn suffix(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Form => "Form",
        BodyKind::Multipart => "Multipart",
        _ => "Body",
    }
}

fn encodings(content: &Value) -> Vec<Encoding> {
    members_of(content, "encoding")
        .map(|(property, encoding)| {
            let media_type = text_of(encoding, "contentType");
            let only = media_type.filter(|media_type| !media_type.contains([',', '*']));
            let has_style = ["style", "explode", "allowReserved"]
                .iter()
                .any(|key| encoding.get(*key).is_some());
            Encoding {
                property: property.clone(),
                media_type: only.map(str::to_owned),
                is_bytes: media_type.is_some_and(|all| all.split(',').all(is_bytes)),
                style: has_style.then(|| styles::declared(Location::Query, encoding)),
            }
        })
        .collect()
}
