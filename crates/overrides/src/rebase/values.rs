//! Rewrites the values of an override with the references, paths, identifiers and names of the new document.

use std::collections::BTreeMap;

use openapi_document::pointer;
use openapi_schemas::reading::{Document, is_null};
use serde_json::{Map, Value};

use super::correspondence::Correspondence;
use super::election::show;
use super::pointers::{component, component_of};
use crate::vocabulary::has_names;

/// Value of an override, in the terms of the new document.
#[derive(Debug, Default)]
pub(super) struct Written<'t> {
    /// The new document after earlier overrides, whose changes inlined components include.
    pub(super) now: Option<&'t Value>,
    /// Components that the value inlines, each with its location.
    pub(super) copies: Vec<(String, String)>,
    /// True if the value inlines a component, or a part of one.
    pub(super) is_written_out: bool,
    /// Reasons why it cannot be expressed in these terms.
    pub(super) lost: Vec<String>,
    /// Locations of the new document that it refers to, which may be only likely.
    pub(super) refers: Vec<String>,
}

/// Returns a value in the terms of the new document. `target` is its location in the old document.
pub(super) fn written(
    to: &Correspondence<'_>,
    value: &Value,
    target: &str,
    notes: &mut Written<'_>,
) -> Value {
    let mut tokens = pointer::tokens(target);
    let path = tokens
        .next()
        .filter(|first| first == "paths")
        .and(tokens.next());
    let names = path.map(|path| to.names(&path)).unwrap_or_default();
    Writer { to, notes }.value(value, target, &names)
}

/// Rewrites a value in the terms of the new document.
struct Writer<'w, 'd, 't> {
    to: &'w Correspondence<'d>,
    notes: &'w mut Written<'t>,
}

