//! The copies of schemas that the engine gets: only what determines whether a field needs an option or a box.

use std::collections::HashMap;

use openapi_model::{Place, Scalar, Schema, Shape};
use schemars::schema::{InstanceType, ObjectValidation, Schema as JsonSchema, SchemaObject};

use super::runtime::instead;

/// Returns the engine's name of a schema.
pub(super) fn number_name(number: usize) -> String {
    format!("T{number:06}")
}

/// The schemas of a model by their names, which are numbers in the copies.
pub(super) struct Numbers<'m>(pub(super) HashMap<&'m str, usize>);

impl Numbers<'_> {
    /// A schema as the engine gets it.
    pub(super) fn schema(&self, schema: &Schema) -> JsonSchema {
        let is_sent = schema.usage.request;
        let Shape::Object(object) = &schema.place.shape else {
            return self.place(&schema.place, is_sent && schema.place.nullable);
        };
        let mut copy = ObjectValidation::default();
        for (number, property) in object.properties.iter().enumerate() {
            let number = format!("f{number}");
            // The engine ignores keywords beside a reference.
            if is_sent && schema.requires(&property.name) && !property.place.nullable {
                copy.required.insert(number.clone());
            }
            let place = self.place(&property.place, is_sent && property.place.nullable);
            copy.properties.insert(number, place);
        }
        SchemaObject {
            object: Some(Box::new(copy)),
            ..scalar(InstanceType::Object, false)
        }
        .into()
    }

    /// A place as the engine gets it. Lists and maps end every circle, whatever they hold.
    fn place(&self, place: &Place, nullable: bool) -> JsonSchema {
        if instead(place).is_some() {
            return text();
        }
        let kind = match &place.shape {
            Shape::Reference(name) => match self.0.get(name.as_str()) {
                Some(number) => return reference_to(&number_name(*number)),
                None => return SchemaObject::default().into(),
            },
            Shape::Any | Shape::Union { .. } => return SchemaObject::default().into(),
            Shape::Texts { .. } => InstanceType::String,
            Shape::Scalar { kind, .. } => match kind {
                Scalar::Text => InstanceType::String,
                Scalar::Integer => InstanceType::Integer,
                Scalar::Number => InstanceType::Number,
                Scalar::Boolean => InstanceType::Boolean,
            },
            Shape::List(_) | Shape::Tuple(_) => InstanceType::Array,
            Shape::Map(_) | Shape::Object(_) => InstanceType::Object,
        };
        scalar(kind, nullable).into()
    }
}

fn reference_to(name: &str) -> JsonSchema {
    SchemaObject::new_ref(format!("#/components/schemas/{name}")).into()
}

fn scalar(kind: InstanceType, nullable: bool) -> SchemaObject {
    let kind = if nullable {
        vec![kind, InstanceType::Null].into()
    } else {
        kind.into()
    };
    SchemaObject {
        instance_type: Some(kind),
        ..SchemaObject::default()
    }
}

/// A type about which the engine knows no more than its name.
pub(super) fn text() -> JsonSchema {
    scalar(InstanceType::String, false).into()
}
