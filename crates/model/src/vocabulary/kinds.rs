//! What a place of the normal form is as an argument: a plain value, a list of them, or a type of its own.

use std::collections::BTreeSet;

use super::body::{Body, BodyKind};
use super::model::Model;
use super::operation::ParameterType;
use super::place::{Others, Place, Scalar, Shape};
use super::schema::Schema;

impl Model {
    /// What a place is as an argument.
    pub fn kind(&self, place: &Place) -> ParameterType {
        kind(place, &|name| self.schema(name).map(|schema| &schema.place))
    }

    /// The object whose properties are arguments of their own; `None` for a body that is one argument.
    pub fn spread(&self, body: &Body) -> Option<&Schema> {
        let schema = self.referenced(&body.schema)?;
        let is_spread = match body.kind {
            BodyKind::Json => self.is_flat(schema),
            BodyKind::Form | BodyKind::Multipart => is_plain_object(schema),
            BodyKind::Text | BodyKind::Bytes | BodyKind::Any => false,
        };
        // What a body insists on is no reason to send an optional one.
        (is_spread && (body.required || schema.required().is_empty())).then_some(schema)
    }

    /// The schemas that callers give as a whole: in another value, as a parameter, or as a body that is one argument.
    pub fn given_whole(&self) -> BTreeSet<&str> {
        let is_spread = |body: &Body| self.spread(body).is_some();
        let places = self.operations.iter().flat_map(|operation| {
            let bodies = operation.body.iter().filter(|body| !is_spread(body));
            let bodies = bodies.chain(&operation.bodies).map(|body| &body.schema);
            bodies.chain(operation.parameters.iter().map(|one| &one.schema))
        });
        let places = places.chain(self.schemas.iter().map(|schema| &schema.place));
        places.flat_map(Place::references).collect()
    }

    /// Whether a schema is an object of plain values, so that a body of it can be given value by value. A value under a name is as plain as one
    /// that is written out.
    pub fn is_flat(&self, schema: &Schema) -> bool {
        is_plain_object(schema)
            && schema.properties().iter().all(|property| {
                let resolved = self.resolved(&property.place);
                is_plain(&property.place) && is_plain(resolved) && resolved.scalar().is_some()
            })
    }
}

/// Whether a schema says nothing that an argument of its own cannot carry.
fn is_plain(place: &Place) -> bool {
    !place.is_u64() && place.rust_type.is_none() && !place.nullable
}

/// Whether the properties of an object are all that there is to it, so that each can be given by itself.
fn is_plain_object(schema: &Schema) -> bool {
    let Some(object) = schema.object() else {
        return false;
    };
    let is_listed = |name: &String| schema.property(name).is_some();
    let mut properties = object.properties.iter();
    properties.any(|property| property.place.constant.is_none())
        && !matches!(object.others, Others::Of(_))
        && object.required.iter().all(is_listed)
}

/// What a place is as an argument, with the values of named schemas.
pub fn kind<'s>(place: &Place, named: &dyn Fn(&str) -> Option<&'s Place>) -> ParameterType {
    let name = place.reference();
    let resolved = name.and_then(named).unwrap_or(place);
    let typed = || ParameterType::Typed(Box::new(place.clone()));
    match (&resolved.shape, resolved.scalar(), name) {
        (_, Some(Scalar::Text), Some(name)) => ParameterType::Named(name.to_owned()),
        (_, Some(Scalar::Text), None) => match resolved.text_format() {
            Some(format) => ParameterType::Formatted(format),
            None => ParameterType::Text,
        },
        (_, Some(Scalar::Integer), _) => {
            let minimum = resolved.bounds.minimum.as_ref();
            let minimum = minimum.and_then(serde_json::Number::as_f64);
            ParameterType::Integer {
                signed: !minimum.is_some_and(|minimum| minimum >= 0.0),
            }
        }
        (_, Some(Scalar::Number), _) => ParameterType::Number,
        (_, Some(Scalar::Boolean), _) => ParameterType::Boolean,
        (Shape::List(items), ..) => match kind(items, named) {
            // What is not shown cannot be joined as other texts are.
            ParameterType::Formatted(runtime) if runtime.is_secret() => typed(),
            ParameterType::Typed(_) | ParameterType::List { .. } | ParameterType::File => typed(),
            item => ParameterType::List {
                item: Box::new(item),
                separator: None,
            },
        },
        _ => typed(),
    }
}
