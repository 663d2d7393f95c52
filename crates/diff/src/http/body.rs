//! The body of a request.

use super::content::content;
use super::documents::Documents;
use super::flags::{is_required, requirement};
use super::scope::Scope;
use crate::verdicts::{Both, rules};

pub(super) fn body<'d>(documents: &mut Documents<'d>, scope: Scope, operations: Both<'d>) {
    let written = operations.keyword("requestBody");
    let written = match (written.old, written.new) {
        (None, None) => return,
        (Some(old), None) => {
            return documents.gone(scope, &rules::BODY_REMOVED, old, || {
                "the body is gone".to_owned()
            });
        }
        (None, Some(new)) => {
            let is_required = documents.schemas.new.object(new).is_some_and(is_required);
            let (rule, optional) = if is_required {
                (&rules::BODY_ADDED_REQUIRED, "required")
            } else {
                (&rules::BODY_ADDED, "optional")
            };
            return documents.come(scope, rule, new, || format!("a body is new and {optional}"));
        }
        (Some(old), Some(new)) => Both { old, new },
    };
    let Some(body) = documents.objects_of(scope, written) else {
        return;
    };
    let rules = [&rules::BODY_BECAME_REQUIRED, &rules::BODY_BECAME_OPTIONAL];
    requirement(documents, scope, body, rules, "the body");
    content(documents, scope, body);
    documents.leftovers(scope, body, &["required", "content"]);
}
