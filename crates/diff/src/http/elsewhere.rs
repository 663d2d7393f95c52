//! References at places where OpenAPI has none, and where the comparison follows none: what they lead to has changed, or is the same.

use std::collections::{HashMap, HashSet};

use openapi_document::source::references;
use serde_json::Value;

use super::documents::Documents;
use crate::verdicts::{Mark, rules, way};

impl<'d> Documents<'d> {
    /// Notes each reference of both documents that was never followed, where what it leads to differs. Components that no operation uses are
    /// compared for themselves.
    pub(crate) fn elsewhere(&mut self) {
        let before: HashMap<&str, &Value> = references(self.schemas.old.root).into_iter().collect();
        let mut open = Vec::new();
        for (text, y) in references(self.schemas.new.root) {
            let Some(x) = before.get(text).copied() else {
                continue;
            };
            if self.schemas.old.has_followed(text) || self.schemas.new.has_followed(text) {
                continue;
            }
            let (a, b) = (self.schemas.old.object(x), self.schemas.new.object(y));
            if a != b {
                open.push((text, (x, y), (a, b)));
            }
        }
        if open.is_empty() {
            return;
        }
        let used = (self.schemas.old.used(), self.schemas.new.used());
        let is_in = |used: &HashSet<*const Value>, target: Option<&Value>| {
            target.is_none_or(|target| used.contains(&std::ptr::from_ref(target)))
        };
        for (text, (x, y), (a, b)) in open {
            if is_in(&used.0, a) || is_in(&used.1, b) {
                let delta = self.schemas.graph.delta(
                    &rules::REFERENCE_UNKNOWN,
                    Mark::at(x),
                    Mark::at(y),
                    way::ALL,
                    || format!("what `{text}` leads to changed, at a place that is not compared"),
                );
                self.schemas.graph.anywhere(delta);
            }
        }
    }
}
