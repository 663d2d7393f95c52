//! Operations as OpenAPI 3.2 has them: what differs in them is not looked into.

use serde_json::Value;

use super::documents::Documents;
use crate::verdicts::{Mark, changed, rules, way};

/// The one method that OpenAPI 3.2 adds.
const QUERY: &str = "query";
/// The operations of other methods.
const ADDITIONAL: &str = "additionalOperations";

/// The keywords of a path item that have them.
pub(super) const NEWER: [&str; 2] = [QUERY, ADDITIONAL];

/// Those of a path item, with their methods.
pub(crate) fn newer(item: &Value) -> impl Iterator<Item = (String, &Value)> {
    NEWER
        .into_iter()
        .filter_map(|keyword| Some((keyword, item.get(keyword)?)))
        .flat_map(|(keyword, value)| called_by(keyword, value))
}

/// The operations that the value of a keyword has.
fn called_by<'v>(keyword: &str, value: &'v Value) -> Vec<(String, &'v Value)> {
    if keyword == QUERY {
        return vec![(QUERY.to_uppercase(), value)];
    }
    let methods = value.as_object().into_iter().flatten();
    methods
        .map(|(method, operation)| (method.clone(), operation))
        .collect()
}

/// Notes what differs in those of two path items, either of which may be absent. Returns the operations by number.
pub(super) fn compare_newer<'d>(
    documents: &mut Documents<'d>,
    (old, new): (Option<&'d Value>, Option<&'d Value>),
    path: &str,
) -> Vec<usize> {
    let mut all = Vec::new();
    for keyword in NEWER {
        let of = |item: Option<&'d Value>| item.and_then(|item| item.get(keyword));
        let (a, b) = (of(old), of(new));
        let sides = [a, b].into_iter().flatten();
        let mut methods: Vec<String> = sides
            .flat_map(|value| called_by(keyword, value))
            .map(|(method, _)| method)
            .collect();
        methods.sort();
        methods.dedup();
        let operations: Vec<usize> = methods
            .iter()
            .map(|method| documents.operation(format!("{method} {path}")))
            .collect();
        if a != b {
            let mark = |value: Option<&'d Value>, item: Option<&'d Value>| {
                item.map_or(Mark::NONE, |item| Mark::within(value, item))
            };
            let (a, b) = (mark(a, old), mark(b, new));
            let graph = &mut documents.schemas.graph;
            let what = || changed(keyword, a.value, b.value);
            let delta = graph.delta(&rules::UNHANDLED, a, b, way::ALL, what);
            for operation in &operations {
                graph.reached(delta, *operation, way::BOTH);
            }
            if operations.is_empty() {
                graph.anywhere(delta);
            }
        }
        all.extend(operations);
    }
    all
}
