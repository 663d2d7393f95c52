//! One operation: its parameters, body and responses, and its metadata.

use openapi_document::resolver::REFERRING;
use openapi_schemas::METHODS;
use serde_json::Value;

use super::body::body;
use super::documents::Documents;
use super::flags::{deprecation, same_set};
use super::parameters::parameters;
use super::responses::responses;
use super::scope::{Item, Operation, Scope};
use super::security::security;
use super::servers::servers;
use crate::verdicts::{Both, Rule, address, quote, rules};

/// Compares an operation of the two documents.
pub(super) fn operations_of<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    old: Operation<'_, 'd>,
    new: Operation<'_, 'd>,
) {
    let both = Both::new(old.value, new.value);
    documents.met(both);
    parameters(documents, scope.requests(), old, new);
    body(documents, scope.requests(), both);
    responses(documents, scope.responses(), both);
    callbacks(documents, scope, both);
    security(documents, scope, both);
    servers(documents, scope, old, new);
    deprecation(documents, scope, both);
    let id = both.keyword("operationId");
    if id.differs() {
        documents.changed(scope, &rules::OPERATION_ID, id);
    }
    let tags = both.keyword("tags");
    if !same_set(tags) {
        documents.changed(scope, &rules::DOCS_CHANGED, tags);
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
    documents.leftovers(scope, both, &known);
}

/// Rules of a callback that was removed, and of one that was added.
const CALLBACK_RULES: [&Rule; 2] = [&rules::CALLBACK_REMOVED, &rules::CALLBACK_ADDED];

/// States of a callback that was removed, and of one that was added.
const SENT: [&str; 2] = ["no longer sent", "sent"];

/// Compares callbacks: requests that the service sends to an address of the client.
fn callbacks<'d>(documents: &mut Documents<'d>, scope: Scope, operations: Both<'d>) {
    for entry in operations.keyword("callbacks").entries() {
        let name = entry.name;
        let sentences = ["gone", "new"].map(|state| format!("the callback `{name}` is {state}"));
        let Some(written) = documents.in_both(scope, entry, CALLBACK_RULES, sentences) else {
            continue;
        };
        let Some(both) = documents.resolved(written) else {
            documents.leftovers(scope, written, &[]);
            continue;
        };
        // A callback may lead back to a path whose operation has the callback.
        let key = (
            address(both.old),
            address(both.new),
            scope.request,
            scope.operation,
        );
        if documents.callbacks.insert(key) {
            callback(documents, scope.turned(), name, both);
        }
    }
}

fn callback<'d>(documents: &mut Documents<'d>, scope: Scope, name: &str, both: Both<'d>) {
    let expressions = both
        .keywords()
        .filter(|entry| !entry.name.starts_with("x-"));
    for entry in expressions {
        let expression = quote(&Value::String(entry.name.to_owned()));
        let sentences = SENT.map(|sent| format!("the callback `{name}` is {sent} to {expression}"));
        let Some(items) = documents.in_both(scope, entry, CALLBACK_RULES, sentences) else {
            continue;
        };
        match documents.resolved(items) {
            Some(items) => called(documents, scope, name, items),
            None => documents.leftovers(scope, items, &[]),
        }
    }
    documents.leftovers_of(&[scope.operation], scope.ways, both, |name| {
        !name.starts_with("x-")
    });
}

/// Compares the operations of a callback's path item.
fn called<'d>(documents: &mut Documents<'d>, scope: Scope, name: &str, items: Both<'d>) {
    let [old_item, new_item] = [items.old, items.new].map(|value| Item {
        value,
        names: Vec::new(),
        is_moved: false,
    });
    for method in METHODS {
        let operation = items.keyword(method);
        let shown = method.to_uppercase();
        let sentences = SENT.map(|sent| format!("the callback `{name}` is {sent} as {shown}"));
        if let Some(both) = documents.in_both(scope, operation, CALLBACK_RULES, sentences)
            && let Some(both) = documents.objects_of(scope, both)
        {
            let old = old_item.with(both.old);
            let new = new_item.with(both.new);
            operations_of(documents, scope, old, new);
        }
    }
    let mut known: Vec<&str> = METHODS.to_vec();
    known.extend(["parameters", "servers"]);
    known.extend(REFERRING);
    documents.leftovers(scope, items, &known);
}
