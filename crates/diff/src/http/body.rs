//! The body of a request.

use super::content::content;
use super::documents::Documents;
use super::flags::{is_required, requirement};
use super::scope::Scope;
use crate::verdicts::{Both, rules};

pub(super) fn body<'d>(documents: &mut Documents<'d>, scope: Scope, operations: Both<'d>) {
    let written = operations.keyword("requestBody");
    let new = written
        .new
        .and_then(|new| documents.schemas.new.object(new));
    let (added, optional) = if new.is_some_and(is_required) {
        (&rules::BODY_ADDED_REQUIRED, "required")
    } else {
        (&rules::BODY_ADDED, "optional")
    };
    let sentences = [
        "the body is gone".to_owned(),
        format!("a body is new and {optional}"),
    ];
    let rules = [&rules::BODY_REMOVED, added];
    let body = documents.in_both(scope, written, rules, sentences);
    let Some(body) = body.and_then(|body| documents.objects_of(scope, body)) else {
        return;
    };
    let rules = [&rules::BODY_BECAME_REQUIRED, &rules::BODY_BECAME_OPTIONAL];
    requirement(documents, scope, body, rules, "the body");
    content(documents, scope, body);
    documents.leftovers(scope, body, &["required", "content"]);
}
