//! Quotes of a client: what calls may cost, from the prices that it knows.

use crate::call::limiter::ATTEMPTS;
use crate::call::prices::{KnownPrice, Line};
use crate::client::client::Client;
use crate::money::credits::Credits;
use crate::money::quote::{PriceSource, Quote};
use crate::request::options::RetryPolicy;
use crate::request::request::Request;

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
        let known = self.shared.known_price(&Line::of(request), request);
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
