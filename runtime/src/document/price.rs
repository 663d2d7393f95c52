//! Prices, as generated code declares them.

use crate::money::credits::Credits;

/// A price that was seen for an operation, and under which conditions.
///
/// A call outside of the conditions of all prices has an unknown price until it is seen what it costs. What is seen counts for calls with
/// the same values of the parameters that may carry a price: those in conditions, and [`Operation::priced_by`](crate::document::Operation::priced_by). A price with `limit=20`
/// says nothing of `limit=100`. A client remembers a thousand of those, and of each the greatest of the last eight charges. What a failure
/// costs only raises a price, and a charge of zero lowers none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// Credits per call.
    pub credits: Credits,
    /// Query parameters, each with whether it has to be given. All of them have to hold.
    pub when: &'static [(&'static str, Presence)],
}

/// Whether a parameter is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It is given.
    Present,
    /// It is not.
    Absent,
}
