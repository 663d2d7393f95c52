//! Reads request bodies: which media types an operation takes, and how each is written.

use openapi_document::json::{is_true, members_of, text_of};
use openapi_document::pointer;
use openapi_document::resolver::followed;
use openapi_schemas::media_type::{essence, is_json, is_text};
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
        (media_type, content, kind(media_type, is_json))
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
            _ => {
                let hint = format!("{type_name}{}", suffix(kind));
                reader.registry.place(&hint, &schema_pointer)
            }
        };
        if kind == BodyKind::Multipart && has_files(reader, content) {
            further_parts(reader, content, &schema_pointer);
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

/// Warns of parts without a name: where one part is a file, each is given by its own name.
fn further_parts(reader: &mut Reader<'_, '_>, content: &Value, at: &str) {
    let schema = content.get("schema").unwrap_or(&Value::Null);
    let others = followed(&reader.notes.source.value, schema).get("additionalProperties");
    if others.is_some_and(|others| *others != Value::Bool(false)) {
        let message = "the parts that `additionalProperties` allows are not sent";
        let help = "no action is needed if the service does not need them; otherwise name them in an override";
        reader.notes.warn("encoding", at, message, help);
    }
}

/// Returns whether a property of a body is a file.
fn has_files(reader: &Reader<'_, '_>, content: &Value) -> bool {
    let document = &reader.notes.source.value;
    let schema = followed(document, content.get("schema").unwrap_or(&Value::Null));
    members_of(schema, "properties").any(|(_, property)| {
        let property = followed(document, property);
        let items = followed(document, property.get("items").unwrap_or(property));
        let mut both = [property, items].into_iter();
        both.any(|one| text_of(one, "format") == Some("binary"))
    }) || encodings(content).iter().any(|encoding| encoding.is_bytes)
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
