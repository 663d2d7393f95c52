//! Reads the items of streams: server-sent events, lines of JSON and JSON sequences.

use openapi_schemas::media_type::{EVENTS, essence, is_json_sequence};
use serde_json::Value;

use super::operation::Reader;
use crate::{EventForm, Object, Place, Scalar, Shape, StreamItems};

/// The fields of a server-sent event.
const FIELDS: [&str; 4] = ["data", "event", "id", "retry"];

/// Returns the items of a body of this media type; `None` for a body that is not a stream, and for lines that are any strings.
pub(super) fn items(
    reader: &mut Reader<'_, '_>,
    media_type: &str,
    content: &Value,
    hint: &str,
    at: &str,
) -> Option<StreamItems> {
    let essence = essence(media_type);
    let is_events = essence == EVENTS;
    if !is_events && !is_json_sequence(&essence) {
        return None;
    }
    let mut keys = ["itemSchema", "schema"].into_iter();
    let key = keys.find(|key| content.get(key).is_some())?;
    let hint = format!("{hint}{}", if is_events { "Event" } else { "Item" });
    let mut schema = reader.registry.place(&hint, &format!("{at}/{key}"));
    // `schema` is about the body: of lines, it may be the list of them.
    if let (Shape::List(items), false, "schema") = (&schema.shape, is_events, key) {
        schema = (**items).clone();
    }
    if is_events {
        events(reader, schema)
    } else {
        let is_described = !matches!(schema.shape, Shape::Any) && !schema.is_any_string();
        let form = EventForm::Data;
        is_described.then_some(StreamItems { schema, form })
    }
}

/// Returns the items of events with this schema; `None` if it does not describe them.
fn events(reader: &Reader<'_, '_>, schema: Place) -> Option<StreamItems> {
    let is_described = !matches!(schema.shape, Shape::Any) && !schema.is_file();
    let form = form(reader, &schema);
    is_described.then_some(StreamItems { schema, form })
}

/// Returns whether a body is events that the document does not describe.
pub(super) fn are_undescribed(media_type: &str, content: &Value) -> bool {
    let mut keys = ["schema", "itemSchema"].iter();
    essence(media_type) == EVENTS && keys.all(|key| content.get(key).is_none())
}

/// Returns the items of undescribed events, from the JSON body that the same response may have: it, or an element of its list.
pub(super) fn beside(reader: &Reader<'_, '_>, json: &Place) -> Option<StreamItems> {
    let items = reader.registry.resolved(json).unwrap_or(json).items();
    events(reader, items.unwrap_or(json).clone())
}

/// Returns the items that a client requests: those of the first stream, with all media types that have the same. A string may be a
/// description of the whole stream, so that any other description comes first.
pub(super) fn one(
    reader: &mut Reader<'_, '_>,
    at: &str,
    found: &mut Vec<(String, StreamItems)>,
) -> Option<StreamItems> {
    let mut described = found
        .iter()
        .filter(|(_, items)| items.form != EventForm::TextData);
    let events = described
        .clone()
        .find(|(media_type, _)| essence(media_type) == EVENTS);
    let (_, first) = events.or(described.next()).or(found.first())?.clone();
    let count = found.len();
    found.retain(|(_, items)| items.schema.shape == first.schema.shape);
    if found.len() < count {
        reader.notes.warn(
            "stream-items",
            at,
            "the media types of the stream have different items: the client requests one of them",
            "call the others with `Client::raw`",
        );
    }
    Some(first)
}

/// Returns whether a schema describes the whole event or its data: the first has no members but the fields of an event. Data is JSON, unless
/// it is a string.
fn form(reader: &Reader<'_, '_>, schema: &Place) -> EventForm {
    let Some(whole) = reader.registry.resolved(schema) else {
        return EventForm::Data;
    };
    if whole.is_string() {
        return EventForm::TextData;
    }
    let alternatives = match &whole.shape {
        Shape::Union { alternatives, .. } => alternatives,
        _ => std::slice::from_ref(whole),
    };
    let events: Option<Vec<Event>> = alternatives.iter().map(|one| event(reader, one)).collect();
    match events {
        None => EventForm::Data,
        Some(events) if events.iter().all(|event| event.is_text) => EventForm::Text,
        Some(events) => {
            let texts = events.into_iter().filter(|event| event.is_text);
            EventForm::Event(texts.flat_map(|event| event.types).collect())
        }
    }
}

/// An event that is described whole.
struct Event {
    types: Vec<String>,
    is_text: bool,
}

fn event(reader: &Reader<'_, '_>, place: &Place) -> Option<Event> {
    let Shape::Object(Object { properties, .. }) = &reader.registry.resolved(place)?.shape else {
        return None;
    };
    let event = properties.iter().find(|one| one.name == "event");
    let data = properties.iter().find(|one| one.name == "data");
    let mut names = properties.iter().map(|one| one.name.as_str());
    let is_event = names.all(|name| FIELDS.contains(&name)) && (event.is_some() || data.is_some());
    let types = event.and_then(|one| reader.registry.resolved(&one.place));
    let data = data.and_then(|one| reader.registry.resolved(&one.place));
    is_event.then(|| Event {
        types: match types.map(|types| &types.shape) {
            Some(Shape::Texts { values, .. }) => values.clone(),
            _ => Vec::new(),
        },
        is_text: data.is_some_and(|data| data.scalar() == Some(Scalar::Text)),
    })
}
