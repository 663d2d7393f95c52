//! The shape of a schema for which an override has chosen a type of the runtime: what it says, without names for what is in it.

use serde_json::Value;

use super::said;
use crate::openapi::{Object, Others, Place, Property, Scalar, Shape};
use crate::pointer;

/// The shape that a schema says. `put` makes a place of its elements, and of members without a name.
pub(super) fn as_written(
    schema: &Value,
    at: &str,
    put: &mut dyn FnMut(&str, &Value) -> Place,
) -> Shape {
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    let text = |key: &str| schema.get(key).and_then(Value::as_str);
    if let Some((_, name)) = text("$ref").and_then(pointer::split_last) {
        return Shape::Reference(name);
    }
    let mut inner = |key: &str| {
        let inner = schema.get(key).filter(|inner| inner.is_object())?;
        Some(Box::new(put(key, inner)))
    };
    let texts: Option<Vec<String>> = list("enum").and_then(|values| {
        let texts = values.iter().filter(|value| !value.is_null());
        texts
            .map(|value| value.as_str().map(str::to_owned))
            .collect()
    });
    match (text("type"), texts) {
        (Some("string") | None, Some(values)) if !values.is_empty() => Shape::Texts {
            values,
            is_open: false,
        },
        (Some("string"), _) => Shape::scalar(Scalar::Text),
        (Some("integer"), _) => Shape::scalar(Scalar::Integer),
        (Some("number"), _) => Shape::scalar(Scalar::Number),
        (Some("boolean"), _) => Shape::scalar(Scalar::Boolean),
        (Some("array"), _) => Shape::List(inner("items").unwrap_or_default()),
        (kind, _) => {
            let others = match schema.get("additionalProperties") {
                Some(Value::Bool(true)) => Others::Any,
                _ => inner("additionalProperties").map_or(Others::Unmentioned, Others::Of),
            };
            let properties = properties(schema, at);
            let alternatives = list("oneOf").or(list("anyOf"));
            match (kind, alternatives) {
                _ if !properties.is_empty() => Shape::Object(Object {
                    properties,
                    required: required(schema),
                    others,
                }),
                (Some("object"), _) => Shape::Map(others),
                (_, Some(alternatives)) => Shape::Union {
                    alternatives: alternatives.iter().map(|one| place(one, at)).collect(),
                    tag: None,
                },
                _ => Shape::Any,
            }
        }
    }
}

fn place(schema: &Value, at: &str) -> Place {
    let shape = as_written(schema, at, &mut |key, inner| {
        place(inner, &pointer::join(at, key))
    });
    let keywords = schema.as_object().cloned().unwrap_or_default();
    said::place(shape, &keywords, false)
}

fn properties(schema: &Value, at: &str) -> Vec<Property> {
    let at = pointer::join(at, "properties");
    let properties = schema.get("properties").and_then(Value::as_object);
    let properties = properties.into_iter().flatten();
    let written = properties.map(|(name, schema)| {
        let pointer = pointer::join(&at, name);
        Property {
            name: name.clone(),
            place: place(schema, &pointer),
            pointer,
        }
    });
    written.collect()
}

fn required(schema: &Value) -> Vec<String> {
    let required = schema.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}
