//! The ids of operations. Each operation has its own, also where a document has an `operationId` twice: budgets, prices and spans of the two
//! are apart.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use openapi_document::json::{members_of, text_of};
use openapi_document::pointer;
use openapi_schemas::{Called, called, resolve};
use serde_json::Value;

use super::titles;

/// Maximum number of segments of a path that an id gets.
const MOST_SEGMENTS: usize = 4;

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

/// Returns the ids of operations, by their paths and methods: each its `operationId`, or else the words of its path.
pub fn operation_ids(document: &Value) -> BTreeMap<(&str, String), String> {
    let mut ids = Ids::new(document);
    let mut all = BTreeMap::new();
    for (path, _) in members_of(document, "paths").filter(|(path, _)| !path.starts_with("x-")) {
        let item = resolve(document, &pointer::join("/paths", path));
        let operations = item.into_iter().flat_map(|(_, item)| called(item));
        for Called { method, value, .. } in operations.filter(|one| one.value.is_object()) {
            let id = ids.take(&wanted(path, &method, value), path);
            all.insert((path.as_str(), method), id);
        }
    }
    all
}

/// Returns the id that an operation would have alone.
pub(super) fn wanted(path: &str, method: &str, operation: &Value) -> String {
    match text_of(operation, "operationId") {
        Some(id) => id.to_owned(),
        None => titles::from_path(&method.to_lowercase(), path),
    }
}

/// The ids of a document, and those that operations have by now.
struct Ids<'d> {
    written: BTreeSet<&'d str>,
    taken: BTreeSet<String>,
    /// The number to try next for each id that is wanted more than once.
    numbers: HashMap<String, usize>,
}

impl<'d> Ids<'d> {
    fn new(document: &'d Value) -> Self {
        Self {
            written: identified(document).map(|one| one.id).collect(),
            taken: BTreeSet::new(),
            numbers: HashMap::new(),
        }
    }

    /// Takes an id for an operation: the wanted one. If another operation has it, the last words of the path follow, and a number if need be.
    fn take(&mut self, wanted: &str, path: &str) -> String {
        if self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let mut words = String::new();
        let fixed = path.rsplit('/').filter(|segment| !segment.contains('{'));
        for segment in fixed.take(MOST_SEGMENTS) {
            let parts = segment.split(|c: char| !c.is_alphanumeric());
            let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
            if parts.is_empty() {
                continue;
            }
            words = format!("_{}{words}", parts.join("_"));
            let id = format!("{wanted}{words}");
            if self.is_new(&id) {
                return id;
            }
        }
        let mut number = self.numbers.get(wanted).copied().unwrap_or(2);
        let mut id = format!("{wanted}_{number}");
        while !self.is_new(&id) {
            number += 1;
            id = format!("{wanted}_{number}");
        }
        self.numbers.insert(wanted.to_owned(), number + 1);
        id
    }

    /// Takes an id, unless the document or another operation has it.
    fn is_new(&mut self, id: &str) -> bool {
        !self.written.contains(id) && self.taken.insert(id.to_owned())
    }
}
