//! Reads the schemas of an operation's error responses. Operations with equal schemas get one enum.

use std::collections::{BTreeMap, BTreeSet};

use crate::names;
use crate::{ErrorVariant, Errors, Model, Operation, Place, Scalar, Shape};

/// Gives each operation its documented errors. An enum is named by the schemas that it holds, whichever operation comes first.
pub(super) fn read(model: &mut Model) {
    let mut taken: BTreeSet<String> = model.schemas.iter().map(|one| one.name.clone()).collect();
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for operation in &mut model.operations {
        let variants = variants(operation);
        let enumeration = (variants.len() > 1).then(|| {
            // The payloads of the variants, in order: equal enums have equal lists.
            let parts: Vec<_> = variants.iter().map(|one| (&one.name, of(one))).collect();
            let key = format!("{parts:?}");
            let name = known.entry(key).or_insert_with(|| {
                let names: Vec<&str> = variants.iter().map(|one| one.name.as_str()).collect();
                let mut name = names.join("Or");
                while !taken.insert(name.clone()) {
                    name.push_str("Error");
                }
                name
            });
            name.clone()
        });
        operation.errors = (!variants.is_empty()).then_some(Errors {
            enumeration,
            variants,
        });
    }
}

/// Returns the schemas of an operation's error responses, by the names of their variants. Empty schemas are left out.
fn variants(operation: &Operation) -> Vec<ErrorVariant> {
    let mut variants: Vec<ErrorVariant> = Vec::new();
    for other in &operation.other_responses {
        let schema = other.schema.as_ref();
        let Some(schema) = schema.filter(|schema| schema.shape != Shape::Any) else {
            continue;
        };
        let is_same = |one: &&mut ErrorVariant| type_of(&one.schema) == type_of(schema);
        match variants.iter_mut().find(is_same) {
            Some(known) => known.statuses.push(other.status.clone()),
            None => variants.push(ErrorVariant {
                name: variant(schema),
                schema: schema.clone(),
                statuses: vec![other.status.clone()],
            }),
        }
    }
    variants.sort_by(|one, other| one.name.cmp(&other.name));
    let mut seen = BTreeSet::new();
    for one in &mut variants {
        while !seen.insert(one.name.clone()) {
            one.name.push('2');
        }
    }
    variants
}

/// Returns the parts of a place that determine its type.
fn type_of(place: &Place) -> (&Shape, bool, Option<&str>, Option<&str>) {
    let format = place.format.as_deref();
    (
        &place.shape,
        place.nullable,
        format,
        place.rust_type.as_deref(),
    )
}

fn of(variant: &ErrorVariant) -> (&Shape, bool, Option<&str>, Option<&str>) {
    type_of(&variant.schema)
}

fn variant(place: &Place) -> String {
    let name = match &place.shape {
        Shape::Reference(name) => return name.clone(),
        Shape::List(items) => return names::pascal(&format!("{} list", variant(items))),
        Shape::Map(_) => "Map",
        _ => match place.scalar() {
            Some(Scalar::Text) => "Text",
            Some(Scalar::Boolean) => "Boolean",
            Some(_) => "Number",
            None => "Json",
        },
    };
    name.to_owned()
}
