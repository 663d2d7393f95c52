//! Resolves schemas that only refer to another schema: references, `allOf` of one part, and alternatives to null.

use openapi_document::keywords::Role::{Choice, Content, Part, Presence, Reference, Type, Values};
use openapi_document::keywords::{COMPOSITIONS, has_role};
use openapi_document::resolver;
use serde_json::{Map, Value};

use super::type_name::{CHOSEN, TYPE_NAME};
use super::written::Written;

/// More steps than this are a circle.
const LONGEST: usize = 64;

/// Returns whether a keyword determines the form of a value. Beside a reference it makes a separate schema.
fn is_structural(key: &str) -> bool {
    key == CHOSEN || has_role(key, &[Values, Part, Choice, Content, Presence])
}

/// A resolved schema.
pub(super) struct Resolved<'s> {
    pub(super) schema: &'s Value,
    pub(super) pointer: String,
    /// True if a reference was followed.
    pub(super) referred: bool,
    /// The annotations of the schemas on the path, outer ones first.
    pub(super) around: Vec<&'s Map<String, Value>>,
}

/// A step from a schema to the one that it refers to.
enum Step {
    To(String),
    Part(String),
    Stays,
}

impl<'d> Written<'d> {
    /// Resolves a schema to the one that it refers to.
    pub(super) fn resolve<'s>(&self, schema: &'s Value, pointer: &str) -> Resolved<'s>
    where
        'd: 's,
    {
        let mut resolved = Resolved {
            schema,
            pointer: pointer.to_owned(),
            referred: false,
            around: Vec::new(),
        };
        for _ in 0..LONGEST {
            let Some(map) = resolved.schema.as_object() else {
                return resolved;
            };
            if self.naming.of(&resolved.pointer).is_some() {
                return resolved;
            }
            let next = match step(map) {
                Step::Stays => return resolved,
                Step::To(reference) => self.target(&reference).map(|(pointer, schema)| {
                    resolved.referred = true;
                    (pointer, schema)
                }),
                Step::Part(below) => resolved
                    .schema
                    .pointer(&below)
                    .map(|part| (format!("{}{below}", resolved.pointer), part)),
            };
            resolved.around.push(map);
            let Some((pointer, schema)) = next else {
                resolved.schema = &Value::Null;
                return resolved;
            };
            resolved.pointer = pointer;
            resolved.schema = schema;
        }
        resolved.schema = &Value::Null;
        resolved
    }

    /// Returns the target of a reference, one step on.
    pub(super) fn target(&self, reference: &str) -> Option<(String, &'d Value)> {
        let found = resolver::target(&self.source.value, reference)?;
        Some((found.pointer, found.value))
    }
}

fn step(map: &Map<String, Value>) -> Step {
    let mut structural = map.keys().filter(|key| is_structural(key));
    if let Some(Value::String(reference)) = map.get("$ref") {
        return match structural.any(|key| key != CHOSEN) {
            false => Step::To(reference.clone()),
            true => Step::Stays,
        };
    }
    // Beside a reference, or a type that is called as one, the runtime type is about the place.
    let stands_alone = |key: &str, part: &Value| {
        let is_reference = is_called(part);
        let mut others = map.keys().filter(|other| *other != key);
        !others.any(|other| is_structural(other) && !(is_reference && other == CHOSEN))
    };
    if let Some(Value::Array(parts)) = map.get("allOf")
        && let Some((index, part)) = only_determining(parts)
    {
        return if stands_alone("allOf", part) {
            Step::Part(format!("/allOf/{index}"))
        } else {
            Step::Stays
        };
    }
    // The only alternative beside a discriminator has a tag, so it is more than its schema.
    let is_tagged = map.contains_key("discriminator");
    for key in ["oneOf", "anyOf"] {
        let Some(Value::Array(alternatives)) = map.get(key).filter(|_| !is_tagged) else {
            continue;
        };
        if let Some((index, part)) = only_alternative(alternatives)
            && stands_alone(key, part)
        {
            return Step::Part(format!("/{key}/{index}"));
        }
    }
    Step::Stays
}

/// Returns whether a schema has a name, or is a reference, perhaps with keywords beside it and in wrappers.
fn is_called(mut schema: &Value) -> bool {
    loop {
        let has = |key: &str| schema.get(key).is_some();
        if has("$ref") || has(TYPE_NAME) {
            return true;
        }
        let wrapped = COMPOSITIONS.iter().find_map(|key| {
            let parts = schema.get(key)?.as_array()?;
            let mut keys = schema.as_object()?.keys();
            let is_wrapper = !keys.any(|other| other != key && is_structural(other));
            match *key {
                "allOf" => only_determining(parts).map(|(_, part)| part),
                _ => only_alternative(parts).map(|(_, part)| part),
            }
            .filter(|_| is_wrapper)
        });
        match wrapped {
            Some(part) => schema = part,
            None => return false,
        }
    }
}

/// The only alternative but null.
fn only_alternative(alternatives: &[Value]) -> Option<(usize, &Value)> {
    let all = alternatives.iter().enumerate();
    let mut others = all.filter(|(_, one)| !is_null(one));
    let only = others.next()?;
    others.next().is_none().then_some(only)
}

/// Returns the only part that determines the form of a value, if the others only describe it.
fn only_determining(parts: &[Value]) -> Option<(usize, &Value)> {
    let silent = |part: &Value| {
        let map = part.as_object();
        map.is_some_and(|map| {
            !map.keys().any(|key| {
                key == TYPE_NAME || is_structural(key) || has_role(key, &[Reference, Type])
            })
        })
    };
    let mut telling = parts.iter().enumerate().filter(|(_, part)| !silent(part));
    match (telling.next(), telling.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Returns whether only null is a value of a schema.
pub(super) fn is_null(schema: &Value) -> bool {
    let only_null = |list: &Vec<Value>| !list.is_empty() && list.iter().all(Value::is_null);
    schema.get("type").and_then(Value::as_str) == Some("null")
        || schema
            .get("enum")
            .and_then(Value::as_array)
            .is_some_and(only_null)
}
