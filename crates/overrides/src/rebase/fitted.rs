//! Adapts an update to its location in the new document: names of properties, and a type that is one of a list.

use std::collections::BTreeSet;

use openapi_document::pointer;
use openapi_document::readable::shortened;
use openapi_overlay::lists;
use openapi_overlay::lists::settle;
use openapi_schemas::reading::{Document, resolution_path};
use serde_json::{Map, Value};

use super::correspondence::Correspondence;
use super::moved::{Doubt, Likely};
use super::outcome::{Documents, Pairing};
use super::pointers::{member, property, whole_schema};
use super::said::{Said, part_of, peeled};
use crate::judge::meant;
use crate::required::has_property;

/// Returns the update for a pair of locations. Required properties and aliases get their new names.
pub(super) fn fitted(
    documents: &Documents<'_>,
    pair: &Pairing,
    update: &Value,
    doubts: &mut BTreeSet<Doubt>,
) -> Value {
    let Value::Object(map) = update else {
        return update.clone();
    };
    let to = documents.to;
    let mut kept = Map::new();
    let is_reference = refers_already(to, &pair.new, update);
    for (key, value) in map {
        if is_reference && Said::is_part(key) {
            continue;
        }
        let there = to.new.pointer(&pair.new).and_then(|node| node.get(key));
        let (old, new) = (pointer::join(&pair.old, key), pointer::join(&pair.new, key));
        if let Some(there) = there.filter(|_| documents.replaced.is_said(to, &old, &new)) {
            kept.extend(extensions(value, there).map(|left| (key.clone(), left.into())));
            continue;
        }
        if let Some(left) = there.and_then(|there| unsaid(to, pair, (key, value), there, doubts)) {
            kept.extend(left.map(|left| (key.clone(), left)));
            continue;
        }
        let left = match (key.as_str(), value, there) {
            ("parameters", Value::Array(added), _) => {
                parameters(documents, (&old, &new), added, doubts)
            }
            ("required", Value::Array(names), _) => Some(required(to, pair, names)),
            (key, Value::Array(parts), _) if Said::is_choice(key) => {
                Some(alternatives(documents, pair, parts, doubts))
            }
            // The names beside that of the document: its new one is none of them, and its old one is.
            ("x-aliases", Value::Array(names), _) => aliases(documents, pair, names),
            // An update would be appended to the list, unless an action before it removes that.
            ("type", Value::String(_), Some(Value::Array(types)))
                if types.contains(value) && !documents.replaced.has(&old) =>
            {
                None
            }
            (_, Value::Object(_), Some(Value::Object(_))) => {
                let below = Pairing { old, new };
                let below = fitted(documents, &below, value, doubts);
                (&below == value || !is_empty(&below)).then_some(below)
            }
            _ => Some(value.clone()),
        };
        kept.extend(left.map(|left| (key.clone(), left)));
    }
    for (key, value) in map {
        if Said::is_choice(key) && value.as_array().is_some_and(|parts| parts.len() > 1) {
            require_only_alternative(&mut kept, key);
        }
    }
    kept.into()
}

/// Returns whether a place of the new document refers to the only schema that an update makes it one with.
fn refers_already(to: &Correspondence<'_>, at: &str, update: &Value) -> bool {
    let path = resolution_path(to.new, at);
    let part = part_of(update);
    part.is_some_and(|part| path.iter().skip(1).any(|node| node == part))
}

/// Requires what the only alternative that is left requires, if it says nothing else: nothing reads `required` in a single alternative.
fn require_only_alternative(schema: &mut Map<String, Value>, key: &str) {
    let Some([Value::Object(only)]) = schema.get(key).and_then(Value::as_array).map(Vec::as_slice)
    else {
        return;
    };
    let Some(Value::Array(names)) = only.get("required").filter(|_| only.len() == 1).cloned()
    else {
        return;
    };
    schema.shift_remove(key);
    let required = schema
        .entry("required")
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(required) = required {
        required.extend(names);
    }
}

/// Returns the parts of a schema in the terms of the new document, each once: two names may have become one.
fn alternatives(
    documents: &Documents<'_>,
    pair: &Pairing,
    parts: &[Value],
    doubts: &mut BTreeSet<Doubt>,
) -> Value {
    let mut left: Vec<Value> = Vec::new();
    for part in parts {
        let part = fitted(documents, pair, part, doubts);
        if !left.contains(&part) && !requires_what_is_gone(documents.to, pair, &part) {
            left.push(part);
        }
    }
    left.into()
}

/// Returns whether an alternative only requires properties that the new document has lost: nothing can say that they are there.
fn requires_what_is_gone(to: &Correspondence<'_>, pair: &Pairing, part: &Value) -> bool {
    let Some(map) = part.as_object().filter(|map| map.len() == 1) else {
        return false;
    };
    let names = map.get("required").and_then(Value::as_array);
    let (was, now) = (whole_schema(&pair.old), whole_schema(&pair.new));
    names.is_some_and(|names| {
        let mut names = names.iter().filter_map(Value::as_str);
        names.all(|name| has(to.old, was, name) && !has(to.new, now, name))
    })
}

