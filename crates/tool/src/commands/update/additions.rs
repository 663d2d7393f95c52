//! New operations: whether their prices are known, and how they page.

use openapi_document::source::Source;
use openapi_model::{Detection, Model, Operation};

/// The operations that callers do not have.
pub(super) struct Additions {
    /// A sentence for each of them.
    pub(super) operations: Vec<String>,
    /// Those that page because the document suggests it.
    pub(super) paged: Vec<String>,
    /// Those that may page, and do not until an override says how.
    pub(super) doubtful: Vec<String>,
}

impl Additions {
    /// Lists the operations of a new document that `callers` do not have.
    pub(super) fn new(callers: &Source, new: &Model) -> Self {
        let is_new = |pointer: &str| callers.value.pointer(pointer).is_none();
        let has_prices = new.operations.iter().any(|one| !one.prices.is_empty());
        let added = new.operations.iter().filter(|one| is_new(&one.pointer));
        let detections = new.detections.iter().filter(|one| is_new(&one.pointer));
        let (doubtful, paged): (Vec<&Detection>, Vec<&Detection>) =
            detections.partition(|one| one.doubt.is_some());
        Self {
            operations: added.map(|one| operation(one, has_prices)).collect(),
            paged: paged.into_iter().map(paging).collect(),
            doubtful: doubtful.into_iter().map(paging).collect(),
        }
    }

    /// Lists what the screen says of paging.
    pub(super) fn paging(&self) -> impl Iterator<Item = &String> {
        self.paged.iter().chain(&self.doubtful)
    }
}

/// Describes a new operation. An API without prices has no unknown ones.
fn operation(one: &Operation, has_prices: bool) -> String {
    let price = match (has_prices, one.prices.is_empty()) {
        (false, _) => "",
        (true, true) => {
            ", of unknown price: a call holds up the rest of a budget until an override has `x-credits`"
        }
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

/// Describes the paging that the document suggests.
fn paging(one: &Detection) -> String {
    let (operation, reason) = (&one.operation, &one.reason);
    match &one.doubt {
        None => format!("`{operation}`: {reason}"),
        Some(doubt) => format!(
            "`{operation}` may page: {reason}, and {doubt}; an override with `x-pagination` decides it"
        ),
    }
}
