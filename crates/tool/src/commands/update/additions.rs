//! New operations: whether their prices are known, and how they page.

use openapi_document::source::Source;
use openapi_model::{Model, Operation};

/// The operations that callers do not have.
#[derive(Default)]
pub(super) struct Additions {
    /// A sentence for each of them.
    pub(super) operations: Vec<String>,
    /// Those without a price, in an API that has prices.
    pub(super) unpriced: Vec<String>,
    /// Those that page because the document shows it.
    pub(super) paged: Vec<String>,
}

impl Additions {
    /// Lists the operations of a new document that `callers` do not have.
    pub(super) fn new(callers: &Source, new: &Model) -> Self {
        let has_prices = new.operations.iter().any(|one| !one.prices.is_empty());
        let mut all = Self::default();
        for one in &new.operations {
            if callers.value.pointer(&one.pointer).is_none() {
                all.operations.push(operation(one, has_prices));
                let is_unpriced = has_prices && one.prices.is_empty();
                all.unpriced.extend(is_unpriced.then(|| unpriced(one)));
            }
        }
        for one in &new.detections {
            if callers.value.pointer(&one.pointer).is_none() {
                all.paged
                    .push(format!("`{}`: {}", one.operation, one.reason));
            }
        }
        all
    }
}

/// Describes a new operation. An API without prices has no unknown ones.
fn operation(one: &Operation, has_prices: bool) -> String {
    let price = match (has_prices, one.prices.is_empty()) {
        (false, _) => "",
        (true, true) => ", of unknown price",
        (true, false) => ", of known price",
    };
    let paged = if one.pagination.is_some() {
        "paged"
    } else {
        "not paged"
    };
    let (name, method) = (&one.known_as, one.method.to_uppercase());
    format!("`{name}` (`{method} {}`): {paged}{price}", one.path)
}

/// Asks for the price of an operation.
fn unpriced(one: &Operation) -> String {
    format!(
        "what does `{}` cost? A call holds up the rest of a budget until an override has `x-credits`",
        one.known_as
    )
}
