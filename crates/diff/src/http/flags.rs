//! Flags and lists that several kinds of objects have.

use std::collections::HashSet;

use openapi_document::json::is_true;
use serde_json::Value;

use super::documents::Documents;
use super::scope::Scope;
use crate::verdicts::{Both, Keyword, Rule, rules};

pub(super) fn deprecation<'d>(documents: &mut Documents<'d>, scope: Scope, both: Both<'d>) {
    let keyword = both.keyword("deprecated");
    if let Some(rule) = keyword.switched([&rules::DEPRECATED, &rules::UNDEPRECATED]) {
        documents.changed(scope.both(), rule, keyword);
    }
}

pub(super) fn is_required(value: &Value) -> bool {
    is_true(value, "required")
}

/// Compares whether a part of a message is required. The rules are for one that became required, and for one that became optional.
pub(super) fn requirement<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    both: Both<'d>,
    rules: [&'static Rule; 2],
    what: &str,
) {
    if let Some(rule) = both.keyword("required").switched(rules) {
        let now = if is_required(both.new) {
            "required"
        } else {
            "optional"
        };
        documents.note(scope, rule, both, || format!("{what} became {now}"));
    }
}

/// Returns whether two lists have the same elements in any order.
pub(super) fn same_set(lists: Keyword<'_, '_>) -> bool {
    !lists.differs() || elements(lists.old) == elements(lists.new)
}

/// Returns the elements of a list, in any order.
pub(super) fn elements(list: Option<&Value>) -> HashSet<String> {
    let elements = list.and_then(Value::as_array).into_iter().flatten();
    elements.map(Value::to_string).collect()
}
