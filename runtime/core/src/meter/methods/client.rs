//! Metering of a client.

use std::sync::LazyLock;

use crate::client::client::Client;
use crate::request::Request;
use crate::request::options::RetryPolicy;

#[cfg(feature = "redis")]
use crate::account::Account;
use crate::meter::meter::Meter;
use crate::meter::prices::Line;
use crate::money::budget::Budget;
use crate::money::credits::Credits;
use crate::money::quote::{Quote, SeenPrice};

/// Stands for the meter of a client that has none: its API charges for no call, or has another interceptor.
static FREE: LazyLock<Meter> = LazyLock::new(|| Meter::new(None, None, true));
static UNKNOWN: LazyLock<Meter> = LazyLock::new(|| Meter::new(None, None, false));

/// The budget of a client, its account, and its prices.
impl Client {
    /// Returns the budget that calls draw on.
    pub fn budget(&self) -> &Budget {
        meter(self).budget()
    }

    /// Returns whether the API charges for calls.
    pub fn is_metered(&self) -> bool {
        !meter(self).is_free()
    }

    /// Returns the account that calls draw on, together with other processes; `None` without one.
    #[cfg(feature = "redis")]
    pub fn account(&self) -> Option<&Account> {
        meter(self).account()
    }

    /// Returns a client whose calls draw on this account, such as a [scope](Account::scoped). It shares everything else.
    #[cfg(feature = "redis")]
    #[must_use]
    pub fn with_account(&self, account: Account) -> Self {
        let mut meter = meter(self).clone();
        meter.settings().account = Some(account);
        self.with_interceptor(meter)
    }

    /// Returns a client whose calls may spend at most this much of the budget. It shares everything else, and its charges count here, too.
    /// Without a limit, its budget only counts.
    #[must_use]
    pub fn scoped(&self, limit: impl Into<Option<Credits>>) -> Self {
        let mut meter = meter(self).clone();
        let budget = meter.budget().scoped(limit);
        meter.settings().budget = budget;
        self.with_interceptor(meter)
    }

    /// Returns the prices that were seen, by operation and by the arguments that may affect the price. Clones and scoped clients share them.
    pub fn prices(&self) -> Vec<SeenPrice> {
        meter(self).prices().list()
    }

    /// Returns the possible cost of this call.
    ///
    /// The price counts once, because an attempt is repeated only if it was not billed. Under [`RetryPolicy::Always`], it counts once for each
    /// possible attempt.
    #[must_use]
    pub fn quote(&self, request: &Request) -> Quote {
        self.quote_calls(request, Some(1))
    }

    /// Returns the possible cost of this many calls like this one; with `None`, their number is unknown.
    #[must_use]
    pub fn quote_calls(&self, request: &Request, calls: Option<u64>) -> Quote {
        let known = meter(self).known_price(&Line::of(request), request);
        let attempts = match self.retry_policy(request) {
            RetryPolicy::Always => u64::from(RetryPolicy::MOST_ATTEMPTS),
            _ => 1,
        };
        let at_most = known.at_most().zip(calls);
        let at_risk = known.need.at_risk;
        Quote {
            calls,
            at_most: at_most.map(|(price, calls)| times(price, attempts.saturating_mul(calls))),
            at_risk: at_risk.map(|price| times(price, attempts)),
            source: known.source,
        }
    }
}

fn times(price: Credits, times: u64) -> Credits {
    Credits::from_micros(price.micros().saturating_mul(times))
}

/// Returns a client whose calls a journal notes as calls for this input. Without a meter, nothing is noted.
#[cfg(feature = "journal")]
pub(crate) fn for_input(client: &Client, input: &str) -> Client {
    let Some(meter) = client.interceptor::<Meter>() else {
        return client.clone();
    };
    let mut meter = meter.clone();
    meter.settings().input = Some(input.into());
    client.with_interceptor(meter)
}

fn meter(client: &Client) -> &Meter {
    match (client.interceptor(), client.api().interceptor) {
        (Some(meter), _) => meter,
        (None, None) => &FREE,
        (None, Some(_)) => &UNKNOWN,
    }
}
