//! Settings of an account.

use std::time::Duration;

use super::error::OpenError;
use super::store::LARGEST;
use crate::money::credits::Credits;

/// Behaviour of a worker while the store is unavailable: calls fail closed or open.
///
/// Whichever it is, a settlement that does not reach the store fails no call, which has been paid for: it is repeated for ten minutes, then
/// logged as an error, and listed by [`flush`](crate::account::Account::flush). A store that has lost the account, or the limit of it, is not
/// away: nothing is spent then.
///
/// ```
/// use metered_client::account::{Account, InProcess, OpenError, Outage};
/// use metered_client::Credits;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), OpenError> {
/// let account = Account::named("team").limit(Credits::new(100)).outage(Outage::Allow);
/// let account = account.open(InProcess::new()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Outage {
    /// Fails closed: calls fail, and nothing is sent. With slices that begins when a report fails, which takes about three seconds:
    /// until then calls go on within the slice.
    #[default]
    Refuse,
    /// It goes on within the slice that it has, until the lease of the slice ends. Then it fails closed.
    SpendSlice,
    /// Fails open: calls go on without a reservation in the account, two seconds after the store was first asked for each, and the limit of
    /// the account does not bound them. The budget of the client still does. What they cost counts in the account when the store is back
    /// within ten minutes, and in [`AccountUsage::strays`](crate::account::AccountUsage::strays).
    Allow,
}

/// Settings that all clones of an account share.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) slice: Option<Credits>,
    pub(super) outage: Outage,
    pub(super) lease: Duration,
    pub(super) max_in_flight: Option<u32>,
}

/// Checks that a store can count a limit.
pub(super) fn countable(limit: Credits) -> Result<Credits, OpenError> {
    match limit <= LARGEST {
        true => Ok(limit),
        false => Err(OpenError::TooLarge {
            limit,
            most: LARGEST,
        }),
    }
}
