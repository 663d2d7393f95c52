//! Flags and lists that several kinds of objects have.

use std::collections::HashSet;

use serde_json::Value;

use super::documents::Documents;
use super::scope::Scope;
use crate::verdicts::rules;

pub(super) fn deprecation<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    a: &'d Value,
    b: &'d Value,
) {
    let on = |value: &Value| value.get("deprecated") == Some(&Value::Bool(true));
    let rule = match (on(a), on(b)) {
        (false, true) => &rules::DEPRECATED,
        (true, false) => &rules::UNDEPRECATED,
        _ => return,
    };
    let (x, y) = (a.get("deprecated"), b.get("deprecated"));
    documents.changed(scope.both(), rule, "deprecated", (a, x), (b, y));
}

pub(super) fn is_required(value: &Value) -> bool {
    value.get("required") == Some(&Value::Bool(true))
}

/// Returns whether two lists have the same elements in any order.
pub(super) fn same_set(a: Option<&Value>, b: Option<&Value>) -> bool {
    let items = |value: Option<&'_ Value>| -> HashSet<String> {
        value
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(Value::to_string)
            .collect()
    };
    a == b || items(a) == items(b)
}
