//! The top level of a response: the members that distinguish it from another JSON object, and those with its content.
//!
//! Records further inside stay tolerant: a schema that is also part of another one is a record, and no envelope.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Envelope, Model, Place, Schema, Shape};

/// The envelopes of all responses, by the name of their schema.
pub(super) fn envelopes(model: &Model) -> BTreeMap<String, Envelope> {
    let schemas = model.schemas.iter();
    let inside: BTreeSet<&str> = schemas
        .flat_map(|schema| schema.place.references())
        .collect();
    let top = model.operations.iter().filter_map(|operation| {
        let schema = model.referenced(operation.success()?)?;
        let is_own = !schema.usage.request && !inside.contains(schema.name.as_str());
        is_own.then(|| (schema.name.clone(), envelope(model, schema)))
    });
    top.collect()
}

fn envelope(model: &Model, schema: &Schema) -> Envelope {
    let mut envelope = Envelope::default();
    for property in schema.properties() {
        let (name, place) = (&property.name, &property.place);
        if schema.requires(name) {
            // A member with several names, or whose form is assumed, may be read from elsewhere or be anything.
            let is_plain = place.aliases.is_none() && place.rust_type.is_none();
            let is_promised = !place.nullable && !schema.assumes(name);
            if is_promised && is_plain && holds_content(model, place) {
                envelope.content.push(name.clone());
            }
            envelope.required.push(name.clone());
        }
    }
    envelope
}

/// Returns whether values are objects or arrays.
fn holds_content(model: &Model, place: &Place) -> bool {
    let schema = model.referenced(place);
    if let Some(alternatives) = schema.and_then(|schema| schema.alternatives()) {
        return alternatives.iter().all(|one| holds_content(model, one));
    }
    let place = schema.map_or(place, |schema| &schema.place);
    place.rust_type.is_none()
        && !place.nullable
        && matches!(
            place.shape,
            Shape::List(_) | Shape::Tuple(_) | Shape::Map(_) | Shape::Object(_)
        )
}
