//! Responses by status code, with their headers and links.

use std::collections::BTreeMap;

use serde_json::Value;

use super::documents::Documents;
use super::flags::is_required;
use super::scope::Scope;
use crate::diff::verdicts::{Mark, changed, rules};

impl<'d> Documents<'d> {
    pub(super) fn responses(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        let all = |operation: &'d Value| -> BTreeMap<String, &'d Value> {
            let map = operation.get("responses").and_then(Value::as_object);
            let listed = map
                .into_iter()
                .flatten()
                .filter(|(status, _)| !status.starts_with("x-"));
            listed
                .map(|(status, response)| (status.to_uppercase(), response))
                .collect()
        };
        let (before, after) = (all(a), all(b));
        let mut taken: Vec<&str> = Vec::new();
        for (status, x) in &before {
            let range = format!("{}XX", status.get(..1).unwrap_or_default());
            let found = after.get_key_value(status).or_else(|| {
                after
                    .get_key_value(&range)
                    .filter(|(range, _)| !before.contains_key(*range))
            });
            match found {
                Some((key, y)) => {
                    taken.push(key);
                    if let Some((x, y)) = self.objects_of(scope, scope.response, x, y) {
                        self.response(scope, x, y);
                    }
                }
                None => {
                    let rule = if is_success(status) {
                        &rules::RESPONSE_REMOVED
                    } else {
                        &rules::RESPONSE_ERROR_REMOVED
                    };
                    self.direct(
                        scope.operation,
                        scope.response,
                        rule,
                        Mark::at(x),
                        Mark::NONE,
                        || format!("the response {status} is gone"),
                    );
                }
            }
        }
        for (status, y) in after
            .iter()
            .filter(|(status, _)| !taken.contains(&status.as_str()))
        {
            let rule = if is_success(status) {
                &rules::RESPONSE_ADDED
            } else {
                &rules::RESPONSE_ERROR_ADDED
            };
            self.direct(
                scope.operation,
                scope.response,
                rule,
                Mark::NONE,
                Mark::at(y),
                || format!("the response {status} is new"),
            );
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
        let all = |response: &'d Value| -> BTreeMap<String, &'d Value> {
            let map = response.get("headers").and_then(Value::as_object);
            // Said by the key of `content`.
            let listed = map
                .into_iter()
                .flatten()
                .filter(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
            listed
                .map(|(name, header)| (name.to_lowercase(), header))
                .collect()
        };
        let (before, after) = (all(a), all(b));
        for (name, x) in &before {
            match after.get(name) {
                Some(y) => {
                    if let Some((x, y)) = self.objects_of(scope, scope.response, x, y) {
                        self.header(scope, name, x, y);
                    }
                }
                None => {
                    let required = self.schemas.old.object(x).is_some_and(is_required);
                    let rule = if required {
                        &rules::HEADER_REMOVED_REQUIRED
                    } else {
                        &rules::HEADER_REMOVED
                    };
                    self.direct(
                        scope.operation,
                        scope.response,
                        rule,
                        Mark::at(x),
                        Mark::NONE,
                        || format!("the header `{name}` is gone"),
                    );
                }
            }
        }
        for (name, y) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
            self.direct(
                scope.operation,
                scope.response,
                &rules::HEADER_ADDED,
                Mark::NONE,
                Mark::at(y),
                || format!("the header `{name}` is new"),
            );
        }
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

    fn header(&mut self, scope: Scope, name: &str, a: &'d Value, b: &'d Value) {
        if is_required(a) != is_required(b) {
            let (rule, now) = if is_required(b) {
                (&rules::HEADER_BECAME_REQUIRED, "required")
            } else {
                (&rules::HEADER_BECAME_OPTIONAL, "optional")
            };
            self.direct(
                scope.operation,
                scope.response,
                rule,
                Mark::at(a),
                Mark::at(b),
                || format!("the header `{name}` became {now}"),
            );
        }
        self.deprecation(scope, a, b);
        self.written(scope, scope.response, (a, "header"), (b, "header"));
        let known = [
            "required",
            "deprecated",
            "schema",
            "content",
            "style",
            "explode",
            "allowReserved",
            "name",
            "in",
        ];
        self.leftovers(&[scope.operation], scope.response, (a, b), &known);
    }
}

fn is_success(status: &str) -> bool {
    status.starts_with(['1', '2', '3'])
}
