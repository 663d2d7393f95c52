//! Parts of a document that the model leaves out: a walk through its operations after everything is read. Each part is a warning at its
//! place, once. Examples, documentation and extensions have no effect, and are skipped.

mod body;
mod members;
mod operation;
mod schema;

use std::collections::{BTreeSet, HashSet};

use openapi_schemas::resolve;
use serde_json::Value;

use super::notes::Notes;
use crate::Model;

/// Notes the parts that the model leaves out. `placed` are the places outside of schemas whose schemas were read.
pub(super) fn note(notes: &mut Notes<'_>, model: &Model, placed: &BTreeSet<String>) {
    let mut walk = Walk {
        notes,
        placed,
        seen: HashSet::new(),
    };
    for operation in &model.operations {
        walk.operation(operation, &model.servers);
        for body in &operation.bodies {
            walk.unnamed_parts(model, body);
        }
    }
    walk.webhooks();
    walk.servers(&model.servers);
    for at in placed {
        schema::schemas(&mut walk, at);
    }
}

/// A walk through a document. Each place is visited once, whatever refers to it.
struct Walk<'w, 'd> {
    notes: &'w mut Notes<'d>,
    placed: &'w BTreeSet<String>,
    seen: HashSet<String>,
}

impl<'d> Walk<'_, 'd> {
    /// Returns the value at a place, references followed; `None` at the second visit.
    fn visit(&mut self, at: &str) -> Option<(String, &'d Value)> {
        let (pointer, value) = resolve(&self.notes.source.value, at)?;
        self.seen
            .insert(pointer.clone())
            .then_some((pointer, value))
    }
}
