//! Adapts an update to the form of its location in the new document: removes the parts that are there already in a form into which an update
//! cannot be merged.

use std::collections::BTreeSet;

use openapi_document::pointer;
use openapi_document::resolver::target;
use openapi_overlay::lists::{self, settle};
use openapi_overrides::has_property;
use serde_json::{Map, Value};

use super::agreement::{agrees, is_aside};
use super::correspondence::Correspondence;
use super::moved::Cause;
use super::outcome::Documents;
use super::resolution_path::{resolution_path, whole_schema};

/// Removes types that the new document lists among others, as a nullable schema of 3.1 does, and enum values and parameters that it
/// has already. Required properties get their new names; `causes` gets the renamed ones.
pub(super) fn fitted(
    to: &Correspondence<'_>,
    documents: &Documents<'_>,
    (old, new): (&str, &str),
    update: &Value,
    causes: &mut BTreeSet<Cause>,
) -> Value {
    let Value::Object(map) = update else {
        return update.clone();
    };
    let mut kept = Map::new();
    let now = documents.now(to, new);
    let promised = promised(to, (old, new), map);
    for (key, value) in map {
        let there = to.new.pointer(new).and_then(|node| node.get(key));
        // The override writes again what it removes first.
        let is_gone = documents.new.pointer(&pointer::join(&now, key)).is_none();
        if there.is_some() && is_gone {
            kept.insert(key.clone(), value.clone());
            continue;
        }
        // `allOf` of an update is appended to the parts that are there.
        let is_appended = there.is_none() || key == "allOf";
        if is_appended && is_said_inside(to, documents, new, key, value) {
            continue;
        }
        let left = match (key.as_str(), value, there) {
            ("required", Value::Array(names), _) => {
                let left = required(to, documents, (old, new), names, causes);
                // What the document promises is no assumption any more.
                if names.iter().any(|name| promised.contains(name)) {
                    causes.insert(Cause::Agreed);
                }
                without(left, &promised).map(Value::from)
            }
            // The list of the document is no assumption, so the names are listed.
            ("x-assumed", Value::Array(_), _) if !promised.is_empty() => {
                assumed(to, documents, (old, new), map, &promised).map(Value::from)
            }
            // The names beside that of the document: its new one is none of them, and its old one is.
            ("x-aliases", Value::Array(names), _) => {
                aliases(to, documents, (old, new), names, causes)
            }
            // One of several names of a property is required, and the new document has only one of them.
            ("anyOf", Value::Array(all), _) if only_name(documents.new, &now, all).is_some() => {
                let name = only_name(documents.new, &now, all).map(Value::from);
                let required = kept
                    .entry("required")
                    .or_insert_with(|| Vec::<Value>::new().into());
                if let Value::Array(required) = required {
                    required.extend(name);
                }
                causes.insert(Cause::Agreed);
                None
            }
            ("type", Value::String(_), Some(Value::Array(types))) if types.contains(value) => None,
            ("enum", Value::Array(values), Some(Value::Array(list))) => {
                let left = values.iter().filter(|one| !list.contains(one));
                let left: Vec<Value> = left.cloned().collect();
                (!left.is_empty()).then(|| left.into())
            }
            ("parameters", Value::Array(all), Some(Value::Array(list))) => {
                let left = parameters(to, documents, (old, new), all, list);
                (!left.is_empty() || all.is_empty()).then(|| left.into())
            }
            (_, Value::Object(_), Some(Value::Object(_))) => {
                let (old, new) = (pointer::join(old, key), pointer::join(new, key));
                let below = fitted(to, documents, (&old, &new), value, causes);
                (&below == value || !is_empty(&below)).then_some(below)
            }
            _ => Some(value.clone()),
        };
        kept.extend(left.map(|left| (key.clone(), left)));
    }
    kept.into()
}

/// Returns the required properties of a schema of the new document, if it requires more than the old one and an update assumes some.
fn promised(
    to: &Correspondence<'_>,
    (old, new): (&str, &str),
    update: &Map<String, Value>,
) -> Vec<Value> {
    let list = |root: &Value, at: &str| root.pointer(at)?.get("required")?.as_array().cloned();
    let before = list(to.old, old).unwrap_or_default();
    let now = list(to.new, new).filter(|now| now.iter().any(|name| !before.contains(name)));
    now.filter(|_| update.contains_key("x-assumed"))
        .unwrap_or_default()
}

