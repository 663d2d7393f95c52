//! The documented defaults of what a request has to have: callers need not give it, and the default is sent.

use serde_json::Value;

use super::integer::Integer;
use super::model::Model;
use super::place::{Scalar, Shape};
use super::schema::Schema;

/// Returns the documented default of a required property, if it is a scalar, an enumeration value or an empty list.
pub fn sent_default<'m>(model: &'m Model, schema: &'m Schema, property: &str) -> Option<&'m Value> {
    let place = schema.property(property).filter(|place| !place.is_given)?;
    if !schema.insists_on(property) || schema.is_content(property) {
        return None;
    }
    let resolved = model.resolved(place);
    let value = place.default.as_ref().or(resolved.default.as_ref())?;
    let is_named = place.reference().is_some();
    let has_own_type = [place, resolved]
        .iter()
        .any(|one| one.rust_type.is_some() || one.native.is_some() || one.text_format().is_some());
    let is_of_type = match (&resolved.shape, value) {
        (Shape::Texts { values, .. }, Value::String(text)) => values.contains(text),
        (Shape::List(_), Value::Array(items)) => items.is_empty() && !is_named,
        (Shape::Scalar { kind, .. }, value) => match kind {
            Scalar::Text => value.is_string(),
            Scalar::Integer => {
                let integer = Integer::of(resolved, schema.usage);
                let number = value.as_i64();
                number.is_some_and(|number| integer.has(number.into())) && !is_named
            }
            Scalar::Number => value.is_number() && !is_named,
            Scalar::Boolean => value.is_boolean() && !is_named,
        },
        _ => false,
    };
    (is_of_type && !has_own_type).then_some(value)
}
