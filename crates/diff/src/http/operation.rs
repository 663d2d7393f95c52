//! One operation: its parameters, body and responses, and what is said about it.

use serde_json::Value;

use super::documents::Documents;
use super::flags::same_set;
use super::scope::{Item, Scope};
use crate::verdicts::{Mark, changed, rules, way};

impl<'d> Documents<'d> {
    /// Compares an operation of the two documents.
    pub(super) fn operations_of(
        &mut self,
        scope: Scope,
        old: (&Item<'d>, &'d Value),
        new: (&Item<'d>, &'d Value),
    ) {
        let (a, b) = (old.1, new.1);
        self.met(a, b);
        self.parameters(scope, old, new);
        self.body(scope, a, b);
        self.responses(scope, a, b);
        self.callbacks(scope, a, b);
        self.security(scope, a, b);
        self.servers(scope, old, new);
        self.deprecation(scope, a, b);
        let (x, y) = (a.get("operationId"), b.get("operationId"));
        if x != y {
            self.direct(
                scope.operation,
                way::BOTH,
                &rules::OPERATION_ID,
                Mark::within(x, a),
                Mark::within(y, b),
                || changed("operationId", x, y),
            );
        }
        let (x, y) = (a.get("tags"), b.get("tags"));
        if !same_set(x, y) {
            self.direct(
                scope.operation,
                way::BOTH,
                &rules::DOCS_CHANGED,
                Mark::within(x, a),
                Mark::within(y, b),
                || changed("tags", x, y),
            );
        }
        let known = [
            "parameters",
            "requestBody",
            "responses",
            "callbacks",
            "security",
            "servers",
            "deprecated",
            "operationId",
            "tags",
        ];
        self.leftovers(&[scope.operation], way::BOTH, (a, b), &known);
    }
}
