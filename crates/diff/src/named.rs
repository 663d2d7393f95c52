//! What the operations of two documents are found by.

use std::collections::{BTreeMap, BTreeSet};

use openapi_schemas::called;
use serde_json::Value;

use super::http::Documents;
use super::schemas::Side;

/// The extension with the stability of an operation.
const STABILITY: &str = "x-stability-level";

/// What an operation is found by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// `operationId`, in either document.
    pub ids: BTreeSet<String>,
    /// Its tags in both documents.
    pub tags: BTreeSet<String>,
    /// What else it is called: by its path in the old document, where that has another text.
    pub also: BTreeSet<String>,
    /// How stable the old document calls it.
    pub stability: Option<String>,
}

impl Named {
    fn add<'d>(&mut self, operation: &'d Value, side: &mut Side<'d>) {
        let operation = side.object(operation).unwrap_or(operation);
        let id = operation.get("operationId").and_then(Value::as_str);
        self.ids.extend(id.map(str::to_owned));
        let tags = operation.get("tags").and_then(Value::as_array);
        let tags = tags.into_iter().flatten().filter_map(Value::as_str);
        self.tags.extend(tags.map(str::to_owned));
    }
}

/// The operations of both documents, as changes name them.
pub(super) fn named(documents: &mut Documents<'_>) -> BTreeMap<String, Named> {
    let mut all: BTreeMap<String, Named> = BTreeMap::new();
    let (old, new) = (&mut documents.schemas.old, &mut documents.schemas.new);
    for one in written(new) {
        all.entry(one.name(one.path))
            .or_default()
            .add(one.operation, new);
    }
    for one in written(old) {
        let matched = documents.matched.get(one.path).filter(|_| one.is_called);
        for path in matched.map_or([one.path].as_slice(), Vec::as_slice) {
            let named = all.entry(one.name(path)).or_default();
            named.add(one.operation, old);
            let object = old.object(one.operation);
            let stability = object.and_then(|operation| operation.get(STABILITY)?.as_str());
            named.stability = stability.map(str::to_owned);
            if *path != one.path {
                named.also.insert(one.name(one.path));
            }
        }
    }
    all
}

/// Adds the operations of the comparison of the next two versions. By each name that an operation had, all is known of it.
pub fn extend(all: &mut BTreeMap<String, Named>, next: BTreeMap<String, Named>) {
    for (name, mut named) in next {
        named.also.insert(name.clone());
        for before in named.also.clone().iter().filter_map(|name| all.get(name)) {
            named.ids.extend(before.ids.iter().cloned());
            named.tags.extend(before.tags.iter().cloned());
            named.also.extend(before.also.iter().cloned());
        }
        for other in &named.also {
            if let Some(known) = all.get_mut(other) {
                known.clone_from(&named);
            }
        }
        all.insert(name, named);
    }
}

/// An operation as a document has it.
struct Written<'d> {
    method: String,
    is_called: bool,
    path: &'d str,
    operation: &'d Value,
}

impl Written<'_> {
    /// Its name at a path.
    fn name(&self, path: &str) -> String {
        let webhook = if self.is_called { "" } else { "webhook " };
        format!("{} {webhook}{path}", self.method)
    }
}

fn written<'d>(side: &mut Side<'d>) -> Vec<Written<'d>> {
    let mut all = Vec::new();
    for (key, is_called) in [("paths", true), ("webhooks", false)] {
        let items = side.root.get(key).and_then(|items| side.object(items));
        let items = items.and_then(Value::as_object).into_iter().flatten();
        for (path, item) in items.filter(|(path, _)| !path.starts_with("x-")) {
            let Some(item) = side.object(item) else {
                continue;
            };
            all.extend(called(item).map(|one| Written {
                method: one.method,
                is_called,
                path,
                operation: one.value,
            }));
        }
    }
    all
}
