//! Responses, with their links.

use super::content::content;
use super::documents::Documents;
use super::headers::headers;
use super::scope::Scope;
use super::statuses::{Paired, statuses};
use crate::verdicts::{Both, Keyword, rules};

pub(super) fn responses<'d>(documents: &mut Documents<'d>, scope: Scope, operations: Both<'d>) {
    let name = documents.operations.get(scope.operation);
    let is_head = name.is_some_and(|name| name.starts_with("HEAD "));
    for Paired { is_bodiless, both } in statuses(documents, scope, operations) {
        let Some(both) = documents.objects_of(scope, both) else {
            continue;
        };
        let body = both.keyword("content");
        if !is_bodiless && !is_head {
            content(documents, scope, both);
        } else if body.differs() {
            documents.changed(scope, &rules::NO_EFFECT, body);
        }
        response(documents, scope, both);
    }
    if let Some(responses) = operations.keyword("responses").both() {
        let operations = [scope.operation];
        documents.leftovers_of(&operations, scope.ways, responses, |name| {
            !name.starts_with("x-")
        });
    }
}

fn response<'d>(documents: &mut Documents<'d>, scope: Scope, both: Both<'d>) {
    headers(documents, scope, both);
    for link in both.keyword("links").entries() {
        let schemas = &mut documents.schemas;
        let is_same = link
            .both()
            .is_some_and(|link| schemas.old.object(link.old) == schemas.new.object(link.new));
        if !is_same {
            let link = Keyword { home: both, ..link };
            documents.changed(scope, &rules::LINK_CHANGED, link);
        }
    }
    documents.leftovers(scope, both, &["content", "headers", "links"]);
}
