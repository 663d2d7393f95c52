//! Responses, with their links.

use serde_json::Value;

use super::content::content;
use super::documents::Documents;
use super::headers::headers;
use super::scope::Scope;
use super::statuses::statuses;
use crate::verdicts::rules;

pub(super) fn responses<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    a: &'d Value,
    b: &'d Value,
) {
    for (x, y) in statuses(documents, scope, a, b) {
        if let Some((x, y)) = documents.objects_of(scope, scope.response, x, y) {
            response(documents, scope, x, y);
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
        documents.leftovers(&[scope.operation], scope.response, (a, b), &known);
    }
}

fn response<'d>(documents: &mut Documents<'d>, scope: Scope, a: &'d Value, b: &'d Value) {
    content(documents, scope, scope.response, (a, b));
    headers(documents, scope, scope.response, a, b);
    let links = |response: &'d Value| response.get("links").and_then(Value::as_object);
    let (before, after) = (links(a), links(b));
    for name in before.into_iter().chain(after).flat_map(|map| map.keys()) {
        let get =
            |map: Option<&'d serde_json::Map<String, Value>>| map.and_then(|map| map.get(name));
        let (x, y) = (get(before), get(after));
        let same = match (x, y) {
            (Some(x), Some(y)) => {
                documents.schemas.old.object(x) == documents.schemas.new.object(y)
            }
            _ => false,
        };
        if !same {
            documents.changed(
                scope.by(scope.response),
                &rules::LINK_CHANGED,
                name,
                (a, x),
                (b, y),
            );
        }
    }
    documents.leftovers(
        &[scope.operation],
        scope.response,
        (a, b),
        &["content", "headers", "links"],
    );
}
