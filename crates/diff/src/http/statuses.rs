//! Responses by status code: matches those of two documents by single codes, ranges, and `default`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::documents::Documents;
use super::scope::Scope;
use crate::verdicts::{Both, Marks, rules};
use openapi_schemas::reading::Document;

const DEFAULT: &str = "DEFAULT";

/// Responses by status code, in capitals.
struct Statuses<'d>(BTreeMap<String, &'d Value>);

impl<'d> Statuses<'d> {
    fn of(side: &mut Document<'d>, operation: &'d Value) -> Self {
        let responses = operation.get("responses");
        let responses = responses.and_then(|responses| side.object(responses));
        let mut all = BTreeMap::new();
        for (status, response) in responses.and_then(Value::as_object).into_iter().flatten() {
            if !status.starts_with("x-") {
                all.insert(status.to_uppercase(), response);
            }
        }
        Self(all)
    }

    fn has(&self, status: &str) -> bool {
        self.0.contains_key(status)
    }

    /// Returns the entry with a wider range of status codes that includes these.
    fn covering(&self, status: &str) -> Option<(&str, &'d Value)> {
        if status == DEFAULT {
            return None;
        }
        let range = format!("{}XX", status.get(..1).unwrap_or_default());
        let of_range = self.0.get_key_value(&range).filter(|_| range != status);
        // If a success is documented, `default` means failures.
        let by_default = !is_success(status) || !self.0.keys().any(|status| is_success(status));
        let of_default = self.0.get_key_value(DEFAULT).filter(|_| by_default);
        let (wider, response) = of_range.or(of_default)?;
        Some((wider, *response))
    }
}

/// Responses of two operations with the same status code.
pub(super) struct Paired<'d> {
    /// True if HTTP allows no body with the status code.
    pub(super) is_bodiless: bool,
    pub(super) both: Both<'d>,
}

impl<'d> Paired<'d> {
    fn new(status: &str, old: &'d Value, new: &'d Value) -> Self {
        Self {
            is_bodiless: status.starts_with('1') || ["204", "205", "304"].contains(&status),
            both: Both { old, new },
        }
    }
}

/// Pairs the responses of two operations; a response of one side only is recorded as a difference.
pub(super) fn statuses<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    operations: Both<'d>,
) -> Vec<Paired<'d>> {
    let before = Statuses::of(&mut documents.schemas.old, operations.old);
    let after = Statuses::of(&mut documents.schemas.new, operations.new);
    let mut pairs = Vec::new();
    let mut narrowed: Vec<&str> = Vec::new();
    let mut widened: Vec<&str> = Vec::new();
    for (status, old) in &before.0 {
        if let Some(new) = after.0.get(status) {
            pairs.push(Paired::new(status, old, new));
            continue;
        }
        let Some((wider, new)) = after.covering(status) else {
            continue;
        };
        let both = Both { old, new };
        pairs.push(Paired::new(status, old, new));
        widened.push(status);
        let rule = match (before.has(wider), is_success(status)) {
            (true, _) => &rules::NO_EFFECT,
            (false, true) => &rules::RESPONSE_WIDENED,
            (false, false) => &rules::RESPONSE_ERROR_ADDED,
        };
        documents.note(scope, rule, both, || {
            format!("the response {status} is one of {} now", spell(wider))
        });
    }
    for (status, new) in after.0.iter().filter(|(status, _)| !before.has(status)) {
        if let Some((wider, old)) = before.covering(status) {
            pairs.push(Paired::new(status, old, new));
            narrowed.push(wider);
            if after.has(wider) {
                documents.note(
                    scope,
                    &rules::RESPONSE_SINGLED_OUT,
                    Marks::added(new),
                    || format!("the response {status} has its own entry now"),
                );
            }
            continue;
        }
        let takes_over = widened.iter().any(|status_before| {
            let wider = after.covering(status_before);
            wider.is_some_and(|(wider, _)| wider == status)
        });
        if !takes_over {
            let rule = if is_success(status) {
                &rules::RESPONSE_ADDED
            } else {
                &rules::RESPONSE_ERROR_ADDED
            };
            documents.note(scope, rule, Marks::added(new), || {
                format!("the response {} is new", spell(status))
            });
        }
    }
    for (status, old) in &before.0 {
        if after.has(status) || widened.contains(&status.as_str()) {
            continue;
        }
        let (rule, what) = match (narrowed.contains(&status.as_str()), is_success(status)) {
            (true, true) => (&rules::RESPONSE_NARROWED, "has fewer status codes now"),
            (true, false) => (&rules::RESPONSE_ERROR_REMOVED, "has fewer status codes now"),
            (false, true) => (&rules::RESPONSE_REMOVED, "is gone"),
            (false, false) => (&rules::RESPONSE_ERROR_REMOVED, "is gone"),
        };
        documents.note(scope, rule, Marks::removed(old), || {
            format!("the response {} {what}", spell(status))
        });
    }
    pairs
}

fn is_success(status: &str) -> bool {
    status.starts_with(['1', '2', '3'])
}

/// Returns a status code as documents write it.
fn spell(status: &str) -> &str {
    if status == DEFAULT { "default" } else { status }
}
