//! Reads responses: the form of a success, and the documentation of the others.

use std::collections::BTreeSet;

use openapi_document::json::{members_of, text_of};
use openapi_document::pointer;
use openapi_schemas::media_type::{EVENTS, essence, is_text};
use openapi_schemas::resolve;
use serde_json::Value;

use super::media::is_json;
use super::operation::Reader;
use super::streams;
use crate::{Content, OtherResponse, Output, Place, StreamItems};

/// The success response of an operation.
pub(super) struct Success {
    pub(super) output: Output,
    /// The first of its responses.
    pub(super) pointer: String,
    /// The media types to request, unless that is just JSON.
    pub(super) accept: Option<String>,
    /// The media types to request for a stream: those that are not JSON.
    pub(super) streamed: Option<String>,
    /// The items of the stream, if the document describes them.
    pub(super) stream_items: Option<StreamItems>,
}

/// The media types that a client accepts.
#[derive(Default)]
struct Accepted {
    whole: Vec<String>,
    streamed: Vec<String>,
    /// Those of streams whose items are described.
    items: Vec<(String, StreamItems)>,
}

pub(super) fn success(
    reader: &mut Reader<'_, '_>,
    method: &str,
    value: &Value,
    type_name: &str,
) -> Success {
    let at = format!("{}/responses", reader.pointer);
    let all = members_of(value, "responses").map(|(status, _)| status.as_str());
    let all: Vec<&str> = all.collect();
    let mut statuses = all.clone();
    statuses.retain(|status| status.starts_with('2'));
    // A code comes before the range that it is in.
    statuses.sort_by_key(|status| status.to_ascii_uppercase());
    let mut codes = all.iter().filter(|status| !status.starts_with('x'));
    if all.contains(&"default") && codes.all(|status| *status == "default") {
        statuses.push("default");
    }
    let mut accepted = Accepted::default();
    let contents = by_status(reader, method, &statuses, type_name, &mut accepted);
    let has_only_errors = all.iter().all(|status| status.starts_with(['4', '5']));
    let pointer = match statuses.first() {
        Some(status) => pointer::join(&at, status),
        None => at,
    };
    let first = match contents.first() {
        Some((_, first)) => first.clone(),
        // If the document has errors alone, any body is kept.
        None if has_only_errors => {
            accepted.whole.push("*/*".to_owned());
            accepted.streamed.push("*/*".to_owned());
            Content::Bytes
        }
        None => Content::Nothing,
    };
    let stream_items = streams::one(reader, &pointer, &mut accepted.items);
    // Where items are described, another body would be none.
    if stream_items.is_some() {
        let described = accepted.items.into_iter();
        accepted.streamed = described.map(|(media_type, _)| media_type).collect();
    }
    let is_one = contents.iter().all(|(_, content)| *content == first);
    Success {
        output: if is_one {
            Output::One(first)
        } else {
            Output::ByStatus(contents)
        },
        pointer,
        accept: accept(&accepted.whole),
        streamed: accept(&accepted.streamed),
        stream_items,
    }
}

/// Reads the bodies of successes, by their status codes.
fn by_status(
    reader: &mut Reader<'_, '_>,
    method: &str,
    statuses: &[&str],
    type_name: &str,
    accepted: &mut Accepted,
) -> Vec<(String, Content)> {
    let source = reader.notes.source;
    let responses = format!("{}/responses", reader.pointer);
    let mut contents: Vec<(String, Content)> = Vec::new();
    let mut bodies: Vec<Option<&Value>> = Vec::new();
    for status in statuses {
        let at = pointer::join(&responses, status);
        let hint = if contents.is_empty() {
            format!("{type_name}Response")
        } else {
            format!("{type_name}Response{}", status.to_ascii_uppercase())
        };
        let body = resolve(&source.value, &at).and_then(|(_, response)| response.get("content"));
        // An equal body has the type of the first one, although its schema may have no name.
        let equal = bodies
            .iter()
            .position(|known| body.is_some() && *known == body);
        let content = match (method, equal.and_then(|index| contents.get(index))) {
            // No response to it has a body.
            ("HEAD", _) => Content::Nothing,
            (_, Some((_, equal))) => {
                mark_read(reader, &at);
                equal.clone()
            }
            (_, None) => content(reader, &at, &hint, accepted),
        };
        bodies.push(body);
        contents.push((status.to_ascii_uppercase(), content));
    }
    contents
}

/// Marks the schemas of a response as read, because those of an equal one are.
fn mark_read(reader: &mut Reader<'_, '_>, at: &str) {
    let Some((pointer, response)) = resolve(&reader.notes.source.value, at) else {
        return;
    };
    for (media_type, value) in members_of(response, "content") {
        let at = pointer::join(&format!("{pointer}/content"), media_type);
        for key in ["schema", "itemSchema"] {
            if value.get(key).is_some() {
                reader.registry.placed.insert(format!("{at}/{key}"));
            }
        }
    }
}

