//! The body of a request.

use serde_json::Value;

use super::content::content;
use super::documents::Documents;
use super::flags::is_required;
use super::scope::Scope;
use crate::verdicts::{Mark, rules};

pub(super) fn body<'d>(documents: &mut Documents<'d>, scope: Scope, a: &'d Value, b: &'d Value) {
    let (x, y) = (a.get("requestBody"), b.get("requestBody"));
    let (x, y) = match (x, y) {
        (None, None) => return,
        (Some(x), None) => {
            return documents.gone(scope.by(scope.request), &rules::BODY_REMOVED, x, || {
                "the body is gone".to_owned()
            });
        }
        (None, Some(y)) => {
            let required = documents.schemas.new.object(y).is_some_and(is_required);
            let (rule, optional) = if required {
                (&rules::BODY_ADDED_REQUIRED, "required")
            } else {
                (&rules::BODY_ADDED, "optional")
            };
            return documents.come(scope.by(scope.request), rule, y, || {
                format!("a body is new and {optional}")
            });
        }
        (Some(x), Some(y)) => (x, y),
    };
    let Some((x, y)) = documents.objects_of(scope, scope.request, x, y) else {
        return;
    };
    if is_required(x) != is_required(y) {
        let (rule, now) = if is_required(y) {
            (&rules::BODY_BECAME_REQUIRED, "required")
        } else {
            (&rules::BODY_BECAME_OPTIONAL, "optional")
        };
        documents.note(
            scope.by(scope.request),
            rule,
            Mark::at(x),
            Mark::at(y),
            || format!("the body became {now}"),
        );
    }
    content(documents, scope, scope.request, (x, y));
    documents.leftovers(
        &[scope.operation],
        scope.request,
        (x, y),
        &["required", "content"],
    );
}
