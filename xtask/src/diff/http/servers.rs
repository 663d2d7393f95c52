//! The servers of an operation.

use serde_json::Value;

use super::documents::Documents;
use super::scope::Scope;
use crate::diff::verdicts::{Mark, changed, quote, rules, way};

impl<'d> Documents<'d> {
    /// The servers of an operation: its own, those of its path, or those of the document.
    pub(super) fn servers(
        &mut self,
        scope: Scope,
        old: (&'d Value, &'d Value),
        new: (&'d Value, &'d Value),
    ) {
        let list = |(item, operation): (&'d Value, &'d Value), root: &'d Value| {
            let holder = [operation, item, root]
                .into_iter()
                .find(|holder| holder.get("servers").is_some());
            let servers = holder.and_then(|holder| holder.get("servers"));
            (
                servers
                    .and_then(Value::as_array)
                    .map(Vec::as_slice)
                    .unwrap_or_default(),
                servers.unwrap_or(root),
            )
        };
        let (before, home_x) = list(old, self.schemas.old.root);
        let (after, home_y) = list(new, self.schemas.new.root);
        if std::ptr::eq(before, after) || before == after {
            return;
        }
        let url = |server: &'d Value| server.get("url");
        for a in before {
            match after.iter().find(|b| url(b) == url(a)) {
                None => self.direct(
                    scope.operation,
                    way::BOTH,
                    &rules::SERVER_REMOVED,
                    Mark::at(a),
                    Mark::within(None, home_y),
                    || {
                        format!(
                            "the server {} is gone",
                            url(a).map(quote).unwrap_or_default()
                        )
                    },
                ),
                Some(b) => {
                    let (x, y) = (a.get("variables"), b.get("variables"));
                    if x != y {
                        self.direct(
                            scope.operation,
                            way::BOTH,
                            &rules::SERVER_REMOVED,
                            Mark::within(x, a),
                            Mark::within(y, b),
                            || changed("variables", x, y),
                        );
                    }
                    self.leftovers(&[scope.operation], way::BOTH, (a, b), &["url", "variables"]);
                }
            }
        }
        for b in after
            .iter()
            .filter(|b| !before.iter().any(|a| url(a) == url(b)))
        {
            self.direct(
                scope.operation,
                way::BOTH,
                &rules::SERVER_ADDED,
                Mark::within(None, home_x),
                Mark::at(b),
                || {
                    format!(
                        "the server {} is new",
                        url(b).map(quote).unwrap_or_default()
                    )
                },
            );
        }
    }
}
