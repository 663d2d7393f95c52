//! What an override writes, with the references, paths, ids and names of the new document.

use std::collections::BTreeMap;

use openapi_document::pointer;
use serde_json::{Map, Value};

use super::chain::{component, component_of};
use super::correspondence::{Correspondence, show};
use super::nulls::is_null;

/// A value that an override writes, in the terms of the new document.
#[derive(Debug, Default)]
pub(super) struct Written<'t> {
    /// The new document as earlier overrides left it: what is written out of it has what they say.
    pub(super) now: Option<&'t Value>,
    /// Components that the value has written out, each with where.
    pub(super) copies: Vec<(String, String)>,
    /// Why it cannot be said in these terms.
    pub(super) lost: Vec<String>,
    /// Places of the new document that it refers to, which may be likely only.
    pub(super) refers: Vec<(String, String)>,
    /// Ids of operations that it names, before and after.
    pub(super) ids: Vec<(String, String)>,
}

impl Correspondence<'_> {
    /// The value in the terms of the new document. `target` is the place of the old document that it is written to.
    pub(super) fn written(&self, value: &Value, target: &str, notes: &mut Written<'_>) -> Value {
        let mut tokens = pointer::tokens(target);
        let path = tokens
            .next()
            .filter(|first| first == "paths")
            .and(tokens.next());
        let names = path.map(|path| self.names(&path)).unwrap_or_default();
        self.value(value, target, &names, notes)
    }

    fn value(
        &self,
        value: &Value,
        at: &str,
        names: &BTreeMap<String, String>,
        notes: &mut Written<'_>,
    ) -> Value {
        match value {
            Value::Array(items) => items
                .iter()
                .map(|item| self.value(item, &format!("{at}/0"), names, notes))
                .collect(),
            Value::Object(map) => self.object(map, at, names, notes),
            other => other.clone(),
        }
    }

    fn object(
        &self,
        map: &Map<String, Value>,
        at: &str,
        names: &BTreeMap<String, String>,
        notes: &mut Written<'_>,
    ) -> Value {
        let mut new = Map::new();
        let tokens: Vec<String> = pointer::tokens(at).collect();
        let parent = |back: usize| {
            let index = tokens.len().checked_sub(back);
            index
                .and_then(|index| tokens.get(index))
                .map(String::as_str)
        };
        let is_link = parent(2) == Some("links");
        // Below these, keys are names and no keywords.
        let is_names = matches!(parent(1), Some("properties" | "headers" | "x-aliases"));
        for (key, value) in map {
            let below = pointer::join(at, key);
            match (key.as_str(), value) {
                ("$ref", Value::String(reference)) if !is_names => {
                    new.extend(self.meant(reference, (at, map), notes));
                }
                ("allOf", Value::Array(parts)) if !is_names && lone(parts).is_some() => {
                    let meant = lone(parts).map(|one| self.meant(one, (at, map), notes));
                    let mut meant = meant.unwrap_or_default();
                    if meant.contains_key("$ref") {
                        let kept = std::mem::take(&mut meant);
                        meant.insert(key.clone(), vec![Value::from(kept)].into());
                    }
                    meant.retain(|name, _| name == key || !map.contains_key(name));
                    new.extend(meant);
                }
                ("anyOf" | "oneOf", Value::Array(parts))
                    if !is_names && or_null(self.old, parts).is_some() =>
                {
                    let meant = or_null(self.old, parts);
                    let meant = meant.map(|one| self.meant(one, (at, map), notes));
                    let mut meant = meant.unwrap_or_default();
                    if meant.contains_key("$ref") {
                        let value = self.value(value, &below, names, notes);
                        meant = Map::from_iter([(key.clone(), value)]);
                    } else {
                        meant.insert("nullable".to_owned(), true.into());
                    }
                    meant.retain(|name, _| name == key || !map.contains_key(name));
                    new.extend(meant);
                }
                ("operationId", Value::String(id)) if is_link => {
                    new.insert(key.clone(), self.id(id, notes).into());
                }
                ("parameters", Value::Object(parameters)) if is_link => {
                    let id = map.get("operationId").and_then(Value::as_str);
                    let names = id.map(|id| self.names_of(id)).unwrap_or_default();
                    new.insert(key.clone(), renamed(parameters, &names).into());
                }
                ("when", Value::Object(parameters)) if at.contains("/x-credits") => {
                    new.insert(key.clone(), renamed(parameters, names).into());
                }
                ("mapping", Value::Object(mapping)) if parent(1) == Some("discriminator") => {
                    let to = mapping
                        .iter()
                        .map(|(tag, to)| (tag.clone(), self.mapped(to)));
                    new.insert(key.clone(), to.collect::<Map<_, _>>().into());
                }
                (path, value) if at == "/paths" => {
                    let names = self.names(path);
                    let value = self.value(value, &below, &names, notes);
                    new.insert(self.path(path), value);
                }
                (_, value) if is_components(at) && self.old.pointer(&below).is_some() => {
                    let now = self.named(&below).unwrap_or_else(|| below.clone());
                    let name = component(&now).map_or_else(|| key.clone(), |(_, name)| name);
                    let value = self.value(value, &below, names, notes);
                    notes.refers.push((below, now));
                    new.insert(name, value);
                }
                (_, value) => {
                    let value = self.value(value, &below, names, notes);
                    new.entry(key.clone()).or_insert(value);
                }
            }
        }
        // What stands beside a reference wins over what it refers to.
        for (key, value) in map.iter().filter(|(key, _)| !is_names && *key != "$ref") {
            if map.contains_key("$ref") {
                let value = self.value(value, &pointer::join(at, key), names, notes);
                new.insert(key.clone(), value);
            }
        }
        new.into()
    }

    /// What a reference is now, at a place with these keywords.
    fn meant(
        &self,
        reference: &str,
        (at, map): (&str, &Map<String, Value>),
        notes: &mut Written<'_>,
    ) -> Map<String, Value> {
        let mut meant = Map::new();
        // A type of the runtime is about the place, and not about what is written out there.
        let is_apart = map.contains_key("x-rust-type");
        let place = match is_apart {
            true => format!("{at}/allOf/0"),
            false => at.to_owned(),
        };
        self.reference(reference, (&place, map.len() == 1), &mut meant, notes);
        if is_apart && !meant.contains_key("$ref") {
            let content = std::mem::take(&mut meant);
            meant.insert("allOf".to_owned(), vec![Value::from(content)].into());
        }
        meant
    }

    /// Writes what a reference is now: a reference, or what it referred to where that is written out now.
    fn reference(
        &self,
        reference: &str,
        (place, alone): (&str, bool),
        new: &mut Map<String, Value>,
        notes: &mut Written<'_>,
    ) {
        let keep = |new: &mut Map<String, Value>, text: String| {
            new.insert("$ref".to_owned(), text.into());
        };
        let Some(at) = pointer::from_fragment(reference) else {
            return keep(new, reference.to_owned());
        };
        let own = component_of(at);
        // What an override adds keeps its name.
        if own.is_none_or(|own| self.old.pointer(own).is_none()) {
            return keep(new, reference.to_owned());
        }
        let rest = own.and_then(|own| at.strip_prefix(own)).unwrap_or_default();
        let all = self.component(own.unwrap_or(at));
        let named = self.named(own.unwrap_or(at));
        let Some(to) = named.as_ref().or(all.first()) else {
            notes.lost.push(format!("{} has no counterpart", show(at)));
            return keep(new, reference.to_owned());
        };
        let to = format!("{to}{rest}");
        notes.refers.push((at.to_owned(), to.clone()));
        // Where an earlier override took the schema away, what that one wrote out.
        let copies = self.copies(own.unwrap_or(at)).into_iter();
        let mut copies = copies.map(|copy| format!("{copy}{rest}"));
        let now = notes.now.and_then(|now| {
            let copy = || copies.find_map(|copy| now.pointer(&copy));
            now.pointer(&to).or_else(copy)
        });
        match now.or_else(|| self.new.pointer(&to)) {
            Some(_) if named.is_some() => keep(new, format!("#{to}")),
            Some(Value::Object(content)) => {
                // Words about one place are not those of another.
                let content = content
                    .iter()
                    .filter(|(key, _)| alone || *key != "description");
                new.extend(content.map(|(key, value)| (key.clone(), value.clone())));
                if rest.is_empty() {
                    notes.copies.push((at.to_owned(), place.to_owned()));
                }
            }
            _ => {
                notes.lost.push(format!("{} has no counterpart", show(at)));
                keep(new, reference.to_owned());
            }
        }
    }

    fn mapped(&self, to: &Value) -> Value {
        let text = to.as_str().unwrap_or_default();
        let at = pointer::from_fragment(text).map(str::to_owned);
        let at = at.unwrap_or_else(|| pointer::join("/components/schemas", text));
        let named = self.named(&at);
        named.map_or_else(|| to.clone(), |one| format!("#{one}").into())
    }

    fn id(&self, id: &str, notes: &mut Written<'_>) -> String {
        match self.ids.get(id) {
            None => id.to_owned(),
            Some(Some(new)) => {
                notes.ids.push((id.to_owned(), new.clone()));
                new.clone()
            }
            Some(None) => {
                notes
                    .lost
                    .push(format!("the operation `{id}` has no `operationId` now"));
                id.to_owned()
            }
        }
    }

    /// Path parameters of the operation with this id that have other names now.
    fn names_of(&self, id: &str) -> BTreeMap<String, String> {
        let paths = self.old.get("paths").and_then(Value::as_object);
        let mut paths = paths.into_iter().flatten();
        let has = |item: &Value| {
            let mut operations = item.as_object().into_iter().flatten();
            operations.any(|(_, one)| one.get("operationId").and_then(Value::as_str) == Some(id))
        };
        let found = paths.find(|(_, item)| has(item));
        found.map(|(path, _)| self.names(path)).unwrap_or_default()
    }
}

/// Whether the keys at a place are names of components.
fn is_components(at: &str) -> bool {
    let mut tokens = pointer::tokens(at);
    tokens.next().is_some_and(|first| first == "components") && tokens.count() == 1
}

/// The reference that is the only part of an `allOf`, beside which keywords may stand.
fn lone(parts: &[Value]) -> Option<&str> {
    let [Value::Object(part)] = parts else {
        return None;
    };
    part.get("$ref")
        .filter(|_| part.len() == 1)
        .and_then(Value::as_str)
}

/// The reference that is the only alternative to null.
fn or_null<'v>(root: &Value, parts: &'v [Value]) -> Option<&'v str> {
    let mut others = parts.iter().filter(|part| !is_null(root, part));
    let only = others.next().filter(|_| others.next().is_none())?;
    (parts.len() > 1).then(|| lone(std::slice::from_ref(only)))?
}

fn renamed(map: &Map<String, Value>, names: &BTreeMap<String, String>) -> Map<String, Value> {
    let entries = map.iter().map(|(key, value)| {
        let key = names.get(key).unwrap_or(key);
        (key.clone(), value.clone())
    });
    entries.collect()
}
