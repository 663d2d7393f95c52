//! Parts of a document that the model leaves out: a walk through its operations after everything is read. Each part is a warning at its
//! place, once. Examples, documentation and extensions have no effect, and are skipped.

mod body;
mod members;
mod operation;
mod part;
mod schema;

use std::collections::{BTreeSet, HashSet};

use openapi_document::finding::{Finding, keep};
use openapi_document::source::Source;
use openapi_schemas::resolve;
use serde_json::Value;

pub use part::in_part;

use crate::Model;

/// Notes the parts that the model leaves out. `placed` are the places outside of schemas whose schemas were read.
pub(super) fn note(
    model: &Model,
    source: &Source,
    placed: &BTreeSet<String>,
    warnings: &mut Vec<Finding>,
) {
    let mut walk = Walk {
        source,
        placed,
        seen: HashSet::new(),
        warnings,
    };
    for operation in &model.operations {
        walk.operation(operation, &model.servers);
    }
    walk.webhooks();
    walk.servers(&model.servers);
    for at in placed {
        schema::schemas(&mut walk, at);
    }
}

/// A walk through a document. Each place is visited once, whatever refers to it.
struct Walk<'w> {
    source: &'w Source,
    placed: &'w BTreeSet<String>,
    seen: HashSet<String>,
    warnings: &'w mut Vec<Finding>,
}

impl<'w> Walk<'w> {
    /// Returns the value at a place, references followed; `None` at the second visit.
    fn visit(&mut self, at: &str) -> Option<(String, &'w Value)> {
        let (pointer, value) = resolve(&self.source.value, at)?;
        self.seen
            .insert(pointer.clone())
            .then_some((pointer, value))
    }

    fn warn(&mut self, rule: &'static str, at: &str, message: impl Into<String>, help: &str) {
        let finding = self.source.finding(rule, at, message, help);
        keep(self.warnings, finding.warning());
    }
}
