//! The names of types whose schemas have none in the document, given when all are read, so that their order has no effect.
//!
//! Equal ones are one type. Its name is its title, else that of its owner and its place there. A name depends on the owner, and
//! on other types only if they want the same name.

mod equal;
mod wanted;

use std::collections::HashMap;

use openapi_document::finding::Finding;
use openapi_document::source::Source;

use super::schemas::Inline;
use crate::{Model, Schema};

/// Names the types of `model`. `inline` are those without a name, by the names that they have until now.
pub(super) fn name(
    model: &mut Model,
    inline: &HashMap<String, Inline>,
    source: &Source,
    warnings: &mut Vec<Finding>,
) {
    let classes = equal::classes(model, inline);
    let named = wanted::names(model, inline, &classes);
    for (first, wanted) in &named.numbered {
        let name = named.of.get(first).map_or("", String::as_str);
        let pointer = model.schema(first).map_or("", |schema| &schema.pointer);
        let finding = source.finding(
            "type-name",
            pointer,
            format!("the Rust type `{wanted}` is there already; this schema becomes `{name}`"),
            "rename one with `x-rust-type-name` in an override",
        );
        warnings.push(finding.warning());
    }
    let new = |name: &str| {
        let first = classes.get(name).map_or(name, String::as_str);
        named.of.get(first).cloned()
    };
    model.schemas = together(std::mem::take(&mut model.schemas), &classes);
    for schema in &mut model.schemas {
        schema.place.rename(&new);
        if let Some(name) = new(&schema.name) {
            schema.name = name;
        }
    }
    model.schemas.sort_by(|a, b| a.name.cmp(&b.name));
    for operation in &mut model.operations {
        operation.rename(&new);
    }
    for webhook in &mut model.webhooks {
        webhook.schema.rename(&new);
    }
}

/// Merges each class into one schema, in all directions of its schemas. Keywords that only some of them have are dropped.
fn together(schemas: Vec<Schema>, classes: &HashMap<String, String>) -> Vec<Schema> {
    let mut firsts: HashMap<String, Schema> = HashMap::new();
    let mut others = Vec::new();
    for schema in schemas {
        let is_first = classes
            .get(&schema.name)
            .is_none_or(|first| *first == schema.name);
        if is_first {
            firsts.insert(schema.name.clone(), schema);
        } else {
            others.push(schema)
        }
    }
    for other in others {
        let first = classes.get(&other.name);
        if let Some(first) = first.and_then(|first| firsts.get_mut(first)) {
            first.usage.request |= other.usage.request;
            first.usage.response |= other.usage.response;
            if first.place.description != other.place.description {
                first.place.description = None;
            }
        }
    }
    firsts.into_values().collect()
}
