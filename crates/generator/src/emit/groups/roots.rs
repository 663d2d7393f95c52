//! The types and tables that each operation mentions.

use std::collections::{BTreeSet, HashSet};

use openapi_model::{Model, Operation, WEBHOOKS};
use syn::visit::Visit;

use super::membership::Membership;
use super::mentions::Mentions;
use super::parts::Parts;
use crate::emit::Code;

/// Where an operation belongs.
pub(super) fn membership(model: &Model, operation: &Operation) -> Membership {
    let group = model.group_index(operation);
    group.map_or(Membership::Shared, Membership::Group)
}

/// Returns the names of a module that the builders mention.
pub(super) fn of_builders(code: &Code, parts: &Parts, module: &str) -> Vec<(String, Membership)> {
    let builders = code.model.operations.iter().zip(&code.operations);
    let roots = builders.flat_map(|(operation, builder)| {
        let mut mentions = Mentions::of(&parts.names, module);
        mentions.visit_file(&builder.file);
        let membership = membership(&code.model, operation);
        mentions
            .found()
            .into_iter()
            .map(move |name| (name, membership))
    });
    roots.collect()
}

/// The types of requests, responses and webhooks, those of documented errors among them, which no builder mentions.
pub(super) fn of_document(model: &Model, names: &HashSet<String>) -> Vec<(String, Membership)> {
    let of_webhooks = model.groups.iter().position(|group| group.name == WEBHOOKS);
    let webhooks = model.webhooks.iter().map(|webhook| {
        let membership = of_webhooks.map_or(Membership::Shared, Membership::Group);
        (vec![&webhook.schema], membership)
    });
    let operations = model.operations.iter().map(|operation| {
        let schemas = operation.sent().chain(operation.received());
        (schemas.collect(), membership(model, operation))
    });
    let roots = operations
        .chain(webhooks)
        .flat_map(|(schemas, membership)| {
            let mut found = BTreeSet::new();
            for schema in schemas {
                let all = schema.references().into_iter();
                let known = all.filter(|name| names.contains(*name));
                found.extend(known.map(str::to_owned));
            }
            found.into_iter().map(move |name| (name, membership))
        });
    roots.collect()
}
