//! Names and descriptions of the values of an enumeration, which documents give in extensions: a list in the order of the values, or an object.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::registry::SchemaRegistry;
use crate::{Label, Shape, names};

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
    let names = first_of(keywords, &NAMES)
        .map(|(key, found)| (key, listed(found, values).and_then(different)));
    let texts = first_of(keywords, &TEXTS).map(|(key, found)| (key, listed(found, values)));
    for (key, read) in names.iter().chain(&texts) {
        if let Err(problem) = read {
            registry.warn(
                "enum-labels",
                &format!("{pointer}/{key}"),
                format!("{problem}; it is not read"),
                "correct it in an override",
            );
        }
    }
    let names = names.and_then(|(_, names)| names.ok());
    let texts = texts.and_then(|(_, texts)| texts.ok());
    if names.is_none() && texts.is_none() {
        return Vec::new();
    }
    let mut labels = vec![Label::default(); values.len()];
    for (label, name) in labels.iter_mut().zip(names.into_iter().flatten()) {
        label.name = name;
    }
    for (label, text) in labels.iter_mut().zip(texts.into_iter().flatten()) {
        label.text = text;
    }
    labels
}

/// Returns the first of these keywords, and its value.
fn first_of<'k>(
    keywords: &'k Map<String, Value>,
    keys: &[&'static str],
) -> Option<(&'static str, &'k Value)> {
    keys.iter()
        .find_map(|key| Some((*key, keywords.get(*key)?)))
}

/// Returns the labels of these values, or the error in them.
fn listed(found: &Value, values: &[String]) -> Result<Vec<Option<String>>, String> {
    match found {
        Value::Array(all) if all.len() != values.len() => Err(format!(
            "this has {} entries for {} values",
            all.len(),
            values.len()
        )),
        Value::Array(all) if all.iter().all(Value::is_string) => Ok(all.iter().map(text).collect()),
        Value::Object(all) if all.values().all(Value::is_string) => {
            let texts = values.iter().map(|value| text(all.get(value)?));
            Ok(texts.collect())
        }
        _ => Err("this is neither a list of strings nor an object of them".to_owned()),
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Returns names of variants, or the error in them.
fn different(all: Vec<Option<String>>) -> Result<Vec<Option<String>>, String> {
    let mut seen = HashSet::from(["Unrecognized".to_owned()]);
    for name in all.iter().flatten() {
        if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(format!("`{name}` is not a valid variant name"));
        }
        let variant = names::pascal(name);
        if !seen.insert(variant.clone()) {
            return Err(format!("the variant `{variant}` exists already"));
        }
    }
    Ok(all)
}
