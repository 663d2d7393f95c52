//! The operations that a crate has, if `x-rust-package` names them. Types that only others use go with those.

use std::collections::BTreeSet;

use openapi_document::json::{elements_of, text_of};
use serde_json::Value;

/// Begins the name of a tag among those of operations.
const TAG: &str = "tag:";

/// The operations and webhooks of a document that a crate has.
#[derive(Clone, Debug, Default)]
pub struct Subset {
    /// The names of the chosen ones, each an `operationId`, `METHOD /path`, or `tag:NAME` for all of a tag; `None` for all.
    pub chosen: Option<Vec<String>>,
    /// The names of all of them.
    pub names: BTreeSet<String>,
    /// The pointers of those that are not chosen.
    pub others: BTreeSet<String>,
}

impl Subset {
    /// Returns whether the crate has an operation.
    pub fn has(&mut self, method: &str, path: &str, pointer: &str, operation: &Value) -> bool {
        let Some(chosen) = &self.chosen else {
            return true;
        };
        let mut names = vec![format!("{method} {path}")];
        names.extend(text_of(operation, "operationId").map(str::to_owned));
        let tags = elements_of(operation, "tags").iter();
        let tags = tags.filter_map(Value::as_str);
        names.extend(tags.map(|tag| format!("{TAG}{tag}")));
        let is_chosen = names.iter().any(|name| chosen.contains(name));
        self.names.extend(names);
        if !is_chosen {
            self.others.insert(pointer.to_owned());
        }
        is_chosen
    }
}
