//! Rewrites the values of an override with the references, paths, identifiers and names of the new document.

use std::collections::BTreeMap;

use openapi_document::json::text_of;
use openapi_document::pointer;
use openapi_schemas::operations;
use serde_json::{Map, Value};

use super::correspondence::Correspondence;
use super::election::show;
use super::equality::Equality;
use super::pointers::{component, component_of, is_operation};
use crate::vocabulary::has_names;

/// What is noted while a value of an override is written in the terms of the new document.
#[derive(Debug, Default)]
pub(super) struct Written {
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
    notes: &mut Written,
) -> Value {
    let mut tokens = pointer::tokens(target);
    let path = tokens
        .next()
        .filter(|first| first == "paths")
        .and(tokens.next());
    let names = path.map(|path| to.names(&path)).unwrap_or_default();
    let mut writer = Writer {
        to,
        notes,
        within: Vec::new(),
    };
    writer.value(value, target, &names)
}

/// Rewrites a value in the terms of the new document.
struct Writer<'w, 'd> {
    to: &'w Correspondence<'d>,
    notes: &'w mut Written,
    /// Components that are being written out.
    within: Vec<String>,
}

impl Writer<'_, '_> {
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
        for (key, value) in map {
            match (key.as_str(), value) {
                ("$ref", Value::String(reference)) if !has_names(at) => {
                    match self.written_out(reference, at, names) {
                        Some(Value::Object(content)) => new.extend(content),
                        _ => {
                            new.insert(key.clone(), self.reference(reference).into());
                        }
                    }
                }
                _ => self.member(&mut new, (key, value), (at, map), names),
            }
        }
        new.into()
    }

    /// Writes a member that is no reference.
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
                let mut value = self.value(value, &below, &self.to.names(path));
                if self.to.old.pointer(&below).is_none() {
                    self.secure(&mut value);
                }
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
                new.insert(key.clone(), value);
            }
        }
    }

    /// Returns the content of a component that the new document no longer has under a name, if it writes nothing else in its place.
    fn written_out(
        &mut self,
        reference: &str,
        at: &str,
        names: &BTreeMap<String, String>,
    ) -> Option<Value> {
        let own = pointer::from_fragment(reference).and_then(component)?;
        let own = pointer::join(&pointer::join("/components", &own.0), &own.1);
        let content = self.to.old.pointer(&own)?;
        if self.to.named(&own).is_some() || self.within.contains(&own) {
            return None;
        }
        for now in self.to.component(&own) {
            let mut equality = Equality::new(self.to, self.to.old, self.to.new, &own);
            if !equality.places((&own, ""), (now, "")) {
                return None;
            }
        }
        self.within.push(own);
        let content = self.value(content, at, names);
        self.within.pop();
        Some(content)
    }

    /// Gives operations that an override adds the credentials of all others, if they had those of the whole document, and it names none now.
    fn secure(&mut self, item: &mut Value) {
        if self.to.old.get("security").is_none() || self.to.new.get("security").is_some() {
            return;
        }
        let mut common: Vec<&Value> = operations(self.to.new)
            .filter_map(|one| one.value.get("security"))
            .collect();
        common.dedup();
        let added = item.as_object_mut().into_iter().flatten();
        let added = added.filter_map(|(method, one)| is_method(method).then_some(one));
        for operation in added.filter_map(Value::as_object_mut) {
            match common.as_slice() {
                _ if operation.contains_key("security") => {}
                [only] => {
                    operation.insert("security".to_owned(), (*only).clone());
                }
                _ => {
                    let reason = "the credentials of all operations are not in one place now";
                    self.notes.lost.push(reason.to_owned());
                }
            }
        }
    }

    /// Rewrites a reference. Components that an override adds keep their names.
    fn reference(&mut self, reference: &str) -> String {
        let at = pointer::from_fragment(reference).unwrap_or_default();
        let own = component_of(at).filter(|own| self.to.old.pointer(own).is_some());
        let Some(own) = own else {
            return reference.to_owned();
        };
        let rest = at.strip_prefix(own).unwrap_or_default();
        let now = self.to.named(own).map(|now| format!("{now}{rest}"));
        match now.filter(|now| self.to.new.pointer(now).is_some()) {
            Some(now) => {
                let text = format!("#{now}");
                self.notes.refers.push(now);
                text
            }
            None => {
                let reason = format!("{} has no counterpart", show(at));
                self.notes.lost.push(reason);
                reference.to_owned()
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
        let mut all = operations(self.to.old);
        let found = all.find(|one| text_of(one.value, "operationId") == Some(id));
        let path = found.and_then(|one| pointer::tokens(&one.pointer).nth(1));
        path.map(|path| self.to.names(&path)).unwrap_or_default()
    }
}

fn is_method(key: &str) -> bool {
    is_operation(&format!("/paths/~1/{key}"))
}

/// Returns the key that is this many steps back in a pointer.
fn parent(at: &str, back: usize) -> Option<String> {
    pointer::tokens(at)
        .collect::<Vec<_>>()
        .into_iter()
        .nth_back(back - 1)
}

/// Returns whether the keys at a location are names of components.
fn is_components(at: &str) -> bool {
    let mut tokens = pointer::tokens(at);
    tokens.next().is_some_and(|first| first == "components") && tokens.count() == 1
}

fn renamed(map: &Map<String, Value>, names: &BTreeMap<String, String>) -> Map<String, Value> {
    let entries = map.iter().map(|(key, value)| {
        let key = names.get(key).unwrap_or(key);
        (key.clone(), value.clone())
    });
    entries.collect()
}
