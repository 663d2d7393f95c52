//! What calls may cost, said before any is made.

use crate::call::limiter::ATTEMPTS;
use crate::call::prices::KnownPrice;
use crate::client::client::Client;
use crate::money::credits::Credits;
use crate::request::options::RetryPolicy;
use crate::request::request::Request;

/// What one call, or a run through pages, may cost. Making one sends nothing and reserves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quote {
    /// How many calls it takes, if each page comes full; `None` while that is unknown.
    pub calls: Option<u64>,
    /// The most credits that these calls cost at the price that is known; `None` when the price or the number of calls is not.
    pub at_most: Option<Credits>,
    /// Where the price comes from.
    pub source: PriceSource,
    /// The same records in the largest pages that are documented; `None` for a single call, without a documented maximum, and where pages
    /// are that large already.
    pub largest_page: Option<LargestPage>,
}

/// What the records of a [`Quote`] may cost in the largest pages that are documented.
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
    /// It was seen, in the responses behind the price list or by this client since. It may rise.
    Observed,
    /// The caller gave it.
    Given,
    /// It is unknown, and this is what the caller wants to be reserved then.
    Assumed,
    /// There is none: the call reserves all that is left of the budget.
    Unknown,
}

impl Client {
    /// What this call may cost.
    ///
    /// It counts once, for an attempt that is made again was not billed; only under [`RetryPolicy::Always`] it counts as often as it can be
    /// attempted.
    #[must_use]
    pub fn quote(&self, request: &Request) -> Quote {
        self.quote_calls(request, Some(1))
    }

    /// What so many calls like this one may cost.
    pub(crate) fn quote_calls(&self, request: &Request, calls: Option<u64>) -> Quote {
        let (_, known) = self.shared.prices.known(request);
        let source = match known {
            KnownPrice::Given(_) => PriceSource::Given,
            KnownPrice::Observed(_) => PriceSource::Observed,
            KnownPrice::Assumed(_) => PriceSource::Assumed,
            KnownPrice::Unknown => PriceSource::Unknown,
        };
        let price = known.credits();
        let attempts = match request.retry.unwrap_or(self.shared.retry) {
            RetryPolicy::Always => u64::from(ATTEMPTS),
            RetryPolicy::Unbilled | RetryPolicy::Never => 1,
        };
        let at_most = price.zip(calls).map(|(price, calls)| {
            let micros = price.micros().saturating_mul(calls);
            Credits::from_micros(micros.saturating_mul(attempts))
        });
        Quote {
            calls,
            at_most,
            source,
            largest_page: None,
        }
    }
}
