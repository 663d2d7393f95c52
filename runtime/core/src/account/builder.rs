//! Setting up an account, and opening it.

use std::time::Duration;

use tokio::runtime::Handle;

use super::account::Account;
use super::error::OpenError;
use super::redis::RedisStore;
use super::scope::checked;
use super::settings::{Outage, Settings};
use crate::money::credits::Credits;
use crate::money::period::Period;

const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// Sets up an [`Account`].
///
/// | setting | method | default |
/// |---|---|---|
/// | limit | [`limit`](Self::limit) | the one that the account has |
/// | period after which the sums restart at zero | [`period`](Self::period) | none |
/// | while the store is unavailable, fail closed or open | [`outage`](Self::outage) | closed: nothing is spent |
/// | calls in flight in all processes | [`max_in_flight`](Self::max_in_flight) | unlimited |
/// | time that a reservation outlasts the deadline of its call | [`lease`](Self::lease) | 5 minutes |
#[derive(Debug, Clone)]
#[must_use = "an account exists once it is opened"]
pub struct AccountBuilder {
    name: String,
    limit: Option<Credits>,
    period: Option<Period>,
    settings: Settings,
}

impl Account {
    /// Starts to set up an account of this name.
    pub fn named(name: impl Into<String>) -> AccountBuilder {
        AccountBuilder {
            name: name.into(),
            limit: None,
            period: None,
            settings: Settings {
                outage: Outage::default(),
                lease: Duration::from_secs(5 * 60),
                max_in_flight: None,
            },
        }
    }
}

impl AccountBuilder {
    /// Sets the limit for spent, reserved and at risk together, at most 9,007,199,254 credits. An account without a limit gets this one;
    /// opening one that has another is an error.
    ///
    /// Set it once, by a separate command, and let workers open the account without it. A store that has lost everything then refuses them.
    /// A worker that opens it with a limit grants all of that again.
    pub fn limit(mut self, limit: Credits) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets the period of the limit: at its end the sums restart at zero. A call counts in the period in which its credits were reserved.
    pub fn period(mut self, period: Period) -> Self {
        self.period = Some(period);
        self
    }

    /// Sets how a worker behaves while the store is unavailable: see [`Outage`].
    pub fn outage(mut self, outage: Outage) -> Self {
        self.settings.outage = outage;
        self
    }

    /// Limits the calls in flight at once, in all processes. Calls of a process that died count until their leases end.
    pub fn max_in_flight(mut self, calls: u32) -> Self {
        self.settings.max_in_flight = Some(calls);
        self
    }

    /// Sets how long a reservation outlasts the deadline of its call: 100 milliseconds to a year.
    /// After that its amount is at risk.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.settings.lease = lease;
        self
    }

    /// Opens the account in a store. Settlements run on the Tokio runtime that opens it: it must live as long as the account.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when the store fails, the account has another limit, or it has none and no limit is given.
    pub async fn open(self, store: RedisStore) -> Result<Account, OpenError> {
        checked(&self.name)?;
        let Settings {
            lease,
            max_in_flight,
            ..
        } = &self.settings;
        if !(SHORTEST..=LONGEST).contains(lease) || max_in_flight == &Some(0) {
            return Err(OpenError::Settings(
                "a lease lasts from 100 milliseconds to a year, and calls in flight are more than zero",
            ));
        }
        let runtime = Handle::try_current()
            .map_err(|_| OpenError::Settings("an account needs a Tokio runtime"))?;
        let account = Account::new(self.name.into(), self.period, self.settings, store, runtime);
        account.claim(self.limit).await?;
        account.listen().await?;
        Ok(account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_defaults_is_that_of_the_code() {
        let AccountBuilder {
            limit,
            period,
            settings,
            ..
        } = Account::named("any");
        let closed = match settings.outage {
            Outage::Refuse => "closed: nothing is spent",
            _ => "open",
        };
        let lease = format!("{} minutes", settings.lease.as_secs() / 60);
        let or = |is_some: bool, none: &'static str| if is_some { "another" } else { none };
        for (method, default) in [
            ("limit", or(limit.is_some(), "the one that the account has")),
            ("period", or(period.is_some(), "none")),
            ("outage", closed),
            (
                "max_in_flight",
                or(settings.max_in_flight.is_some(), "unlimited"),
            ),
            ("lease", &lease),
        ] {
            let row = format!("| [`{method}`](Self::{method}) | {default} |\n");
            assert!(
                include_str!("builder.rs").contains(&row),
                "a row has to end: {row}"
            );
        }
    }
}
