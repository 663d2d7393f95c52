//! Settings of an account.

use std::time::Duration;

use super::error::OpenError;
use super::store::LARGEST;
use crate::money::credits::Credits;

/// Behaviour of a worker while the store is unavailable: calls fail closed or open.
///
/// In every mode, a settlement that does not reach the store fails no call, because the call is paid for. It is retried for ten minutes, then
/// logged as an error, and listed by [`flush`](crate::account::Account::flush). A store that has lost the account, or its limit, counts as
/// available: nothing is spent then.
///
/// ```
/// use generated_client::account::{Account, Outage};
///
/// let account = Account::named("team").outage(Outage::Allow);
/// # let _ = account;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Outage {
    /// Fails closed: calls fail, and nothing is sent.
    #[default]
    Refuse,
    /// Fails open: each call waits two seconds for the store, then goes on without a reservation in the account. The limit of the account does
    /// not bound these calls; the budget of the client still does. Their cost counts in the account if the store is back within ten minutes,
    /// and in [`AccountUsage::strays`](crate::account::AccountUsage::strays).
    Allow,
}

/// Settings that all clones of an account share.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) outage: Outage,
    pub(super) lease: Duration,
    pub(super) max_in_flight: Option<u32>,
}

/// Checks that a store can count a limit.
pub(super) fn countable(limit: Credits) -> Result<Credits, OpenError> {
    if limit <= LARGEST {
        Ok(limit)
    } else {
        Err(OpenError::TooLarge {
            limit,
            most: LARGEST,
        })
    }
}
