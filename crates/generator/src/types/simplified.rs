//! The copies of schemas that the engine gets: only the keywords that determine a Rust type.

use std::collections::HashMap;

use openapi_model::{Integer, Object, Others, Place, RuntimeType, Scalar, Schema, Shape, Usage};
use schemars::schema::{InstanceType, ObjectValidation, Schema as JsonSchema, SchemaObject};

use super::runtime::instead;

/// Returns the engine's name of a schema.
pub(super) fn number_name(number: usize) -> String {
    format!("T{number:06}")
}

/// Returns the engine's name of a runtime type.
pub(super) fn stand_in(runtime: &RuntimeType) -> String {
    format!("RuntimeType{}", runtime.name)
}

/// The schemas of a model by their names, which are numbers in the copies.
pub(super) struct Numbers<'m>(pub(super) HashMap<&'m str, usize>);

impl Numbers<'_> {
    /// A schema as the engine gets it.
    pub(super) fn schema(&self, schema: &Schema) -> JsonSchema {
        let usage = schema.usage;
        let Shape::Object(object) = &schema.place.shape else {
            return self.place(&schema.place, usage, usage.request && schema.place.nullable);
        };
        let mut copy = ObjectValidation::default();
        for (number, property) in object.properties.iter().enumerate() {
            let number = format!("f{number}");
            // The engine ignores keywords beside a reference.
            if usage.request && schema.requires(&property.name) && !property.place.nullable {
                copy.required.insert(number.clone());
            }
            let nullable = usage.request && property.place.nullable;
            let place = self.place(&property.place, usage, nullable);
            copy.properties.insert(number, place);
        }
        // Only members beside the properties have the type that the document gives them.
        if object.others != Others::Unmentioned {
            copy.additional_properties = Some(Box::new(self.others(&object.others, usage)));
        }
        object_of(copy, false)
    }

    /// A place as the engine gets it.
    fn place(&self, place: &Place, usage: Usage, nullable: bool) -> JsonSchema {
        if let Some(runtime) = instead(place) {
            return reference_to(&stand_in(runtime));
        }
        match &place.shape {
            Shape::Reference(name) => match self.0.get(name.as_str()) {
                Some(number) => reference_to(&number_name(*number)),
                None => SchemaObject::default().into(),
            },
            Shape::Any | Shape::Union { .. } => SchemaObject::default().into(),
            Shape::Texts { .. } => scalar(InstanceType::String, nullable).into(),
            Shape::Scalar { kind, .. } => match kind {
                Scalar::Text => scalar(InstanceType::String, nullable).into(),
                Scalar::Number => scalar(InstanceType::Number, nullable).into(),
                Scalar::Boolean => scalar(InstanceType::Boolean, nullable).into(),
                Scalar::Integer => SchemaObject {
                    format: Some(Integer::of(place, usage).format().to_owned()),
                    ..scalar(InstanceType::Integer, nullable)
                }
                .into(),
            },
            Shape::List(items) => {
                let mut list = scalar(InstanceType::Array, nullable);
                list.array().items = Some(self.element(items, usage).into());
                list.into()
            }
            Shape::Tuple(_) => scalar(InstanceType::Array, nullable).into(),
            Shape::Map(others) | Shape::Object(Object { others, .. }) => {
                let map = ObjectValidation {
                    additional_properties: Some(Box::new(self.others(others, usage))),
                    ..ObjectValidation::default()
                };
                object_of(map, nullable)
            }
        }
    }

    fn others(&self, others: &Others, usage: Usage) -> JsonSchema {
        match others {
            Others::Unmentioned => JsonSchema::Bool(true),
            Others::Of(place) => self.element(place, usage),
        }
    }

    /// Returns an element of a list or a map. A reference stays alone, and so does a type of the runtime; null is an alternative of it.
    fn element(&self, place: &Place, usage: Usage) -> JsonSchema {
        let copy = self.place(place, usage, place.nullable);
        let is_alone = place.reference().is_some() || instead(place).is_some();
        if !(place.nullable && is_alone) {
            return copy;
        }
        let mut either = SchemaObject::default();
        either.subschemas().one_of = Some(vec![copy, scalar(InstanceType::Null, false).into()]);
        either.into()
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

pub(super) fn text() -> JsonSchema {
    scalar(InstanceType::String, false).into()
}

fn object_of(object: ObjectValidation, nullable: bool) -> JsonSchema {
    SchemaObject {
        object: Some(Box::new(object)),
        ..scalar(InstanceType::Object, nullable)
    }
    .into()
}