impl Writer<'_, '_, '_> {
    fn value(&mut self, value: &Value, at: &str, names: &BTreeMap<String, String>) -> Value {
        match value {
            Value::Array(items) => {
                let at = format!("{at}/0");
                let items = items.iter().map(|item| self.value(item, &at, names));
                items.collect()
            }
            Value::Object(map) => self.object(map, at, names),
            other => other.clone(),
        }
    }

    fn object(
        &mut self,
        map: &Map<String, Value>,
        at: &str,
        names: &BTreeMap<String, String>,
    ) -> Value {
        let mut new = Map::new();
        let is_names = has_names(at);
        for (key, value) in map {
            let wrapped = wrapped(self.to.old, key, value).filter(|_| !is_names);
            match (key.as_str(), value, wrapped) {
                ("$ref", Value::String(reference), _) if !is_names => {
                    new.extend(self.meant(reference, (at, map)));
                }
                (_, _, Some(reference)) => {
                    let meant = self.wrapper((key, value), reference, (at, map), names);
                    new.extend(meant);
                }
                _ => self.member(&mut new, (key, value), (at, map), names),
            }
        }
        // Keywords beside a reference override those of its target.
        for (key, value) in map.iter().filter(|(key, _)| !is_names && *key != "$ref") {
            if map.contains_key("$ref") {
                let value = self.value(value, &pointer::join(at, key), names);
                new.insert(key.clone(), value);
            }
        }
        new.into()
    }

    /// Writes a member that does not refer to a schema by itself.
    fn member(
        &mut self,
        new: &mut Map<String, Value>,
        (key, value): (&String, &Value),
        (at, map): (&str, &Map<String, Value>),
        names: &BTreeMap<String, String>,
    ) {
        let below = pointer::join(at, key);
        let is_link = parent(at, 2).as_deref() == Some("links");
        match (key.as_str(), value) {
            ("operationId", Value::String(id)) if is_link => {
                new.insert(key.clone(), self.id(id).into());
            }
            ("parameters", Value::Object(parameters)) if is_link => {
                let id = map.get("operationId").and_then(Value::as_str);
                let names = id.map(|id| self.names_of(id)).unwrap_or_default();
                new.insert(key.clone(), renamed(parameters, &names).into());
            }
            ("when", Value::Object(parameters)) if at.contains("/x-credits") => {
                new.insert(key.clone(), renamed(parameters, names).into());
            }
            ("mapping", Value::Object(mapping))
                if parent(at, 1).as_deref() == Some("discriminator") =>
            {
                let all = mapping.iter();
                let to = all.map(|(tag, to)| (tag.clone(), self.mapped(to)));
                new.insert(key.clone(), to.collect::<Map<_, _>>().into());
            }
            (path, value) if at == "/paths" => {
                let value = self.value(value, &below, &self.to.names(path));
                new.insert(self.to.path(path), value);
            }
            (_, value) if is_components(at) && self.to.old.pointer(&below).is_some() => {
                let now = self.to.named(&below).unwrap_or_else(|| below.clone());
                let name = component(&now).map_or_else(|| key.clone(), |(_, name)| name);
                let value = self.value(value, &below, names);
                self.notes.refers.push(now);
                new.insert(name, value);
            }
            (_, value) => {
                let value = self.value(value, &below, names);
                new.entry(key.clone()).or_insert(value);
            }
        }
    }

    /// Rewrites a wrapper of one reference: as a wrapper, or as the inlined schema.
    fn wrapper(
        &mut self,
        (key, value): (&String, &Value),
        reference: &str,
        (at, map): (&str, &Map<String, Value>),
        names: &BTreeMap<String, String>,
    ) -> Map<String, Value> {
        let mut meant = self.meant(reference, (at, map));
        if meant.contains_key("$ref") {
            let value = match key.as_str() {
                "allOf" => vec![Value::from(meant)].into(),
                _ => self.value(value, &pointer::join(at, key), names),
            };
            meant = Map::from_iter([(key.clone(), value)]);
        } else if key != "allOf" {
            meant.insert("nullable".to_owned(), true.into());
        }
        meant.retain(|name, _| name == key || !map.contains_key(name));
        meant
    }

    /// Rewrites a reference at a location with these keywords.
    fn meant(
        &mut self,
        reference: &str,
        (at, map): (&str, &Map<String, Value>),
    ) -> Map<String, Value> {
        let mut meant = Map::new();
        // A runtime type belongs to the location, not to the inlined schema.
        let is_apart = map.contains_key("x-rust-type");
        let place = if is_apart {
            format!("{at}/allOf/0")
        } else {
            at.to_owned()
        };
        self.reference(reference, (&place, map.len() == 1), &mut meant);
        if is_apart && !meant.contains_key("$ref") {
            meant = in_part(meant);
        }
        meant
    }

    /// Rewrites a reference: as a reference, or as its inlined target.
    fn reference(
        &mut self,
        reference: &str,
        (place, alone): (&str, bool),
        new: &mut Map<String, Value>,
    ) {
        let keep = |new: &mut Map<String, Value>, text: String| {
            new.insert("$ref".to_owned(), text.into());
        };
        let Some(at) = pointer::from_fragment(reference) else {
            return keep(new, reference.to_owned());
        };
        let own = component_of(at);
        // Components that an override adds keep their names.
        if own.is_none_or(|own| self.to.old.pointer(own).is_none()) {
            return keep(new, reference.to_owned());
        }
        let rest = own.and_then(|own| at.strip_prefix(own)).unwrap_or_default();
        let all = self.to.component(own.unwrap_or(at));
        let named = self.to.named(own.unwrap_or(at));
        let Some(to) = named.as_ref().or(all.first()) else {
            self.notes
                .lost
                .push(format!("{} has no counterpart", show(at)));
            return keep(new, reference.to_owned());
        };
        let to = format!("{to}{rest}");
        self.notes.refers.push(to.clone());
        // If an earlier override removed the schema, use what that one inlined.
        let copies = self.to.copies(own.unwrap_or(at)).into_iter();
        let mut copies = copies.map(|copy| format!("{copy}{rest}"));
        let now = self.notes.now.and_then(|now| {
            let copy = || copies.find_map(|copy| now.pointer(&copy));
            now.pointer(&to).or_else(copy)
        });
        match now.or_else(|| self.to.new.pointer(&to)) {
            Some(_) if named.is_some() => keep(new, format!("#{to}")),
            Some(Value::Object(content)) => {
                // Documentation of one location does not apply to another.
                let content = content
                    .iter()
                    .filter(|(key, _)| alone || *key != "description");
                new.extend(content.map(|(key, value)| (key.clone(), value.clone())));
                self.notes.is_written_out = true;
                if rest.is_empty() {
                    self.notes.copies.push((at.to_owned(), place.to_owned()));
                }
            }
            _ => {
                self.notes
                    .lost
                    .push(format!("{} has no counterpart", show(at)));
                keep(new, reference.to_owned());
            }
        }
    }

    fn mapped(&self, to: &Value) -> Value {
        let text = to.as_str().unwrap_or_default();
        let at = pointer::from_fragment(text).map(str::to_owned);
        let at = at.unwrap_or_else(|| pointer::join("/components/schemas", text));
        let named = self.to.named(&at);
        named.map_or_else(|| to.clone(), |one| format!("#{one}").into())
    }

    fn id(&mut self, id: &str) -> String {
        match self.to.ids.get(id) {
            None => id.to_owned(),
            Some(Some(new)) => new.clone(),
            Some(None) => {
                self.notes
                    .lost
                    .push(format!("the operation `{id}` has no `operationId` now"));
                id.to_owned()
            }
        }
    }

    /// Returns the renamed path parameters of the operation with this identifier.
    fn names_of(&self, id: &str) -> BTreeMap<String, String> {
        let paths = self.to.old.get("paths").and_then(Value::as_object);
        let mut paths = paths.into_iter().flatten();
        let has = |item: &Value| {
            let mut operations = item.as_object().into_iter().flatten();
            operations.any(|(_, one)| one.get("operationId").and_then(Value::as_str) == Some(id))
        };
        let found = paths.find(|(_, item)| has(item));
        found
            .map(|(path, _)| self.to.names(path))
            .unwrap_or_default()
    }
}

