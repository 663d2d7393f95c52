//! Flags and lists that several kinds of objects have.

use std::collections::HashSet;

use serde_json::Value;

use super::documents::Documents;
use super::scope::Scope;
use crate::verdicts::{Mark, changed, rules, way};

impl<'d> Documents<'d> {
    pub(super) fn deprecation(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        let on = |value: &Value| value.get("deprecated") == Some(&Value::Bool(true));
        let rule = match (on(a), on(b)) {
            (false, true) => &rules::DEPRECATED,
            (true, false) => &rules::UNDEPRECATED,
            _ => return,
        };
        let (x, y) = (a.get("deprecated"), b.get("deprecated"));
        self.direct(
            scope.operation,
            way::BOTH,
            rule,
            Mark::within(x, a),
            Mark::within(y, b),
            || changed("deprecated", x, y),
        );
    }
}

pub(super) fn is_required(value: &Value) -> bool {
    value.get("required") == Some(&Value::Bool(true))
}

/// Whether two lists have the same elements in any order.
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
