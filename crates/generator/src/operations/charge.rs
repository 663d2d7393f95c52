//! The member of a response that reports the charge: the first whose type is an amount of credits.

use std::collections::BTreeSet;

use openapi_model::{Model, Operation};

use crate::types::runtime::CREDITS;

/// Returns the name of the member in which responses of an operation report the charge: its own, else that of the API.
pub(super) fn member<'m>(model: &'m Model, operation: &'m Operation) -> Option<&'m str> {
    own(model, operation).or_else(|| shared(model))
}

/// The name of the member that all operations share which report a charge.
pub(crate) fn shared(model: &Model) -> Option<&str> {
    // Cached, because each operation needs it.
    let shared = model.shared_charge.get_or_init(|| {
        let operations = model.operations.iter();
        let members: BTreeSet<_> = operations
            .filter_map(|operation| own(model, operation))
            .collect();
        let first = members.first().copied().filter(|_| members.len() == 1);
        first.map(str::to_owned)
    });
    shared.as_deref()
}

/// The name of the member of the operation's own response.
pub fn own<'m>(model: &'m Model, operation: &'m Operation) -> Option<&'m str> {
    let schema = operation
        .success()
        .and_then(|success| model.referenced(success));
    schema
        .into_iter()
        .flat_map(|schema| schema.properties())
        .find(|property| property.place.rust_type.as_deref() == Some(CREDITS))
        .map(|property| property.name.as_str())
}
