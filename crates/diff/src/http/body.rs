//! The body of a request.

use serde_json::Value;

use super::documents::Documents;
use super::flags::is_required;
use super::scope::Scope;
use crate::verdicts::{Mark, rules};

impl<'d> Documents<'d> {
    pub(super) fn body(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        let (x, y) = (a.get("requestBody"), b.get("requestBody"));
        let (x, y) = match (x, y) {
            (None, None) => return,
            (Some(x), None) => {
                return self.direct(
                    scope.operation,
                    scope.request,
                    &rules::BODY_REMOVED,
                    Mark::at(x),
                    Mark::NONE,
                    || "the body is gone".to_owned(),
                );
            }
            (None, Some(y)) => {
                let required = self.schemas.new.object(y).is_some_and(is_required);
                let (rule, optional) = if required {
                    (&rules::BODY_ADDED_REQUIRED, "required")
                } else {
                    (&rules::BODY_ADDED, "optional")
                };
                return self.direct(
                    scope.operation,
                    scope.request,
                    rule,
                    Mark::NONE,
                    Mark::at(y),
                    || format!("a body is new and {optional}"),
                );
            }
            (Some(x), Some(y)) => (x, y),
        };
        let Some((x, y)) = self.objects_of(scope, scope.request, x, y) else {
            return;
        };
        if is_required(x) != is_required(y) {
            let (rule, now) = if is_required(y) {
                (&rules::BODY_BECAME_REQUIRED, "required")
            } else {
                (&rules::BODY_BECAME_OPTIONAL, "optional")
            };
            self.direct(
                scope.operation,
                scope.request,
                rule,
                Mark::at(x),
                Mark::at(y),
                || format!("the body became {now}"),
            );
        }
        self.content(scope, scope.request, (x, y));
        self.leftovers(
            &[scope.operation],
            scope.request,
            (x, y),
            &["required", "content"],
        );
    }
}
