//! Bodies by media type, in requests, responses and the parameters that have them.

use serde_json::Value;

use super::documents::Documents;
use super::encodings::encodings;
use super::scope::{Both, Scope};
use crate::schemas::Form;
use crate::verdicts::{Mark, Rule, rules};
use openapi_schemas::reading::{Site, read, types};

/// Keyword for the schema of a sequence's items.
const ITEMS: &str = "itemSchema";

/// Compares the `content` of two objects.
pub(super) fn content<'d>(documents: &mut Documents<'d>, scope: Scope, ways: u8, both: Both<'d>) {
    let entries = |value: &'d Value| -> Vec<(&'d str, &'d Value)> {
        let map = value.get("content").and_then(Value::as_object);
        map.into_iter()
            .flatten()
            .map(|(name, media)| (name.as_str(), media))
            .collect()
    };
    let (mut before, mut after) = (entries(both.0), entries(both.1));
    // By the full name first, then without parameters.
    for same in [
        |a: &str, b: &str| a.eq_ignore_ascii_case(b),
        |a: &str, b: &str| essence(a) == essence(b),
    ] {
        before.retain(
            |(name, a)| match after.iter().position(|(other, _)| same(name, other)) {
                Some(found) => {
                    let (_, b) = after.remove(found);
                    media(documents, scope, ways, name, (a, b));
                    false
                }
                None => true,
            },
        );
    }
    let all = (entries(both.0), entries(both.1));
    before.retain(|(name, a)| {
        let special = after.iter().position(|(other, _)| specialises(other, name));
        if let Some(found) = special {
            let (other, b) = after.remove(found);
            let rule = &rules::MEDIA_TYPE_NARROWED;
            became(documents, scope, ways, rule, (name, *a), (other, b));
            return false;
        }
        // A range that existed before covered this one; a range that is new covers more.
        let Some((other, b)) = covering(&all.1, name) else {
            return true;
        };
        let rule = if has_essence(&all.0, other) {
            &rules::NO_EFFECT
        } else {
            &rules::MEDIA_TYPE_WIDENED
        };
        after.retain(|(known, _)| *known != other);
        became(documents, scope, ways, rule, (name, *a), (other, b));
        false
    });
    let mut narrowed: Vec<&str> = Vec::new();
    after.retain(|(name, b)| {
        let Some((other, a)) = covering(&all.0, name) else {
            return true;
        };
        let rule = if has_essence(&all.1, other) {
            &rules::NO_EFFECT
        } else {
            &rules::MEDIA_TYPE_RESTRICTED
        };
        narrowed.push(other);
        became(documents, scope, ways, rule, (other, a), (name, *b));
        false
    });
    before.retain(|(name, _)| !narrowed.contains(name));
    for (name, a) in before {
        documents.gone(scope.by(ways), &rules::MEDIA_TYPE_REMOVED, a, || {
            format!("`{name}` is gone")
        });
    }
    for (name, b) in after {
        documents.come(scope.by(ways), &rules::MEDIA_TYPE_ADDED, b, || {
            format!("`{name}` is new")
        });
    }
}

/// Compares an entry that has another name, and the same messages or some of them.
fn became<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    ways: u8,
    rule: &'static Rule,
    (name, a): (&str, &'d Value),
    (other, b): (&str, &'d Value),
) {
    let marks = (Mark::at(a), Mark::at(b));
    documents.note(scope.by(ways), rule, marks.0, marks.1, || {
        format!("`{name}` became `{other}`")
    });
    media(documents, scope, ways, name, (a, b));
}

fn media<'d>(documents: &mut Documents<'d>, scope: Scope, ways: u8, name: &str, (a, b): Both<'d>) {
    let Some((a, b)) = documents.objects_of(scope, ways, a, b) else {
        return;
    };
    let site = |media: &'d Value| Site::new(media.get("schema"), media);
    let is_bytes = |media: &'d Value| media.get("schema").is_none_or(is_bytes);
    let items = items(documents, name, (a, b));
    // One document describes the whole, the other one the items.
    let is_respelled = items.is_some() && a.get(ITEMS).is_none() != b.get(ITEMS).is_none();
    // Bytes have no schema since 3.1.
    if !(is_respelled || is_binary(name) && is_bytes(a) && is_bytes(b)) {
        let form = if essence(name).starts_with("multipart/") {
            Form::Parts
        } else {
            Form::Data
        };
        documents
            .schemas
            .root(scope.operation, site(a), site(b), form, ways);
    }
    encodings(documents, scope, ways, name, (a, b));
    if let Some((x, y)) = items {
        let (x, y) = (Site::new(x, a), Site::new(y, b));
        let schemas = &mut documents.schemas;
        schemas.root(scope.operation, x, y, Form::Data, ways);
    }
    let known = [
        "schema",
        "encoding",
        ITEMS,
        "prefixEncoding",
        "itemEncoding",
    ];
    documents.leftovers(&[scope.operation], ways, (a, b), &known);
}