/// Reads one response: as JSON if it may be that, else as text, else as bytes.
fn content(reader: &mut Reader<'_, '_>, at: &str, hint: &str, accepted: &mut Accepted) -> Content {
    let Some((pointer, response)) = resolve(&reader.notes.source.value, at) else {
        reader.notes.warn(
            "response-reference",
            at,
            "the response is a reference that leads nowhere: its body is kept as bytes",
            "correct the reference",
        );
        return Content::Bytes;
    };
    let content = response.get("content").and_then(Value::as_object);
    let Some(content) = content.filter(|content| !content.is_empty()) else {
        return Content::Nothing;
    };
    let document = &reader.notes.source.value;
    let (json, others): (Vec<_>, Vec<_>) = content
        .iter()
        .partition(|(media_type, value)| is_json(document, media_type, value));
    let streamed = others.iter().map(|(media_type, _)| (*media_type).clone());
    accepted.streamed.extend(streamed);
    for (media_type, value) in content {
        let at = pointer::join(&format!("{pointer}/content"), media_type);
        let items = streams::items(reader, media_type, value, hint, &at);
        accepted
            .items
            .extend(items.map(|items| (media_type.clone(), items)));
    }
    // JSON with no other subtype is the content that an API's schemas describe.
    let best = json
        .iter()
        .find(|(media_type, _)| essence(media_type) == "application/json")
        .or(json.first());
    if let Some((media_type, _)) = best {
        accepted.whole.push((*media_type).clone());
        let schema_pointer = format!(
            "{}/schema",
            pointer::join(&format!("{pointer}/content"), media_type)
        );
        let json = reader.registry.place(hint, &schema_pointer);
        for (media_type, _) in content
            .iter()
            .filter(|(key, of)| streams::are_undescribed(key, of))
        {
            let items = streams::beside(reader, &json);
            let items = items.map(|items| (media_type.clone(), items));
            accepted.items.extend(items);
        }
        return Content::Json(Box::new(json));
    }
    let texts: Vec<String> = others
        .into_iter()
        .map(|(media_type, _)| (media_type, essence(media_type)))
        .filter(|(_, essence)| is_text(essence) && essence != EVENTS)
        .map(|(media_type, _)| media_type.clone())
        .collect();
    if texts.is_empty() {
        accepted.whole.extend(content.keys().cloned());
        Content::Bytes
    } else {
        accepted.whole.extend(texts);
        Content::Text
    }
}

pub(super) fn other_responses(
    reader: &mut Reader<'_, '_>,
    value: &Value,
    type_name: &str,
) -> Vec<OtherResponse> {
    let mut others = Vec::new();
    for (status, _) in members_of(value, "responses") {
        let at = pointer::join(&format!("{}/responses", reader.pointer), status);
        if status.starts_with('2') || status.starts_with("x-") {
            continue;
        }
        let Some((pointer, response)) = resolve(&reader.notes.source.value, &at) else {
            continue;
        };
        let description = text_of(response, "description");
        let schema = error_schema(
            reader,
            &pointer,
            response,
            &format!("{type_name}Error{}", status.to_ascii_uppercase()),
        );
        if description.is_some() || schema.is_some() {
            others.push(OtherResponse {
                status: status.to_ascii_uppercase().replace("DEFAULT", "default"),
                description: description.unwrap_or_default().trim().to_owned(),
                pointer: at,
                schema,
            });
        }
    }
    others
}

fn error_schema(
    reader: &mut Reader<'_, '_>,
    pointer: &str,
    response: &Value,
    hint: &str,
) -> Option<Place> {
    let document = &reader.notes.source.value;
    let (media_type, content) = members_of(response, "content")
        .find(|(media_type, content)| is_json(document, media_type, content))?;
    let at = format!(
        "{}/schema",
        pointer::join(&format!("{pointer}/content"), media_type)
    );
    content.get("schema")?;
    let known = reader.error_places.get(&at);
    let placed = match known {
        Some(placed) => placed.clone(),
        None => reader.registry.place(hint, &at),
    };
    // Many operations share a response of the components, and its schema is one type.
    reader.error_places.insert(at, placed.clone());
    Some(placed)
}

/// Returns the `Accept` header for these media types; `None` for the default of a client.
fn accept(media_types: &[String]) -> Option<String> {
    let mut seen = BTreeSet::new();
    let media_types: Vec<&str> = media_types
        .iter()
        .map(String::as_str)
        .filter(|media_type| media_type.bytes().all(|byte| (b' '..0x7f).contains(&byte)))
        .filter(|media_type| seen.insert(*media_type))
        .collect();
    match media_types.as_slice() {
        [] | ["application/json"] => None,
        several => Some(several.join(", ")),
    }
}
