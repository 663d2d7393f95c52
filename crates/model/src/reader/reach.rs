//! Schemas that operations and webhooks reach, and the direction in which their values are sent.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::schemas::Registered;
use crate::{Model, Object, Operation, Place, Property, Schema, Shape, Usage, WEBHOOKS, Webhook};

/// Keeps the schemas that operations and webhooks reach, with the direction of their values.
pub(super) fn reached(
    registered: Vec<Registered>,
    operations: &[Operation],
    webhooks: &[Webhook],
) -> Vec<Schema> {
    let places: HashMap<&str, &Place> = registered
        .iter()
        .map(|schema| (schema.name.as_str(), &schema.place))
        .collect();
    let sent = operations.iter().flat_map(Operation::sent);
    let received = operations.iter().flat_map(Operation::received);
    let received = received.chain(webhooks.iter().map(|webhook| &webhook.schema));
    let requested = reach(sent, |name| places.get(name).copied());
    let responded = reach(received, |name| places.get(name).copied());
    let mut schemas: Vec<Schema> = registered
        .iter()
        .filter_map(|schema| {
            let usage = Usage {
                request: requested.contains(&schema.name),
                response: responded.contains(&schema.name),
            };
            (usage.request || usage.response).then(|| Schema {
                name: schema.name.clone(),
                pointer: schema.pointer.clone(),
                place: demanded(schema.place.clone(), usage),
                usage,
                envelope: None,
                is_visible: true,
                feature: None,
            })
        })
        .collect();
    // Inline children were finished before their parents; documentation reads better by name.
    schemas.sort_by(|a, b| a.name.cmp(&b.name));
    schemas
}

/// Drops the schemas that are no longer reached, because the types that referred to them have lost their names.
pub(super) fn retain(model: &mut Model) {
    let operations = model.operations.iter();
    let places = operations.flat_map(|operation| operation.sent().chain(operation.received()));
    let webhooks = model.webhooks.iter().map(|webhook| &webhook.schema);
    let reached = reach_in(model, places.chain(webhooks));
    model
        .schemas
        .retain(|schema| reached.contains(&schema.name));
}

/// Marks the schemas whose types callers can see.
pub(super) fn mark_visible(model: &mut Model) {
    let mut places: Vec<&Place> = Vec::new();
    for operation in &model.operations {
        places.extend(operation.parameters.iter().map(|one| &one.schema));
        places.extend(operation.received());
        for body in &operation.bodies {
            let parts = model.given_by_part(body);
            places.extend(parts.unwrap_or_else(|| vec![&body.schema]));
        }
    }
    places.extend(model.webhooks.iter().map(|webhook| &webhook.schema));
    let visible = reach_in(model, places);
    for schema in &mut model.schemas {
        schema.is_visible = visible.contains(&schema.name);
    }
}

/// Marks the schemas that the operations of one group reach alone with its feature.
pub(super) fn mark_features(model: &mut Model) {
    let mut waiting: Vec<(&Place, Option<&str>)> = Vec::new();
    for operation in &model.operations {
        let places = operation.sent().chain(operation.received());
        waiting.extend(places.map(|place| (place, model.feature(operation))));
    }
    let of_webhooks = model.groups.iter().find(|group| group.name == WEBHOOKS);
    let of_webhooks = of_webhooks.map(|group| group.feature.as_str());
    let webhooks = model.webhooks.iter();
    waiting.extend(webhooks.map(|webhook| (&webhook.schema, of_webhooks)));
    // A feature changes at most once, to none: the time is linear in the references.
    let mut features: BTreeMap<String, Option<String>> = BTreeMap::new();
    while let Some((place, feature)) = waiting.pop() {
        for schema in place
            .references()
            .iter()
            .filter_map(|name| model.schema(name))
        {
            let known = features.get(&schema.name);
            let joined = match known {
                Some(known) if known.as_deref() != feature => None,
                _ => feature,
            };
            if known.is_none_or(|known| known.as_deref() != joined) {
                features.insert(schema.name.clone(), joined.map(str::to_owned));
                waiting.push((&schema.place, joined));
            }
        }
    }
    for schema in &mut model.schemas {
        schema.feature = features.remove(&schema.name).flatten();
    }
}

/// A schema without the demands that one side does not keep: a caller sends no `readOnly` property, a service no `writeOnly` one.
fn demanded(mut place: Place, usage: Usage) -> Place {
    if let Shape::Object(object) = &mut place.shape {
        let Object {
            properties,
            required,
            given,
            ..
        } = object;
        required.retain(|name| {
            let property = properties.iter().find(|property| property.name == *name);
            let Some(Property { place, .. }) = property else {
                return true;
            };
            let is_not_sent = usage.request && place.read_only;
            let is_not_received = usage.response && place.write_only;
            if usage.request && is_not_received && !is_not_sent && !place.nullable {
                given.push(name.clone());
            }
            !is_not_sent && !is_not_received
        });
    }
    place
}

fn reach_in<'m>(model: &'m Model, places: impl IntoIterator<Item = &'m Place>) -> BTreeSet<String> {
    reach(places, |name| Some(&model.schema(name)?.place))
}

/// Returns all schemas that places lead to, from a list rather than by recursion: a chain of them may be long.
fn reach<'p>(
    places: impl IntoIterator<Item = &'p Place>,
    find: impl Fn(&str) -> Option<&'p Place>,
) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&Place> = places.into_iter().collect();
    while let Some(place) = waiting.pop() {
        for name in place.references() {
            if let Some(place) = find(name)
                && reached.insert(name.to_owned())
            {
                waiting.push(place);
            }
        }
    }
    reached
}
