//! Compares two responses to the same call, member by member. Records of a list are matched by what identifies them, not by their places.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::walk::{alternatives, elements, member};
use crate::decode::decode::without_mark;
use crate::decode::pointer::escape;
use crate::document::shape::Shape;
use crate::secret::conceal::concealed;
use crate::secret::quotation::{POINTER, QUOTATION, escaped};

/// A difference between an earlier response and a later one to the same call.
///
/// [`Display`](fmt::Display) writes one line, in which long values are cut: `/data/2/title (id=7): "Clerk" → "Head Clerk"`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// JSON Pointer (RFC 6901) to the value in the later response, or in the earlier one if it is gone. Members have their documented names.
    pub pointer: String,
    /// What identifies the innermost record of a list that has the value, such as `id=7`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// The earlier value; `None` if there was none, or null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The later value; `None` if there is none, or null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str("the body")?,
            pointer => f.write_str(&escaped(pointer, POINTER))?,
        }
        if let Some(record) = &self.record {
            write!(f, " ({})", escaped(record, QUOTATION))?;
        }
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, ": {} → {}", shown(before), shown(after)),
            (None, Some(after)) => write!(f, ": added {}", shown(after)),
            (Some(before), None) => write!(f, ": removed {}", shown(before)),
            (None, None) => Ok(()),
        }
    }
}

fn shown(value: &Value) -> String {
    escaped(&value.to_string(), QUOTATION)
}

/// Returns the differences between two bodies of this shape, without the key. A body that is not JSON counts as a string.
pub(crate) fn changes(before: &[u8], after: &[u8], shape: &'static Shape) -> Vec<Change> {
    let mut walk = Walk::default();
    let (before, after) = (read(before), read(after));
    walk.member(present(&before), present(&after), vec![shape]);
    walk.found
}

fn read(body: &[u8]) -> Value {
    let text = String::from_utf8_lossy(without_mark(body));
    match concealed(&text) {
        text if text.trim().is_empty() => Value::Null,
        text => serde_json::from_str(&text).unwrap_or_else(|_| text.into_owned().into()),
    }
}

/// A null member counts as absent.
fn present(value: &Value) -> Option<&Value> {
    Some(value).filter(|value| !value.is_null())
}

#[derive(Default)]
struct Walk {
    found: Vec<Change>,
    pointer: String,
    record: Option<String>,
}

impl Walk {
    fn member(
        &mut self,
        before: Option<&Value>,
        after: Option<&Value>,
        shapes: Vec<&'static Shape>,
    ) {
        let shapes = alternatives(shapes);
        match (before, after) {
            (None, None) => {}
            (Some(Value::Object(before)), Some(Value::Object(after))) => {
                self.members(before, after, &shapes);
            }
            (Some(Value::Array(before)), Some(Value::Array(after))) => {
                self.elements(before, after, &shapes);
            }
            (Some(before), Some(after)) if is_same(before, after) => {}
            (before, after) => self.found.push(Change {
                pointer: self.pointer.clone(),
                record: self.record.clone(),
                before: before.cloned(),
                after: after.cloned(),
            }),
        }
    }

