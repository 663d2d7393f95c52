//! Names, tags and ids by which the operations of two documents are found.

use std::collections::{BTreeMap, BTreeSet};

use openapi_schemas::called;
use serde_json::Value;

use super::http::Documents;
use openapi_schemas::reading::Document;

/// The extension with the stability of an operation.
const STABILITY: &str = "x-stability-level";

/// Properties by which an operation is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// `operationId`, in either document.
    pub ids: BTreeSet<String>,
    /// Tags of the operation in both documents.
    pub tags: BTreeSet<String>,
    /// Other names of the operation: with its path in the old document, if that differs.
    pub also: BTreeSet<String>,
    /// Stability level in the old document.
    pub stability: Option<String>,
}

impl Named {
    fn add<'d>(&mut self, operation: &'d Value, side: &mut Document<'d>) {
        let operation = side.object(operation).unwrap_or(operation);
        let id = operation.get("operationId").and_then(Value::as_str);
        self.ids.extend(id.map(str::to_owned));
        let tags = operation.get("tags").and_then(Value::as_array);
        let tags = tags.into_iter().flatten().filter_map(Value::as_str);
        self.tags.extend(tags.map(str::to_owned));
    }
}

/// Returns the operations of both documents, by the names used in changes.
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

/// Operation as written in a document.
struct Written<'d> {
    method: String,
    is_called: bool,
    path: &'d str,
    operation: &'d Value,
}

impl Written<'_> {
    /// Returns the name of the operation at a path.
    fn name(&self, path: &str) -> String {
        let webhook = if self.is_called { "" } else { "webhook " };
        format!("{} {webhook}{path}", self.method)
    }
}

fn written<'d>(side: &mut Document<'d>) -> Vec<Written<'d>> {
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