/// Returns the names that an update assumes and the new document does not promise. `None` if no name is left.
fn assumed(
    to: &Correspondence<'_>,
    documents: &Documents<'_>,
    pair: (&str, &str),
    update: &Map<String, Value>,
    promised: &[Value],
) -> Option<Vec<Value>> {
    let list = |key: &str| update.get(key)?.as_array();
    let names = list("required").map_or(&[][..], Vec::as_slice);
    let left = required(to, documents, pair, names, &mut BTreeSet::new());
    let left = without(left, promised).into_iter().flatten();
    let alternatives = list("anyOf").and_then(|all| required_names(all));
    let alternatives = alternatives.into_iter().flatten().map(Value::from);
    let all: Vec<Value> = left.chain(alternatives).collect();
    (!all.is_empty()).then_some(all)
}

/// Returns the names that are not promised. `None` if no name is left.
fn without(names: Option<Vec<Value>>, promised: &[Value]) -> Option<Vec<Value>> {
    let all = names?;
    let left: Vec<Value> = all
        .iter()
        .filter(|name| !promised.contains(name))
        .cloned()
        .collect();
    (left.len() == all.len() || !left.is_empty()).then_some(left)
}

/// Returns the other names of a property, which the new document may have renamed. A name that only the new document has as a property is an
/// alias no more: one of the two would swallow the other. `None` if no name is left.
fn aliases(
    to: &Correspondence<'_>,
    documents: &Documents<'_>,
    (old, new): (&str, &str),
    names: &[Value],
    causes: &mut BTreeSet<Cause>,
) -> Option<Value> {
    let owners = owner(old).zip(owner(new));
    let is_new = |name: &str| {
        owners.is_some_and(|(before, after)| {
            let was = settle(to.old, documents.old, before).0;
            has(to.new, after, name) && !has(documents.old, &was, name)
        })
    };
    let both = pointer::split_last(old).zip(pointer::split_last(new));
    let renamed = both.filter(|((_, was), (_, now))| was != now);
    let (was, now) = renamed.map(|((_, was), (_, now))| (was, now)).unzip();
    let own = names
        .iter()
        .filter(|name| now != name.as_str().map(str::to_owned));
    let (taken, own): (Vec<&Value>, Vec<&Value>) =
        own.partition(|name| name.as_str().is_some_and(is_new));
    if !taken.is_empty() {
        causes.insert(Cause::Agreed);
    }
    let left = own.into_iter().cloned().chain(was.map(Value::from));
    let left: Vec<Value> = left.collect();
    (taken.is_empty() || !left.is_empty()).then(|| left.into())
}

/// Returns the schema that has a property, with all parts of its `allOf`.
fn owner(property: &str) -> Option<&str> {
    let (properties, _) = pointer::split_last(property)?;
    properties.strip_suffix("/properties").map(whole_schema)
}

/// Returns the required names: a property that the new document lacks is required by its new name, or not any more.
/// `None` if no name is left.
fn required(
    to: &Correspondence<'_>,
    documents: &Documents<'_>,
    (old, new): (&str, &str),
    names: &[Value],
    causes: &mut BTreeSet<Cause>,
) -> Option<Vec<Value>> {
    let was = settle(to.old, documents.old, old).0;
    let now = documents.now(to, new);
    let gone = |name: &str| has(documents.old, &was, name) && !has(documents.new, &now, name);
    let mut left: Vec<Value> = Vec::new();
    for name in names {
        let text = name.as_str().unwrap_or_default();
        if !gone(text) {
            left.push(name.clone());
        } else if let Some(successor) = successor(to, (old, new), name)
            && !names.iter().any(|name| name == successor)
        {
            causes.insert(Cause::Property {
                old: text.to_owned(),
                new: successor.to_owned(),
            });
            left.push(successor.into());
        }
    }
    (left.len() == names.len() || !left.is_empty()).then_some(left)
}

/// Returns the parameters that the new document still lacks.
fn parameters(
    to: &Correspondence<'_>,
    documents: &Documents<'_>,
    (old, new): (&str, &str),
    all: &[Value],
    list: &[Value],
) -> Vec<Value> {
    let at = pointer::join(new, "parameters");
    let had = to.old.pointer(&pointer::join(old, "parameters"));
    let had = had.and_then(Value::as_array);
    let is_known = |one: &&Value| {
        let wanted = lists::key(documents.new, one);
        let has = |root: &Value, list: &[Value]| {
            let mut keys = list.iter().map(|one| lists::key(root, one));
            keys.any(|key| key.is_some() && key == wanted)
        };
        has(to.new, list)
            && !had.is_some_and(|had| has(to.old, had))
            && agrees(
                to.new,
                documents.new,
                &at,
                &Value::Array(vec![(*one).clone()]),
            )
    };
    all.iter().filter(|one| !is_known(one)).cloned().collect()
}