    fn members(
        &mut self,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
        shapes: &[&'static Shape],
    ) {
        let (before, after) = (documented(before, shapes), documented(after, shapes));
        let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
        for name in names {
            let inside = shapes.iter().filter_map(|shape| member(shape, name));
            let inside = inside.map(|(_, shape)| shape).collect();
            self.at(&escape(name), |walk| {
                walk.member(before.get(name).copied(), after.get(name).copied(), inside);
            });
        }
    }

    /// Compares lists as sets: the order of records is no difference.
    fn elements(&mut self, before: &[Value], after: &[Value], shapes: &[&'static Shape]) {
        let inside = elements(shapes);
        let name = identity(before, after);
        let mut earlier: BTreeMap<String, Vec<(usize, &Value)>> = BTreeMap::new();
        for (index, record) in before.iter().enumerate() {
            let same = earlier.entry(key(record, name.as_deref()));
            same.or_default().push((index, record));
        }
        for (index, record) in after.iter().enumerate() {
            let same = earlier.get_mut(&key(record, name.as_deref()));
            let same = same.and_then(|same| (!same.is_empty()).then(|| same.remove(0).1));
            self.element(index, record, name.as_deref(), |walk| {
                walk.member(same, Some(record), inside.clone());
            });
        }
        let mut gone: Vec<(usize, &Value)> = earlier.into_values().flatten().collect();
        gone.sort_by_key(|(index, _)| *index);
        for (index, record) in gone {
            self.element(index, record, name.as_deref(), |walk| {
                walk.member(Some(record), None, Vec::new());
            });
        }
    }

    fn element(
        &mut self,
        index: usize,
        record: &Value,
        name: Option<&str>,
        compare: impl FnOnce(&mut Self),
    ) {
        let outer = self.record.clone();
        if let Some(name) = name {
            let value = match record.get(name) {
                Some(Value::String(text)) => text.clone(),
                value => value.map(Value::to_string).unwrap_or_default(),
            };
            self.record = Some(format!("{name}={value}"));
        }
        self.at(&index.to_string(), compare);
        self.record = outer;
    }

    /// Compares below a step of the pointer.
    fn at(&mut self, step: &str, compare: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(step);
        compare(self);
        self.pointer.truncate(length);
    }
}

/// Returns the members that are not null, by their documented names.
fn documented<'v>(
    object: &'v Map<String, Value>,
    shapes: &[&'static Shape],
) -> BTreeMap<&'v str, &'v Value> {
    let members = object.iter().filter(|(_, value)| !value.is_null());
    let named = members.map(|(name, value)| {
        let mut properties = shapes.iter().flat_map(|shape| shape.properties());
        let alias = properties.find(|one| one.aliases.contains(&name.as_str()));
        let alias = alias.map(|one| one.name);
        (alias.unwrap_or(name), value)
    });
    named.collect()
}

/// Returns whether two values are equal; numbers may be spelled differently.
fn is_same(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Number(before), Value::Number(after)) if before.is_f64() || after.is_f64() => {
            before.as_f64() == after.as_f64()
        }
        _ => before == after,
    }
}

/// Returns by what an element of a list is matched: the member that identifies it, or all of it.
fn key(record: &Value, name: Option<&str>) -> String {
    let identity = name.and_then(|name| record.get(name));
    identity.unwrap_or(record).to_string()
}

/// Returns the member that identifies the records of two lists: a string or a number that all of them have, each another one. Of several, an id
/// goes before others, then the one with the most values that both lists have.
fn identity(before: &[Value], after: &[Value]) -> Option<String> {
    let first = before.first()?.as_object()?;
    let mut names: Vec<&String> = first.keys().collect();
    // The order of members depends on features of serde_json.
    names.sort();
    let ranked = names.into_iter().rev().filter_map(|name| {
        let (earlier, later) = (distinct(before, name)?, distinct(after, name)?);
        let common = earlier.intersection(&later).count();
        Some(((is_id(name), common), name))
    });
    let best = ranked.max_by_key(|(rank, _)| *rank);
    let ((is_id, common), name) = best?;
    (is_id || common > 0).then(|| name.clone())
}

fn is_id(name: &str) -> bool {
    name == "id" || name.ends_with("_id") || name.ends_with("Id")
}

/// Returns the values of this member; `None` if a record has none, or the one of another record.
fn distinct(records: &[Value], name: &str) -> Option<BTreeSet<String>> {
    let mut values = BTreeSet::new();
    for record in records {
        let value = record.get(name)?;
        let is_scalar = value.is_string() || value.is_number();
        if !is_scalar || !values.insert(value.to_string()) {
            return None;
        }
    }
    Some(values)
}
