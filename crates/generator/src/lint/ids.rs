//! The ids of operations: none that an override gives is that of another operation. A budget, a setting or a metric of one would be that of
//! both. The model tells apart what has one `operationId` in the document.

use std::collections::BTreeMap;

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_model::{Model, Operation};

/// The extensions that give an operation its id, the stronger first.
const GIVEN: [&str; 2] = ["x-operation-id", "x-rust-name"];

pub(super) fn check(source: &Source, model: &Model) -> Vec<Finding> {
    let mut by_id: BTreeMap<&str, Vec<&Operation>> = BTreeMap::new();
    for operation in &model.operations {
        by_id
            .entry(&operation.known_as)
            .or_default()
            .push(operation);
    }
    let several = by_id.into_iter().filter(|(_, all)| all.len() > 1);
    several
        .flat_map(|(id, all)| {
            let findings = all.iter().filter_map(|operation| {
                let value = source.value.pointer(&operation.pointer)?;
                let key = GIVEN.iter().find(|key| value.get(**key).is_some())?;
                Some(source.finding(
                    "operation-id",
                    pointer::join(&operation.pointer, key),
                    format!("`{id}` is the id of another operation too, and a budget of one would be that of both"),
                    "give this one another id with `x-operation-id` in an override, or delete the override that gives it",
                ))
            });
            findings.collect::<Vec<_>>()
        })
        .collect()
}
