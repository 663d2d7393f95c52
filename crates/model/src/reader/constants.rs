//! Properties with one value. In requests the type writes it, without a field. In a type that only a service sends, a string is the
//! received value, not an enumeration.
//!
//! An optional property with one value that distinguishes nothing is a choice of the caller, and stays an enumeration.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use crate::{Operation, Place, Property, Schema, Shape, Webhook};

/// The tag values of schemas as alternatives of unions, by schema and property; empty if a schema has several.
type Tags = HashMap<(String, String), BTreeSet<String>>;

/// Marks the properties of `schemas` that have one value.
pub(super) fn mark(schemas: &mut [Schema], operations: &[Operation], webhooks: &[Webhook]) {
    let single: BTreeMap<String, Place> = schemas
        .iter()
        .filter(|schema| only(&schema.place).is_some())
        .map(|schema| (schema.name.clone(), schema.place.clone()))
        .collect();
    let listed: HashMap<String, Vec<String>> = schemas
        .iter()
        .map(|schema| (schema.name.clone(), schema.texts().to_vec()))
        .collect();
    let tags = tags(schemas);
    let elsewhere = elsewhere(schemas, operations, webhooks);
    for schema in schemas {
        let (name, usage) = (schema.name.clone(), schema.usage);
        let required: Vec<String> = schema.required().to_vec();
        let Shape::Object(object) = &mut schema.place.shape else {
            continue;
        };
        for property in &mut object.properties {
            let place = &property.place;
            let target = place.reference().and_then(|target| single.get(target));
            let own = only(place).or_else(|| target.and_then(only));
            let key = (name.clone(), property.name.clone());
            let tag = tags.get(&key);
            let constant = match own {
                Some(value) if usage.request => {
                    let is_required = required.contains(&property.name) && !place.nullable;
                    let mut places = [Some(place), target].into_iter().flatten();
                    let is_default = places.any(|one| one.default.as_ref() == Some(&value));
                    let text = value.as_str();
                    let is_tag = text.zip(tag).is_some_and(|(text, tag)| tag.contains(text));
                    (is_required || is_default || is_tag).then_some(value)
                }
                Some(value) => Some(value).filter(Value::is_string),
                None => only_tag(property, tag, &listed)
                    .filter(|_| usage.request && !elsewhere.contains(name.as_str()))
                    .map(Value::from),
            };
            if let Some(value) = constant {
                property.place = of_one(place, target, value, usage.request);
            }
        }
    }
}

/// The place of a property with one value.
fn of_one(place: &Place, target: Option<&Place>, value: Value, is_sent: bool) -> Place {
    let description = target.and_then(|target| target.description.clone());
    let shape = match &value {
        Value::String(text) => Shape::Texts {
            values: vec![text.clone()],
            is_open: !is_sent,
        },
        _ => target.unwrap_or(place).shape.clone(),
    };
    Place {
        shape,
        nullable: place.nullable && !is_sent,
        description: place.description.clone().or(description),
        constant: is_sent.then_some(value),
        ..place.clone()
    }
}

/// The only value of an enumeration.
fn only(place: &Place) -> Option<Value> {
    let is_open = matches!(place.shape, Shape::Texts { is_open: true, .. });
    let is_plain = !is_open && place.aliases.is_none() && place.rust_type.is_none();
    place.only_value().filter(|_| is_plain)
}

/// The value that a union gives a property which could have others by itself.
fn only_tag(
    property: &Property,
    tag: Option<&BTreeSet<String>>,
    listed: &HashMap<String, Vec<String>>,
) -> Option<String> {
    let mut values = tag?.iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let place = &property.place;
    let is_plain = place.rust_type.is_none() && place.aliases.is_none() && place.format.is_none();
    let target = place.reference().and_then(|target| listed.get(target));
    let fits = match (&place.shape, target) {
        (Shape::Texts { values, .. }, _) => values.contains(value),
        (Shape::Reference(_), Some(values)) => values.contains(value),
        (_, _) => place.is_any_string(),
    };
    (is_plain && fits).then(|| value.clone())
}

fn tags(schemas: &[Schema]) -> Tags {
    let mut found: Tags = HashMap::new();
    let mut several = BTreeSet::new();
    for schema in schemas {
        let Shape::Union {
            alternatives,
            tag: Some(tag),
        } = &schema.place.shape
        else {
            continue;
        };
        for (alternative, values) in alternatives.iter().zip(&tag.values) {
            let Some(name) = alternative.reference() else {
                continue;
            };
            let key = (name.to_owned(), tag.property.clone());
            match values.as_slice() {
                [value] => {
                    found.entry(key).or_default().insert(value.clone());
                }
                _ => {
                    several.insert(key);
                }
            }
        }
    }
    found.retain(|key, _| !several.contains(key));
    found
}

/// The schemas that values are of without a union around them.
fn elsewhere<'s>(
    schemas: &'s [Schema],
    operations: &'s [Operation],
    webhooks: &'s [Webhook],
) -> BTreeSet<String> {
    let places = schemas
        .iter()
        .map(|schema| &schema.place)
        .filter(|place| !matches!(place.shape, Shape::Union { .. }));
    let operations = operations
        .iter()
        .flat_map(|one| one.sent().chain(one.received()));
    let webhooks = webhooks.iter().map(|webhook| &webhook.schema);
    let all = places.chain(operations).chain(webhooks);
    all.flat_map(Place::references).map(str::to_owned).collect()
}
