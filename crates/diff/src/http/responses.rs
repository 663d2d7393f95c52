//! Responses, with their links.

use serde_json::Value;

use super::documents::Documents;
use super::scope::Scope;
use crate::verdicts::{Mark, changed, rules};

impl<'d> Documents<'d> {
    pub(super) fn responses(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        for (x, y) in self.statuses(scope, a, b) {
            if let Some((x, y)) = self.objects_of(scope, scope.response, x, y) {
                self.response(scope, x, y);
            }
        }
        if let (Some(a), Some(b)) = (a.get("responses"), b.get("responses")) {
            let known: Vec<&str> = [a, b]
                .into_iter()
                .filter_map(Value::as_object)
                .flat_map(|map| map.keys())
                .map(String::as_str)
                .filter(|key| !key.starts_with("x-"))
                .collect();
            self.leftovers(&[scope.operation], scope.response, (a, b), &known);
        }
    }

    fn response(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        self.content(scope, scope.response, (a, b));
        self.headers(scope, scope.response, a, b);
        let links = |response: &'d Value| response.get("links").and_then(Value::as_object);
        let (before, after) = (links(a), links(b));
        for name in before.into_iter().chain(after).flat_map(|map| map.keys()) {
            let get =
                |map: Option<&'d serde_json::Map<String, Value>>| map.and_then(|map| map.get(name));
            let (x, y) = (get(before), get(after));
            let same = match (x, y) {
                (Some(x), Some(y)) => self.schemas.old.object(x) == self.schemas.new.object(y),
                _ => false,
            };
            if !same {
                self.direct(
                    scope.operation,
                    scope.response,
                    &rules::LINK_CHANGED,
                    Mark::within(x, a),
                    Mark::within(y, b),
                    || changed(name, x, y),
                );
            }
        }
        self.leftovers(
            &[scope.operation],
            scope.response,
            (a, b),
            &["content", "headers", "links"],
        );
    }
}
