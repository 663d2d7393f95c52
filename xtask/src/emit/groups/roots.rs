//! What each operation mentions of the types and tables.

use std::collections::{BTreeSet, HashSet};

use syn::visit::Visit;

use super::homes::Home;
use super::mentions::Mentions;
use super::parts::Parts;
use crate::emit::Code;
use crate::openapi::{Model, Operation, reference};
use crate::pointer;

/// Where an operation is at home.
pub(super) fn home(model: &Model, operation: &Operation) -> Home {
    let group = model.group_index(operation);
    group.map_or(Home::Shared, Home::Group)
}

/// What the builders mention of a module.
pub(super) fn of_builders(code: &Code, parts: &Parts, module: &str) -> Vec<(String, Home)> {
    let builders = code.model.operations.iter().zip(&code.operations);
    let roots = builders.flat_map(|(operation, builder)| {
        let mut mentions = Mentions::of(&parts.names, module);
        mentions.visit_file(&builder.file);
        let home = home(&code.model, operation);
        mentions.found().into_iter().map(move |name| (name, home))
    });
    roots.collect()
}

/// The types of requests and responses, those of documented errors among them, which no builder mentions.
pub(super) fn of_document(model: &Model, names: &HashSet<String>) -> Vec<(String, Home)> {
    let roots = model.operations.iter().flat_map(|operation| {
        let mut found = BTreeSet::new();
        for schema in operation.sent().chain(operation.received()) {
            pointer::walk(schema, "", &mut |_, value| {
                let name = reference(value).filter(|name| names.contains(*name));
                found.extend(name.map(str::to_owned));
            });
        }
        let home = home(model, operation);
        found.into_iter().map(move |name| (name, home))
    });
    roots.collect()
}