/// Returns a schema as the only part of another, beside which keywords are allowed.
fn in_part(schema: Map<String, Value>) -> Map<String, Value> {
    Map::from_iter([("allOf".to_owned(), vec![Value::from(schema)].into())])
}

/// Returns the key that is this many steps back in a pointer.
fn parent(at: &str, back: usize) -> Option<String> {
    pointer::tokens(at)
        .collect::<Vec<_>>()
        .into_iter()
        .nth_back(back - 1)
}

/// Returns the reference that a wrapper contains alone, or beside null.
fn wrapped<'v>(root: &'v Value, key: &str, value: &'v Value) -> Option<&'v str> {
    let parts = value.as_array()?;
    match key {
        "allOf" => lone(parts),
        "anyOf" | "oneOf" => or_null(root, parts),
        _ => None,
    }
}

/// Returns whether the keys at a location are names of components.
fn is_components(at: &str) -> bool {
    let mut tokens = pointer::tokens(at);
    tokens.next().is_some_and(|first| first == "components") && tokens.count() == 1
}

/// Returns the reference that is the only part of an `allOf`, beside which keywords are allowed.
fn lone(parts: &[Value]) -> Option<&str> {
    let [Value::Object(part)] = parts else {
        return None;
    };
    part.get("$ref")
        .filter(|_| part.len() == 1)
        .and_then(Value::as_str)
}

/// Returns the reference that is the only alternative to null.
fn or_null<'v>(root: &'v Value, parts: &'v [Value]) -> Option<&'v str> {
    let mut document = Document::new(root);
    let mut others = parts.iter().filter(|part| !is_null(&mut document, part));
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
