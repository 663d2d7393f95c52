//! Requests that the service sends to an address which the client gave.

use openapi_schemas::METHODS;
use serde_json::Value;

use super::documents::Documents;
use super::scope::{Both, Item, Scope};
use crate::verdicts::{Mark, address, quote, rules, way};

impl<'d> Documents<'d> {
    /// Requests that the service sends to an address which the client gave.
    pub(super) fn callbacks(&mut self, scope: Scope, old: &'d Value, new: &'d Value) {
        let named = |operation: &'d Value| operation.get("callbacks").and_then(Value::as_object);
        let (before, after) = (named(old), named(new));
        for (name, a) in before.into_iter().flatten() {
            let b = after.and_then(|map| map.get(name));
            let Some(b) = b else {
                self.direct(
                    scope.operation,
                    way::BOTH,
                    &rules::CALLBACK_REMOVED,
                    Mark::at(a),
                    Mark::NONE,
                    || format!("the callback `{name}` is gone"),
                );
                continue;
            };
            let (Some(a), Some(b)) = (self.schemas.old.object(a), self.schemas.new.object(b))
            else {
                self.leftovers(&[scope.operation], way::BOTH, (a, b), &[]);
                continue;
            };
            // A callback may lead to a path whose operation has the callback.
            if self
                .callbacks
                .insert((address(a), address(b), scope.request, scope.operation))
            {
                self.callback(scope.turned(), name, (a, b));
            }
        }
        for (name, b) in after.into_iter().flatten() {
            if before.is_none_or(|map| !map.contains_key(name)) {
                self.direct(
                    scope.operation,
                    way::BOTH,
                    &rules::CALLBACK_ADDED,
                    Mark::NONE,
                    Mark::at(b),
                    || format!("the callback `{name}` is new"),
                );
            }
        }
    }

    fn callback(&mut self, scope: Scope, name: &str, both: Both<'d>) {
        let keys = |value: &'d Value| value.as_object().into_iter().flat_map(|map| map.keys());
        let mut known: Vec<&str> = Vec::new();
        for expression in keys(both.0).filter(|key| !key.starts_with("x-")) {
            known.push(expression);
            let (x, y) = (both.0.get(expression), both.1.get(expression));
            let (Some(x), Some(y)) = (x, y) else {
                self.direct(
                    scope.operation,
                    way::BOTH,
                    &rules::CALLBACK_REMOVED,
                    x.map_or(Mark::NONE, Mark::at),
                    Mark::NONE,
                    || {
                        format!(
                            "the callback `{name}` is no longer sent to {}",
                            quote(&Value::String(expression.clone()))
                        )
                    },
                );
                continue;
            };
            let (Some(x), Some(y)) = (self.schemas.old.object(x), self.schemas.new.object(y))
            else {
                self.leftovers(&[scope.operation], way::BOTH, (x, y), &[]);
                continue;
            };
            for method in METHODS {
                match (x.get(method), y.get(method)) {
                    (Some(a), Some(b)) => {
                        let Some((a, b)) = self.objects_of(scope, way::BOTH, a, b) else {
                            continue;
                        };
                        let items = (
                            Item {
                                value: x,
                                names: Vec::new(),
                                is_moved: false,
                            },
                            Item {
                                value: y,
                                names: Vec::new(),
                                is_moved: false,
                            },
                        );
                        self.operations_of(scope, (&items.0, a), (&items.1, b));
                    }
                    (Some(a), None) => self.direct(
                        scope.operation,
                        way::BOTH,
                        &rules::CALLBACK_REMOVED,
                        Mark::at(a),
                        Mark::NONE,
                        || {
                            format!(
                                "the callback `{name}` no longer comes as {}",
                                method.to_uppercase()
                            )
                        },
                    ),
                    (None, Some(b)) => self.direct(
                        scope.operation,
                        way::BOTH,
                        &rules::CALLBACK_ADDED,
                        Mark::NONE,
                        Mark::at(b),
                        || format!("the callback `{name}` comes as {}", method.to_uppercase()),
                    ),
                    (None, None) => {}
                }
            }
            let mut known: Vec<&str> = METHODS.to_vec();
            known.extend(["parameters", "servers", "$ref"]);
            self.leftovers(&[scope.operation], way::BOTH, (x, y), &known);
        }
        for expression in
            keys(both.1).filter(|key| !key.starts_with("x-") && both.0.get(key.as_str()).is_none())
        {
            known.push(expression);
            let mark = both.1.get(expression).map_or(Mark::NONE, Mark::at);
            self.direct(
                scope.operation,
                way::BOTH,
                &rules::CALLBACK_ADDED,
                Mark::NONE,
                mark,
                || {
                    format!(
                        "the callback `{name}` is sent to {}",
                        quote(&Value::String(expression.clone()))
                    )
                },
            );
        }
        self.leftovers(&[scope.operation], way::BOTH, both, &known);
    }
}