/// Returns the only name in alternatives that the schema at a location has; `None` if it has none or several.
fn only_name<'v>(root: &Value, at: &str, alternatives: &'v [Value]) -> Option<&'v str> {
    let names = required_names(alternatives)?;
    let mut there = names.into_iter().filter(|name| has(root, at, name));
    let only = there.next()?;
    there.next().is_none().then_some(only)
}

/// Returns the names in alternatives that only require one property each.
fn required_names(alternatives: &[Value]) -> Option<Vec<&str>> {
    let names = alternatives.iter().map(|one| {
        let map = one.as_object().filter(|map| map.len() == 1)?;
        match map.get("required")?.as_array()?.as_slice() {
            [name] => name.as_str(),
            _ => None,
        }
    });
    names.collect()
}

/// Returns the new name of a property: the only new property with the same schema, including documentation. A schema that is only a
/// type identifies a property only if no other was added or removed.
fn successor<'t>(
    to: &'t Correspondence<'_>,
    (old, new): (&str, &str),
    name: &Value,
) -> Option<&'t str> {
    let all = |root: &'t Value, at: &str| {
        let nodes = resolution_path(root, at);
        let mut owners = nodes.iter().filter_map(|node| root.pointer(node));
        owners.find_map(|owner| owner.get("properties")?.as_object())
    };
    let (before, after) = (all(to.old, old)?, all(to.new, new)?);
    let schema = before.get(name.as_str()?)?;
    let is_bare =
        schema.get("type").is_some() && schema.as_object().is_some_and(|one| one.len() == 1);
    let only = |some: &'t Map<String, Value>, others: &'t Map<String, Value>| {
        let mut like = some.iter().filter(|(name, one)| {
            !others.contains_key(name.as_str()) && (is_bare || *one == schema)
        });
        let first = like.next()?;
        like.next().is_none().then_some(first)
    };
    only(before, after)?;
    let (successor, is) = only(after, before)?;
    (is == schema).then_some(successor)
}

/// Returns whether the schema at a location has a property.
fn has(root: &Value, at: &str, name: &str) -> bool {
    root.pointer(at)
        .is_some_and(|schema| has_property(root, schema, name))
}

/// Returns whether the schema that a location wraps or refers to has a keyword, or is the target of the keyword.
fn is_said_inside(
    to: &Correspondence<'_>,
    documents: &Documents<'_>,
    at: &str,
    key: &str,
    value: &Value,
) -> bool {
    let target = refers(key, value).and_then(|text| target(to.new, text));
    if target.is_some_and(|target| target.pointer == at) {
        return true;
    }
    let nodes = resolution_path(to.new, at);
    if nodes.len() < 2 || is_aside(key) {
        return false;
    }
    if matches!(key, "$ref" | "allOf") {
        let mut one = Map::new();
        one.insert(key.to_owned(), value.clone());
        return agrees(to.new, documents.new, at, &one.into());
    }
    let holder = nodes.iter().skip(1).find(|node| {
        to.new
            .pointer(node)
            .is_some_and(|node| node.get(key).is_some())
    });
    holder.is_some_and(|node| agrees(to.new, documents.new, &pointer::join(node, key), value))
}

/// Returns the reference that a keyword contains.
fn refers<'v>(key: &str, value: &'v Value) -> Option<&'v str> {
    match (key, value.as_array().map(Vec::as_slice)) {
        ("$ref", _) => value.as_str(),
        ("allOf", Some([only])) => only.get("$ref")?.as_str(),
        _ => None,
    }
}

/// Returns the parameters of an update that the new document already has: its own are removed first, because an update appends to a list.
pub(super) fn replaced(
    to: &Correspondence<'_>,
    documents: &Documents<'_>,
    old: &str,
    new: &str,
    update: &Value,
) -> Vec<String> {
    let listed = |root: &Value, at: &str| -> Vec<Option<(String, String)>> {
        let list = root
            .pointer(at)
            .and_then(|node| node.get("parameters")?.as_array());
        let list = list.into_iter().flatten();
        list.map(|one| lists::key(root, one)).collect()
    };
    let (had, has) = (listed(to.old, old), listed(to.new, new));
    let written = update.get("parameters").and_then(Value::as_array);
    let written = written.into_iter().flatten();
    written
        .filter_map(|one| {
            let wanted = Some(lists::key(documents.new, one)?);
            if had.contains(&wanted) {
                return None;
            }
            let index = has.iter().position(|known| *known == wanted)?;
            Some(format!("{new}/parameters/{index}"))
        })
        .collect()
}

/// Returns whether an update is empty.
pub(super) fn is_empty(update: &Value) -> bool {
    update.as_object().is_some_and(Map::is_empty)
}
