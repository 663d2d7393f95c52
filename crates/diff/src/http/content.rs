//! Bodies by media type, in requests, responses and the parameters that have them.

use openapi_document::json::members_of;
use openapi_schemas::media_type::{EVENTS, essence, is_json_sequence};
use serde_json::Value;

use super::documents::Documents;
use super::encodings::encodings;
use super::scope::Scope;
use crate::schemas::Form;
use crate::verdicts::{Both, Keyword, Marks, Rule, rules};
use openapi_schemas::reading::{Document, Site, read, types};

/// Keyword for the schema of a sequence's items.
const ITEMS: &str = "itemSchema";

/// Entry of `content`.
#[derive(Clone, Copy)]
struct Entry<'d> {
    name: &'d str,
    media: &'d Value,
}

fn entries(holder: &Value) -> Vec<Entry<'_>> {
    let all = members_of(holder, "content");
    all.map(|(name, media)| Entry { name, media }).collect()
}

/// Compares the `content` of two objects.
pub(super) fn content<'d>(documents: &mut Documents<'d>, scope: Scope, both: Both<'d>) {
    let (all_old, all_new) = (entries(both.old), entries(both.new));
    let (mut before, mut after) = (all_old.clone(), all_new.clone());
    // By the full name first, then without parameters.
    for is_same in [is_same_name, is_same_essence] {
        before.retain(|entry| {
            let found = after
                .iter()
                .position(|other| is_same(entry.name, other.name));
            if let Some(found) = found {
                let (old, new) = (entry.media, after.remove(found).media);
                media(documents, scope, entry.name, Both { old, new });
            }
            found.is_none()
        });
    }
    before.retain(|entry| {
        let special = after
            .iter()
            .position(|other| specialises(other.name, entry.name));
        if let Some(found) = special {
            let other = after.remove(found);
            became(documents, scope, &rules::MEDIA_TYPE_NARROWED, *entry, other);
            return false;
        }
        // A range that existed before covered this one; a range that is new covers more.
        let Some(other) = covering(&all_new, entry.name) else {
            return true;
        };
        let rule = if has_essence(&all_old, other.name) {
            &rules::NO_EFFECT
        } else {
            &rules::MEDIA_TYPE_WIDENED
        };
        after.retain(|known| known.name != other.name);
        became(documents, scope, rule, *entry, other);
        false
    });
    let mut narrowed: Vec<&str> = Vec::new();
    after.retain(|entry| {
        let Some(other) = covering(&all_old, entry.name) else {
            return true;
        };
        let rule = if has_essence(&all_new, other.name) {
            &rules::NO_EFFECT
        } else {
            &rules::MEDIA_TYPE_RESTRICTED
        };
        narrowed.push(other.name);
        became(documents, scope, rule, other, *entry);
        false
    });
    before.retain(|entry| !narrowed.contains(&entry.name));
    for Entry { name, media } in before {
        let marks = Marks::removed(media);
        documents.note(scope, &rules::MEDIA_TYPE_REMOVED, marks, || {
            format!("`{name}` is gone")
        });
    }
    for Entry { name, media } in after {
        documents.note(scope, &rules::MEDIA_TYPE_ADDED, Marks::added(media), || {
            format!("`{name}` is new")
        });
    }
}

/// Compares an entry that has another name, and the same messages or some of them.
fn became<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    rule: &'static Rule,
    old: Entry<'d>,
    new: Entry<'d>,
) {
    let both = Both::new(old.media, new.media);
    documents.note(scope, rule, both, || {
        format!("`{}` became `{}`", old.name, new.name)
    });
    media(documents, scope, old.name, both);
}

fn media<'d>(documents: &mut Documents<'d>, scope: Scope, name: &str, both: Both<'d>) {
    let Some(both) = documents.objects_of(scope, both) else {
        return;
    };
    let items = items(documents, name, both);
    let own_items = both.keyword(ITEMS);
    // One document describes the whole, the other one the items.
    let is_respelled = items.is_some() && own_items.old.is_none() != own_items.new.is_none();
    // Bytes have no schema since 3.1.
    if !(is_respelled || is_binary(name) && is_bytes(both.old) && is_bytes(both.new)) {
        let form = if names_any(name, &["multipart/", "x-www-form-urlencoded"]) {
            Form::Parts
        } else {
            Form::Data
        };
        documents.root_of(scope, both.keyword("schema"), form);
    }
    encodings(documents, scope, name, both);
    if let Some(items) = items {
        documents.root_of(scope, items, Form::Data);
    }
    let known = [
        "schema",
        "encoding",
        ITEMS,
        "prefixEncoding",
        "itemEncoding",
    ];
    documents.leftovers(scope, both, &known);
}

/// Returns the schemas of a sequence's items; `None` if neither document has one. Before 3.2 the `schema` of a sequence described its list,
/// or an item.
fn items<'d>(
    documents: &mut Documents<'d>,
    name: &str,
    both: Both<'d>,
) -> Option<Keyword<'static, 'd>> {
    let mut items = both.keyword(ITEMS);
    let schema = both.keyword("schema");
    match (items.old, items.new) {
        (None, None) => return None,
        _ if !is_sequence(name) => {}
        (Some(_), None) if schema.old.is_none() => {
            items.new = (schema.new).and_then(|schema| item(&mut documents.schemas.new, schema));
        }
        (None, Some(_)) if schema.new.is_none() => {
            items.old = (schema.old).and_then(|schema| item(&mut documents.schemas.old, schema));
        }
        _ => {}
    }
    Some(items)
}

/// Returns the schema of a sequence's items, by that of the whole.
fn item<'d>(side: &mut Document<'d>, schema: &'d Value) -> Option<&'d Value> {
    let flat = read(side, &Site::new(Some(schema), schema));
    if flat.types == types::ARRAY {
        flat.first("items")
    } else {
        Some(schema)
    }
}

/// Returns whether bodies of a media type are sequences of items.
fn is_sequence(name: &str) -> bool {
    let name = essence(name);
    name == EVENTS || is_json_sequence(&name) || name.starts_with("multipart/")
}

/// Returns whether a media type has one of these parts in its name.
fn names_any(name: &str, parts: &[&str]) -> bool {
    let name = essence(name);
    parts.iter().any(|part| name.contains(part))
}

/// Returns whether a media type is among the entries, whatever its parameters.
fn has_essence(entries: &[Entry<'_>], name: &str) -> bool {
    entries
        .iter()
        .any(|known| is_same_essence(known.name, name))
}

/// Returns the range of an `Accept` header that contains a media type.
fn covering<'d>(entries: &[Entry<'d>], name: &str) -> Option<Entry<'d>> {
    let name = essence(name);
    let kind = name.split_once('/').map_or("", |(kind, _)| kind);
    let ranges = [format!("{kind}/*"), "*/*".to_owned()];
    let mut wider = ranges.iter().filter(|range| **range != name);
    wider.find_map(|range| {
        let found = entries.iter().find(|known| essence(known.name) == *range);
        found.copied()
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

/// Returns whether a media type says no more than that there are bytes.
fn is_bytes(media: &Value) -> bool {
    let Some(schema) = media.get("schema") else {
        return true;
    };
    schema.as_object().is_some_and(|map| {
        map.iter().all(|(keyword, value)| match keyword.as_str() {
            "type" => value == "string",
            "format" => value == "binary",
            "contentMediaType" => true,
            _ => false,
        })
    })
}

fn is_same_name(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

fn is_same_essence(one: &str, other: &str) -> bool {
    essence(one) == essence(other)
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
