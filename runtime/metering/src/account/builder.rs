//! Setting up an account, and opening it.

use std::time::Duration;

use tokio::runtime::Handle;

use super::account::Account;
use super::error::OpenError;
use super::period::Period;
use super::scope::checked;
use super::settings::{Outage, Settings};
use super::store::LedgerStore;
use crate::money::credits::Credits;

const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// Sets up an [`Account`].
///
/// | setting | method | default |
/// |---|---|---|
/// | limit | [`limit`](Self::limit) | the one that the account has |
/// | period after which the sums start anew | [`period`](Self::period) | none |
/// | credits that a process draws at a time | [`slices`](Self::slices) | those of one call |
/// | while the store is away, fail closed or open | [`outage`](Self::outage) | closed: nothing is spent |
/// | calls in flight in all processes | [`max_in_flight`](Self::max_in_flight) | unlimited |
/// | time that a reservation outlasts the deadline of its call | [`lease`](Self::lease) | 5 minutes |
#[derive(Debug, Clone)]
#[must_use = "an account is there once it is opened"]
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
                slice: None,
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

    /// Draws this much at a time, spends it within the process, and gives back what is left when it makes no more calls.
    ///
    /// This saves the store two steps for each call. A process that dies puts what is left of its slice at risk. A call of unknown price
    /// waits until all slices are given back.
    pub fn slices(mut self, credits: Credits) -> Self {
        self.settings.slice = Some(credits);
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

    /// Sets how long a reservation outlasts the deadline of its call, and a slice its worker's last report: 100 milliseconds to a year.
    /// After that its amount is at risk.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.settings.lease = lease;
        self
    }

    /// Opens the account in a store. Settlements run on the Tokio runtime that opens it: it must live as long as the account.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when the store cannot be asked, the account has another limit, or it has none and no limit is given.
    pub async fn open(self, store: impl LedgerStore) -> Result<Account, OpenError> {
        checked(&self.name)?;
        let Settings {
            slice,
            outage,
            lease,
            max_in_flight,
        } = &self.settings;
        if outage == &Outage::SpendSlice && slice.is_none() {
            return Err(OpenError::Settings(
                "an account without slices has none to spend: add `slices`",
            ));
        }
        if slice.is_some() && max_in_flight.is_some() {
            return Err(OpenError::Settings(
                "calls that draw on slices are not counted in the store: choose `slices` or `max_in_flight`",
            ));
        }
        if !(SHORTEST..=LONGEST).contains(lease)
            || slice == &Some(Credits::ZERO)
            || max_in_flight == &Some(0)
        {
            return Err(OpenError::Settings(
                "a lease lasts from 100 milliseconds to a year, and slices and calls in flight are more than zero",
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
            ("slices", or(settings.slice.is_some(), "those of one call")),
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
