//! The names of types whose schemas have none in the document, given when all are read, so that their order has no effect.
//!
//! The name of one is its title, else that of its owner and its place there. A name depends on the owner, and on other types only if they
//! want the same name: a schema more, or a change of another one, renames nothing.

mod wanted;

use std::collections::HashMap;

use super::notes::Notes;
use super::schemas::Inline;
use crate::Model;

/// Names the types of `model`. `inline` are those without a name, by the names that they have until now.
pub(super) fn name(notes: &mut Notes<'_>, model: &mut Model, inline: &HashMap<String, Inline>) {
    let named = wanted::names(model, inline);
    for (until_now, wanted) in &named.numbered {
        let name = named.of.get(until_now).map_or("", String::as_str);
        let pointer = model.schema(until_now).map_or("", |schema| &schema.pointer);
        notes.warn(
            "type-name",
            pointer,
            format!("the Rust type `{wanted}` is there already; this schema becomes `{name}`"),
            "rename one with `x-rust-type-name` in an override",
        );
    }
    for schema in &mut model.schemas {
        schema.place.rename(&named.of);
        if let Some(name) = named.of.get(&schema.name) {
            schema.name.clone_from(name);
        }
    }
    model.schemas.sort_by(|a, b| a.name.cmp(&b.name));
    for operation in &mut model.operations {
        operation.rename(&named.of);
    }
    for webhook in &mut model.webhooks {
        webhook.schema.rename(&named.of);
    }
}
