//! Names and descriptions of the values of an enumeration, which documents give in extensions: a list in the order of the values, or an object.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::registry::SchemaRegistry;
use crate::names;
use crate::{Label, Shape};

/// Names of values in code.
const NAMES: [&str; 3] = ["x-enum-varnames", "x-enumNames", "x-enum-names"];
/// Descriptions of values.
const TEXTS: [&str; 2] = ["x-enum-descriptions", "x-enumDescriptions"];

/// The labels of the values of an enumeration; none if the document has none, or invalid ones.
pub(super) fn labels(
    registry: &mut SchemaRegistry<'_>,
    shape: &Shape,
    keywords: &Map<String, Value>,
    pointer: &str,
) -> Vec<Label> {
    let Shape::Texts { values, .. } = shape else {
        return Vec::new();
    };
    let mut read = |keys: &[&str], check: fn(&[Option<String>]) -> Option<String>| {
        let (key, found) = keys
            .iter()
            .find_map(|key| Some((*key, keywords.get(*key)?)))?;
        let read = listed(found, values).and_then(|all| check(&all).map_or(Ok(all), Err));
        read.map_err(|problem| {
            registry.warn(
                "enum-labels",
                &format!("{pointer}/{key}"),
                format!("{problem}; it is not read"),
                "correct it in an override",
            );
        })
        .ok()
    };
    let names = read(&NAMES, wrong_name);
    let texts = read(&TEXTS, |_| None);
    if names.is_none() && texts.is_none() {
        return Vec::new();
    }
    let of = |all: &Option<Vec<Option<String>>>, index: usize| all.as_ref()?.get(index)?.clone();
    (0..values.len())
        .map(|index| Label {
            name: of(&names, index),
            text: of(&texts, index),
        })
        .collect()
}

/// Returns the labels of these values, or the error in them.
fn listed(found: &Value, values: &[String]) -> Result<Vec<Option<String>>, String> {
    let text = |one: &Value| one.as_str().map(str::to_owned);
    match found {
        Value::Array(all) if all.len() != values.len() => Err(format!(
            "this has {} entries for {} values",
            all.len(),
            values.len()
        )),
        Value::Array(all) if all.iter().all(Value::is_string) => Ok(all.iter().map(text).collect()),
        Value::Object(all) if all.values().all(Value::is_string) => {
            let of = |value: &String| all.get(value).and_then(text);
            Ok(values.iter().map(of).collect())
        }
        _ => Err("this is neither a list of strings nor an object of them".to_owned()),
    }
}

/// Returns the error in the names of variants.
fn wrong_name(all: &[Option<String>]) -> Option<String> {
    let mut seen = HashSet::from(["Unrecognized".to_owned()]);
    all.iter().flatten().find_map(|name| {
        let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match (starts, seen.insert(names::pascal(name))) {
            (false, _) => Some(format!("`{name}` is not a valid variant name")),
            (true, false) => Some(format!(
                "the variant `{}` exists already",
                names::pascal(name)
            )),
            (true, true) => None,
        }
    })
}