/// Returns what is left of a member that an update adds and the new document has now, too: extensions. `None` for a member that both documents
/// have.
fn unsaid(
    to: &Correspondence<'_>,
    Pairing { old, new }: &Pairing,
    (key, value): (&str, &Value),
    there: &Value,
    doubts: &mut BTreeSet<Doubt>,
) -> Option<Option<Value>> {
    let (Some(wanted), Some(_)) = (value.as_object(), there.as_object()) else {
        return None;
    };
    if to.old.pointer(&pointer::join(old, key)).is_some() {
        return None;
    }
    let mut left = extensions(value, there).unwrap_or_default();
    let mut said = wanted.clone();
    said.retain(|key, _| !left.contains_key(key));
    let said = said.into();
    if meant(&said) != meant(there) {
        // A property of another type is another one, and anything else may lead elsewhere.
        if !new.ends_with("/properties") || !has_one_type(to.new, &said, there) {
            return None;
        }
        doubts.insert(in_other_words(key, there));
    }
    // Names that the document had for it are kept like those of any renamed property.
    if let Some(Value::Array(names)) = left.get_mut("x-aliases") {
        names.retain(|name| {
            let name = name.as_str().unwrap_or_default();
            member(to.old, old, name).is_none() || member(to.new, new, name).is_some()
        });
        if names.is_empty() {
            left.shift_remove("x-aliases");
        }
    }
    Some((!left.is_empty()).then(|| left.into()))
}

/// Returns the extensions of an object that another one lacks; `None` without any.
fn extensions(value: &Value, there: &Value) -> Option<Map<String, Value>> {
    let mut left = value.as_object()?.clone();
    left.retain(|key, _| key.starts_with("x-") && there.get(key).is_none());
    (!left.is_empty()).then_some(left)
}

/// Returns whether two schemas have the same types, whether null is one of them or not.
fn has_one_type(root: &Value, one: &Value, other: &Value) -> bool {
    let mut document = Document::new(root);
    let both = peeled(&mut document, one).zip(peeled(&mut document, other));
    both.is_some_and(|(one, other)| one.has_types_of(&other, true))
}

/// Returns the parameters that an update adds and the new document lacks; `None` if it has all of them now.
fn parameters(
    documents: &Documents<'_>,
    (old, new): (&str, &str),
    added: &[Value],
    doubts: &mut BTreeSet<Doubt>,
) -> Option<Value> {
    let (to, mut left) = (documents.to, Vec::new());
    for one in added {
        let key = lists::key(to.new, one).or_else(|| lists::key(to.old, one));
        match (position(to.old, old, &key), position(to.new, new, &key)) {
            (Some(was), Some(now)) if documents.replaced.is_said(to, &was, &now) => {}
            (None, Some(now)) if key.is_some() => {
                let there = to.new.pointer(&now).unwrap_or(&Value::Null);
                if meant(one) != meant(there) {
                    doubts.insert(in_other_words(&key.unwrap_or_default().1, there));
                }
            }
            _ => left.push(one.clone()),
        }
    }
    (!left.is_empty()).then(|| left.into())
}

/// Returns the pointer of the parameter with a key in a list.
fn position(root: &Value, list: &str, key: &Option<(String, String)>) -> Option<String> {
    let mut all = root.pointer(list)?.as_array()?.iter();
    let index = all.position(|one| lists::key(root, one) == *key)?;
    Some(format!("{list}/{index}"))
}

/// Describes a value of the new document that an override would have added in another form.
pub(super) fn in_other_words(name: &str, there: &Value) -> Doubt {
    const LONGEST: usize = 60;
    let there = shortened(&there.to_string(), LONGEST);
    Doubt {
        kind: Likely::Said,
        text: format!("the document has `{name}` itself now, as {there}, and the crate follows it"),
    }
}

/// Returns the other names of a property, which the new document may have renamed. A name that only the new document has as a property is an
/// alias no more: one of the two would swallow the other. `None` if no name is left.
fn aliases(
    documents: &Documents<'_>,
    Pairing { old, new }: &Pairing,
    names: &[Value],
) -> Option<Value> {
    let owners = owner(old).zip(owner(new));
    let owners = owners.map(|(was, now)| (settle(documents.to.old, documents.old, was).0, now));
    let both = pointer::split_last(old).zip(pointer::split_last(new));
    let renamed = both.filter(|((_, was), (_, now))| was != now);
    let (was, now) = renamed.map(|((_, was), (_, now))| (was, now)).unzip();
    let (mut left, mut is_taken) = (Vec::new(), false);
    for name in names {
        let text = name.as_str().unwrap_or_default();
        let is_new = owners.as_ref().is_some_and(|(was, now)| {
            has(documents.to.new, now, text) && !has(documents.old, was, text)
        });
        is_taken |= is_new;
        if !is_new && now.as_deref() != Some(text) {
            left.push(name.clone());
        }
    }
    left.extend(was.map(Value::from));
    (!is_taken || !left.is_empty()).then(|| left.into())
}

/// Returns the schema that has a property, with all parts of its `allOf`.
fn owner(at: &str) -> Option<&str> {
    property(at).map(|(schema, _)| whole_schema(schema))
}

/// Returns the required names, each as the new document calls the property.
fn required(to: &Correspondence<'_>, pair: &Pairing, names: &[Value]) -> Value {
    let owners = resolution_path(to.old, &pair.old);
    let mut required = Vec::new();
    for name in names {
        let was = name.as_str().unwrap_or_default();
        let slot = owners.iter().find_map(|owner| {
            let properties = pointer::join(owner, "properties");
            to.slots.get(&pointer::join(&properties, was))?.first()
        });
        let now = slot.and_then(|slot| pointer::split_last(slot));
        required.push(now.map_or_else(|| name.clone(), |(_, now)| now.into()));
    }
    required.into()
}

/// Returns whether the schema at a location has a property.
fn has(root: &Value, at: &str, name: &str) -> bool {
    root.pointer(at)
        .is_some_and(|schema| has_property(root, schema, name))
}

/// Returns whether an update is empty.
pub(super) fn is_empty(update: &Value) -> bool {
    update.as_object().is_some_and(Map::is_empty)
}