/// Returns the schemas of a sequence's items; `None` if neither document has one. Before 3.2 the `schema` of a sequence described its list,
/// or an item.
fn items<'d>(
    documents: &mut Documents<'d>,
    name: &str,
    (a, b): Both<'d>,
) -> Option<(Option<&'d Value>, Option<&'d Value>)> {
    let said = (a.get(ITEMS), b.get(ITEMS));
    let schemas = &mut documents.schemas;
    let (other, side) = match said {
        (None, None) => return None,
        (Some(_), None) if a.get("schema").is_none() => (b, &mut schemas.new),
        (None, Some(_)) if b.get("schema").is_none() => (a, &mut schemas.old),
        _ => return Some(said),
    };
    let Some(schema) = other.get("schema").filter(|_| is_sequence(name)) else {
        return Some(said);
    };
    let flat = read(side, &Site::new(Some(schema), schema));
    let found = if flat.types == types::ARRAY {
        flat.first("items")
    } else {
        Some(schema)
    };
    Some((said.0.or(found), said.1.or(found)))
}

/// Returns whether bodies of a media type are sequences of items.
fn is_sequence(name: &str) -> bool {
    names_any(
        name,
        &[
            "event-stream",
            "jsonl",
            "json-lines",
            "jsonlines",
            "ndjson",
            "json-seq",
            "multipart/",
        ],
    )
}

/// Returns whether a media type has one of these parts in its name.
fn names_any(name: &str, parts: &[&str]) -> bool {
    let name = essence(name);
    parts.iter().any(|part| name.contains(part))
}

/// Returns whether a media type is among the entries, whatever its parameters.
fn has_essence(entries: &[(&str, &Value)], name: &str) -> bool {
    let name = essence(name);
    entries.iter().any(|(known, _)| essence(known) == name)
}

/// Returns the range of an `Accept` header that contains a media type.
fn covering<'d>(entries: &[(&'d str, &'d Value)], name: &str) -> Option<(&'d str, &'d Value)> {
    let name = essence(name);
    let kind = name.split_once('/').map_or("", |(kind, _)| kind);
    let ranges = [format!("{kind}/*"), "*/*".to_owned()];
    let mut wider = ranges.iter().filter(|range| **range != name);
    wider.find_map(|range| {
        let mut known = entries.iter();
        known.find(|(other, _)| essence(other) == *range).copied()
    })
}

/// Returns whether bodies of a media type have no structure that a schema could describe.
fn is_binary(name: &str) -> bool {
    !names_any(
        name,
        &[
            "json",
            "xml",
            "yaml",
            "form",
            "multipart",
            "text",
            "*",
            "event-stream",
        ],
    )
}

/// Returns whether a schema says no more than that there are bytes.
fn is_bytes(schema: &Value) -> bool {
    schema.as_object().is_some_and(|map| {
        map.iter().all(|(keyword, value)| match keyword.as_str() {
            "type" => value == "string",
            "format" => value == "binary",
            "contentMediaType" => true,
            _ => false,
        })
    })
}

/// Returns a media type without its parameters.
fn essence(name: &str) -> String {
    name.split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase()
}

/// Returns whether one media type specialises another: `application/problem+json` is JSON.
fn specialises(special: &str, general: &str) -> bool {
    let (special, general) = (essence(special), essence(general));
    let Some((_, syntax)) = general.split_once('/') else {
        return false;
    };
    special.split_once('/').is_some_and(|(_, name)| {
        name.rsplit_once('+')
            .is_some_and(|(_, suffix)| suffix == syntax)
    })
}
