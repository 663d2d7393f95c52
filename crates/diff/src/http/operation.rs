//! One operation: its parameters, body and responses, and its metadata.

use openapi_document::resolver::REFERRING;
use openapi_schemas::METHODS;
use serde_json::Value;

use super::body::body;
use super::documents::Documents;
use super::flags::{deprecation, same_set};
use super::parameters::parameters;
use super::responses::responses;
use super::scope::{Both, Item, Scope};
use super::security::security;
use super::servers::servers;
use crate::verdicts::{Mark, address, quote, rules, way};

/// Compares an operation of the two documents.
pub(super) fn operations_of<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    old: (&Item<'d>, &'d Value),
    new: (&Item<'d>, &'d Value),
) {
    let (a, b) = (old.1, new.1);
    documents.met(a, b);
    parameters(documents, scope, old, new);
    body(documents, scope, a, b);
    responses(documents, scope, a, b);
    callbacks(documents, scope, a, b);
    security(documents, scope, a, b);
    servers(documents, scope, old, new);
    deprecation(documents, scope, a, b);
    let (x, y) = (a.get("operationId"), b.get("operationId"));
    if x != y {
        documents.changed(
            scope.both(),
            &rules::OPERATION_ID,
            "operationId",
            (a, x),
            (b, y),
        );
    }
    let (x, y) = (a.get("tags"), b.get("tags"));
    if !same_set(x, y) {
        documents.changed(scope.both(), &rules::DOCS_CHANGED, "tags", (a, x), (b, y));
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
    documents.leftovers(&[scope.operation], way::BOTH, (a, b), &known);
}

/// Compares callbacks: requests that the service sends to an address of the client.
pub(super) fn callbacks<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    old: &'d Value,
    new: &'d Value,
) {
    let named = |operation: &'d Value| operation.get("callbacks").and_then(Value::as_object);
    let (before, after) = (named(old), named(new));
    for (name, a) in before.into_iter().flatten() {
        let b = after.and_then(|map| map.get(name));
        let Some(b) = b else {
            documents.gone(scope.both(), &rules::CALLBACK_REMOVED, a, || {
                format!("the callback `{name}` is gone")
            });
            continue;
        };
        let (Some(a), Some(b)) = (
            documents.schemas.old.object(a),
            documents.schemas.new.object(b),
        ) else {
            documents.leftovers(&[scope.operation], way::BOTH, (a, b), &[]);
            continue;
        };
        // A callback may lead back to a path whose operation has the callback.
        if documents
            .callbacks
            .insert((address(a), address(b), scope.request, scope.operation))
        {
            callback(documents, scope.turned(), name, (a, b));
        }
    }
    for (name, b) in after.into_iter().flatten() {
        if before.is_none_or(|map| !map.contains_key(name)) {
            documents.come(scope.both(), &rules::CALLBACK_ADDED, b, || {
                format!("the callback `{name}` is new")
            });
        }
    }
}

fn callback<'d>(documents: &mut Documents<'d>, scope: Scope, name: &str, both: Both<'d>) {
    let keys = |value: &'d Value| value.as_object().into_iter().flat_map(|map| map.keys());
    let mut known: Vec<&str> = Vec::new();
    for expression in keys(both.0).filter(|key| !key.starts_with("x-")) {
        known.push(expression);
        let (x, y) = (both.0.get(expression), both.1.get(expression));
        let (Some(x), Some(y)) = (x, y) else {
            documents.note(
                scope.both(),
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
        let (Some(x), Some(y)) = (
            documents.schemas.old.object(x),
            documents.schemas.new.object(y),
        ) else {
            documents.leftovers(&[scope.operation], way::BOTH, (x, y), &[]);
            continue;
        };
        called(documents, scope, name, (x, y));
    }
    for expression in
        keys(both.1).filter(|key| !key.starts_with("x-") && both.0.get(key.as_str()).is_none())
    {
        known.push(expression);
        let mark = both.1.get(expression).map_or(Mark::NONE, Mark::at);
        documents.note(
            scope.both(),
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
    documents.leftovers(&[scope.operation], way::BOTH, both, &known);
}

/// Compares the operations of a callback's path item.
fn called<'d>(documents: &mut Documents<'d>, scope: Scope, name: &str, (x, y): Both<'d>) {
    let item = |value: &'d Value| Item {
        value,
        names: Vec::new(),
        is_moved: false,
    };
    for method in METHODS {
        match (x.get(method), y.get(method)) {
            (Some(a), Some(b)) => {
                if let Some((a, b)) = documents.objects_of(scope, way::BOTH, a, b) {
                    operations_of(documents, scope, (&item(x), a), (&item(y), b));
                }
            }
            (Some(a), None) => documents.gone(scope.both(), &rules::CALLBACK_REMOVED, a, || {
                let method = method.to_uppercase();
                format!("the callback `{name}` is no longer sent as {method}")
            }),
            (None, Some(b)) => documents.come(scope.both(), &rules::CALLBACK_ADDED, b, || {
                format!("the callback `{name}` is sent as {}", method.to_uppercase())
            }),
            (None, None) => {}
        }
    }
    let mut known: Vec<&str> = METHODS.to_vec();
    known.extend(["parameters", "servers"]);
    known.extend(REFERRING);
    documents.leftovers(&[scope.operation], way::BOTH, (x, y), &known);
}
