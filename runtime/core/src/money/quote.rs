//! Quotes: possible costs of calls before they are made, and the prices that a client has seen.

use std::borrow::Cow;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::money::credits::Credits;

/// The possible cost of one call, or of a run through pages. Making a quote sends nothing and reserves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quote {
    /// Number of calls, if each page is full; `None` if unknown.
    pub calls: Option<u64>,
    /// Maximum cost of these calls at the known or [estimated](PriceSource::Learned) price; `None` if the price or the number of calls is
    /// unknown.
    pub at_most: Option<Credits>,
    /// What one such call has at risk if all its attempts are lost: its price, or what it is [expected](PriceSource::Learned) to cost. `None`
    /// if nothing is known.
    pub at_risk: Option<Credits>,
    /// Where the price comes from.
    pub source: PriceSource,
}

/// The cost of all calls of a batch together; see [`add_up`](Self::add_up).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BatchQuote {
    /// Number of inputs, each of which asks for one response or one list.
    pub inputs: u64,
    /// Number of inputs that ask for what an earlier one asks for, whose response answers them.
    pub repeats: u64,
    /// Number of inputs that stored responses answer.
    pub stored: u64,
    /// When the oldest of these responses arrived.
    pub oldest: Option<SystemTime>,
    /// Number of inputs without an answer: nothing is stored for them, and nothing may be sent.
    pub unanswered: u64,
    /// Number of calls for the other inputs; `None` if unknown.
    pub calls: Option<u64>,
    /// Maximum cost of these calls; `None` if unknown.
    pub at_most: Option<Credits>,
    /// What the budget of the client has left; `None` without a limit.
    pub left: Option<Credits>,
    /// Number of these inputs whose calls fit into what is left, from the first one on.
    pub fit: u64,
}

impl BatchQuote {
    /// Returns the number of inputs for which calls are made.
    #[must_use]
    pub fn to_call(&self) -> u64 {
        let others = [self.repeats, self.stored, self.unanswered];
        others.into_iter().fold(self.inputs, u64::saturating_sub)
    }
}

/// Where the price in a [`Quote`] comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PriceSource {
    /// The price was seen in responses: in those behind the price list, or later by this client. It may rise. The caller states no higher one.
    Observed,
    /// The caller gave it.
    Given,
    /// The caller stated it with `assume_price`, as the highest price. No higher one was seen.
    Assumed,
    /// Estimated: four times the expected price is reserved. A call that is lost has the expected price at risk.
    ///
    /// The expected price is the one that was seen for the same `limit` and list parameters. Before that, it is the highest price seen of
    /// the operation, times the size of the call: a `limit` of 100 counts as ten times one of 10. Before any, it is the highest price that
    /// the document lists for the operation, or else for any operation. If none is listed, it is the highest price seen of any operation,
    /// and before that a call is refused by a budget.
    ///
    /// Where less is left than the estimate, and at least the expected price, the call reserves all of that once nothing else is reserved.
    /// Each charge of another call leaves less: the call then asks again, behind those that wait, and is refused below the expected price.
    Learned,
    /// None is known: a budget refuses the call.
    Unknown,
}

/// A price that a client has seen; see [`Client::prices`](crate::Client::prices).
///
/// It is plain data: written as JSON and given to [`ClientBuilder::seen_prices`](crate::ClientBuilder::seen_prices), it outlives a restart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SeenPrice {
    /// The operation, by its `operationId`.
    pub operation: Cow<'static, str>,
    /// The query parameters that may affect the price, as `name=value` pairs; empty if none is set.
    pub arguments: String,
    /// The amount that is reserved for such a call.
    pub credits: Credits,
}

/// The price that the caller states for one call.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OwnPrice {
    /// The amount to reserve, whatever the price.
    pub(crate) given: Option<Credits>,
    /// The highest price.
    pub(crate) assumed: Option<Credits>,
}
