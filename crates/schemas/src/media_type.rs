//! Media types, by which bodies are read and written.

/// The media type of server-sent events.
pub const EVENTS: &str = "text/event-stream";

/// Returns a media type without its parameters, in lower case.
pub fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// Returns whether a media type is one JSON value. A sequence of values is not.
pub fn is_json(essence: &str) -> bool {
    ["application/json", "text/json"].contains(&essence)
        || essence.ends_with("+json") && !essence.ends_with("seq+json")
}

/// Returns whether a media type is a series of JSON values: one on each line, or each behind a record separator.
pub fn is_json_sequence(essence: &str) -> bool {
    let subtype = essence.strip_prefix("application/").unwrap_or_default();
    let known = [
        "jsonl",
        "x-jsonl",
        "jsonlines",
        "x-jsonlines",
        "ndjson",
        "x-ndjson",
        "json-lines",
        "json-seq",
    ];
    known.contains(&subtype) || subtype.ends_with("+json-seq")
}

/// Returns whether a media type is text, which includes XML.
pub fn is_text(essence: &str) -> bool {
    let is_xml = essence == "application/xml" || essence.ends_with("+xml");
    is_xml || essence.starts_with("text/") && !essence.contains('*')
}
