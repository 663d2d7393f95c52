//! What a place of the normal form is as an argument: a plain value, a list of them, or a type of its own.

use std::collections::BTreeSet;

use openapi_document::pointer;
use serde_json::Value;

use super::body::{Body, BodyKind};
use super::formats::TextFormat;
use super::model::Model;
use super::operation::ParameterType;
use super::schema::{Schema, reference};

impl Model {
    /// What a place is as an argument.
    pub fn kind(&self, place: &Value) -> ParameterType {
        kind(place, &|name| self.schema(name).map(|schema| &schema.value))
    }

    /// The object whose properties are arguments of their own; `None` for a body that is one argument.
    pub fn spread(&self, body: &Body) -> Option<&Schema> {
        let schema = self.referenced(&body.schema)?;
        let required = schema.value.get("required").and_then(Value::as_array);
        let is_demanding = required.is_some_and(|names| !names.is_empty());
        let is_spread = match body.kind {
            BodyKind::Json => self.is_flat(schema),
            BodyKind::Form | BodyKind::Multipart => is_plain_object(schema),
            BodyKind::Text | BodyKind::Bytes | BodyKind::Any => false,
        };
        // What a body insists on is no reason to send an optional one.
        (is_spread && (body.required || !is_demanding)).then_some(schema)
    }

    /// The schemas that callers give as a whole: in another value, as a parameter, or as a body that is one argument.
    pub fn given_whole(&self) -> BTreeSet<&str> {
        let is_spread = |body: &Body| self.spread(body).is_some();
        let places = self.operations.iter().flat_map(|operation| {
            let bodies = operation.body.iter().filter(|body| !is_spread(body));
            let bodies = bodies.chain(&operation.bodies).map(|body| &body.schema);
            bodies.chain(operation.parameters.iter().map(|one| &one.schema))
        });
        let mut found = BTreeSet::new();
        for place in places.chain(self.schemas.iter().map(|schema| &schema.value)) {
            pointer::walk(place, "", &mut |_, value| found.extend(reference(value)));
        }
        found
    }

    /// Whether a schema is an object of plain values, so that a body of it can be given value by value. A value under a name is as plain as one
    /// that is written out.
    pub fn is_flat(&self, schema: &Schema) -> bool {
        is_plain_object(schema)
            && schema.properties().all(|(_, place)| {
                let named = reference(place).and_then(|name| self.schema(name));
                is_plain(place)
                    && named.is_none_or(|named| is_plain(&named.value))
                    && is_scalar(named.map_or(place, |named| &named.value))
            })
    }
}

/// Whether a schema says nothing that an argument of its own cannot carry.
fn is_plain(schema: &Value) -> bool {
    schema.get("format").and_then(Value::as_str) != Some("uint64")
        && schema.get("x-rust-type").is_none()
        && schema.get("nullable") != Some(&Value::Bool(true))
}

fn is_scalar(schema: &Value) -> bool {
    matches!(
        schema.get("type").and_then(Value::as_str),
        Some("string" | "integer" | "number" | "boolean")
    )
}

/// Whether the properties of an object are all that there is to it, so that each can be given by itself.
fn is_plain_object(schema: &Schema) -> bool {
    let mut composed = ["allOf", "oneOf", "anyOf"].iter();
    let required = schema.value.get("required").and_then(Value::as_array);
    let mut required = required.into_iter().flatten().filter_map(Value::as_str);
    let is_listed = |name: &str| schema.properties().any(|(property, _)| property == name);
    let is_open =
        matches!(schema.value.get("additionalProperties"), Some(more) if more.is_object());
    schema.properties().next().is_some()
        && !is_open
        && required.all(is_listed)
        && !composed.any(|key| schema.value.get(*key).is_some())
}

/// What a place is as an argument, with the values of named schemas.
pub fn kind<'s>(place: &Value, named: &dyn Fn(&str) -> Option<&'s Value>) -> ParameterType {
    let name = reference(place);
    let schema = name.and_then(named).unwrap_or(place);
    let typed = || ParameterType::Typed(place.clone());
    match (schema.get("type").and_then(Value::as_str), name) {
        (Some("string"), Some(name)) => ParameterType::Named(name.to_owned()),
        (Some("string"), None) => match TextFormat::of(schema) {
            Some(format) => ParameterType::Formatted(format),
            None => ParameterType::Text,
        },
        (Some("integer"), _) => ParameterType::Integer {
            signed: !schema
                .get("minimum")
                .and_then(Value::as_f64)
                .is_some_and(|minimum| minimum >= 0.0),
        },
        (Some("number"), _) => ParameterType::Number,
        (Some("boolean"), _) => ParameterType::Boolean,
        (Some("array"), _) if schema.get("prefixItems").is_some() => typed(),
        (Some("array"), _) => {
            let any = Value::Object(serde_json::Map::new());
            match kind(schema.get("items").unwrap_or(&any), named) {
                // What is not shown cannot be joined as other texts are.
                ParameterType::Formatted(TextFormat::Secret)
                | ParameterType::Typed(_)
                | ParameterType::List { .. }
                | ParameterType::File => typed(),
                item => ParameterType::List {
                    item: Box::new(item),
                    separator: None,
                },
            }
        }
        _ => typed(),
    }
}
