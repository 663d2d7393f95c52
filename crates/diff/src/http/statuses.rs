//! Responses by status code: matches those of two documents by single codes, ranges, and `default`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::documents::Documents;
use super::scope::Scope;
use crate::verdicts::{Mark, Rule, rules};
use openapi_schemas::reading::Document;

const DEFAULT: &str = "DEFAULT";

/// Responses by status code, in capitals.
struct Statuses<'d>(BTreeMap<String, &'d Value>);

impl<'d> Statuses<'d> {
    fn of(side: &mut Document<'d>, operation: &'d Value) -> Self {
        let responses = operation.get("responses");
        let responses = responses.and_then(|responses| side.object(responses));
        let map = responses.and_then(Value::as_object);
        let listed = map
            .into_iter()
            .flatten()
            .filter(|(status, _)| !status.starts_with("x-"));
        Self(
            listed
                .map(|(status, response)| (status.to_uppercase(), response))
                .collect(),
        )
    }

    fn has(&self, status: &str) -> bool {
        self.0.contains_key(status)
    }

    /// Returns the entry with a wider range of status codes that includes these.
    fn covering(&self, status: &str) -> Option<(&str, &'d Value)> {
        let range = format!("{}XX", status.get(..1).unwrap_or_default());
        // If a success is documented, `default` means failures.
        let by_default = !is_success(status) || !self.0.keys().any(|status| is_success(status));
        let wider = [Some(range.as_str()), Some(DEFAULT).filter(|_| by_default)];
        let wider = wider.into_iter().flatten();
        let mut entries = wider
            .filter(|wider| *wider != status && status != DEFAULT)
            .filter_map(|wider| self.0.get_key_value(wider));
        entries
            .next()
            .map(|(wider, response)| (wider.as_str(), *response))
    }
}

/// Pairs the responses of two operations; a response of one side only is recorded as a difference.
pub(super) fn statuses<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    a: &'d Value,
    b: &'d Value,
) -> Vec<(&'d Value, &'d Value)> {
    let before = Statuses::of(&mut documents.schemas.old, a);
    let after = Statuses::of(&mut documents.schemas.new, b);
    let mut pairs = Vec::new();
    let mut note = |rule: &'static Rule, old: Mark<'d>, new: Mark<'d>, what: String| {
        documents.note(scope.by(scope.response), rule, old, new, || what);
    };
    let mut narrowed: Vec<&str> = Vec::new();
    let mut widened: Vec<&str> = Vec::new();
    for (status, x) in &before.0 {
        if let Some(y) = after.0.get(status) {
            pairs.push((*x, *y));
            continue;
        }
        let Some((wider, y)) = after.covering(status) else {
            continue;
        };
        pairs.push((*x, y));
        widened.push(status);
        let rule = match (before.has(wider), is_success(status)) {
            (true, _) => &rules::NO_EFFECT,
            (false, true) => &rules::RESPONSE_WIDENED,
            (false, false) => &rules::RESPONSE_ERROR_ADDED,
        };
        let what = format!("the response {status} is one of {} now", spell(wider));
        note(rule, Mark::at(x), Mark::at(y), what);
    }
    for (status, y) in after.0.iter().filter(|(status, _)| !before.has(status)) {
        if let Some((wider, x)) = before.covering(status) {
            pairs.push((x, *y));
            narrowed.push(wider);
            if after.has(wider) {
                let what = format!("the response {status} has its own entry now");
                note(&rules::RESPONSE_SINGLED_OUT, Mark::NONE, Mark::at(y), what);
            }
            continue;
        }
        let takes_over = widened.iter().any(|status_before| {
            after
                .covering(status_before)
                .is_some_and(|(wider, _)| wider == status)
        });
        if !takes_over {
            let rule = if is_success(status) {
                &rules::RESPONSE_ADDED
            } else {
                &rules::RESPONSE_ERROR_ADDED
            };
            let what = format!("the response {} is new", spell(status));
            note(rule, Mark::NONE, Mark::at(y), what);
        }
    }
    for (status, x) in &before.0 {
        if after.has(status) || widened.contains(&status.as_str()) {
            continue;
        }
        let (rule, what) = match (narrowed.contains(&status.as_str()), is_success(status)) {
            (true, true) => (&rules::RESPONSE_NARROWED, "has fewer status codes now"),
            (true, false) => (&rules::RESPONSE_ERROR_REMOVED, "has fewer status codes now"),
            (false, true) => (&rules::RESPONSE_REMOVED, "is gone"),
            (false, false) => (&rules::RESPONSE_ERROR_REMOVED, "is gone"),
        };
        let what = format!("the response {} {what}", spell(status));
        note(rule, Mark::at(x), Mark::NONE, what);
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
