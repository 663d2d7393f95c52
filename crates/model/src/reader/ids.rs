//! The ids of operations. Each operation has its own, also where a document has an `operationId` twice: budgets, prices and spans of the two
//! are apart.

use std::collections::{BTreeSet, HashMap};

use openapi_document::json::{members_of, text_of};
use openapi_document::pointer;
use openapi_schemas::{called, resolve};
use serde_json::Value;

/// An operation with the id that the document gives it.
pub(super) struct Identified<'d> {
    pub(super) path: &'d str,
    pub(super) method: String,
    pub(super) id: &'d str,
}

/// Returns all operations that have an `operationId`.
pub(super) fn identified(document: &Value) -> impl Iterator<Item = Identified<'_>> {
    members_of(document, "paths").flat_map(move |(path, _)| {
        let item = resolve(document, &pointer::join("/paths", path));
        let operations = item.into_iter().flat_map(|(_, item)| called(item));
        operations.filter_map(move |one| {
            Some(Identified {
                path,
                method: one.method.to_lowercase(),
                id: text_of(one.value, "operationId")?,
            })
        })
    })
}

/// The ids of a document, and those that operations have by now.
pub(super) struct Ids<'d> {
    written: BTreeSet<&'d str>,
    taken: BTreeSet<String>,
    /// The number to try next for each id that is wanted more than once.
    numbers: HashMap<String, usize>,
}

impl<'d> Ids<'d> {
    pub(super) fn new(document: &'d Value) -> Self {
        Self {
            written: identified(document).map(|one| one.id).collect(),
            taken: BTreeSet::new(),
            numbers: HashMap::new(),
        }
    }

    /// Takes an id for an operation: the wanted one, or with a number if another operation has it.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        if self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let number = self.numbers.entry(wanted.to_owned()).or_insert(2);
        loop {
            let id = format!("{wanted}_{number}");
            *number += 1;
            if !self.written.contains(id.as_str()) && self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}
