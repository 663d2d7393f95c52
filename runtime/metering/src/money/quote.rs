//! Quotes: possible costs of calls before they are made, and the prices that a client has seen.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::money::credits::Credits;

/// The possible cost of one call, or of a run through pages. Making a quote sends nothing and reserves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quote {
    /// How many calls it takes, if each page comes full; `None` while that is unknown.
    pub calls: Option<u64>,
    /// The most credits that these calls cost at the price that is known or [estimated](PriceSource::Learned); `None` when the price or the
    /// number of calls is not.
    pub at_most: Option<Credits>,
    /// Where the price comes from.
    pub source: PriceSource,
    /// The same records in the largest pages that are documented; `None` for a single call, without a documented maximum, and where pages
    /// are that large already.
    pub largest_page: Option<LargestPage>,
}

/// The possible cost of the records of a [`Quote`] in the largest documented pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LargestPage {
    /// How many records a page has at most.
    pub size: u64,
    /// How many calls it takes; `None` while that is unknown.
    pub calls: Option<u64>,
    /// The most credits that these calls cost; `None` when the price of such a page or the number of calls is unknown.
    pub at_most: Option<Credits>,
}

/// Where the price in a [`Quote`] comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PriceSource {
    /// It was seen, in the responses behind the price list or by this client since. It may rise. No higher one is stated for such a call.
    Observed,
    /// The caller gave it.
    Given,
    /// It is the highest price that the caller states with `assume_price`. None above it was seen.
    Assumed,
    /// It is an estimate, from what other calls of the operation cost: see [`UnknownPrices::Learn`](crate::money::UnknownPrices::Learn).
    Learned,
    /// Unknown price: the call reserves all that is left of the budget.
    Unknown,
}

/// A price that a client has seen; see [`Client::prices`](crate::MeteredClient::prices).
///
/// It is plain data: written as JSON and given to [`ClientBuilder::seen_prices`](crate::MeteredBuilder::seen_prices), it outlives a restart.
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
