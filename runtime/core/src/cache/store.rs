//! Where responses are stored. Each store passes the same tests.

use super::entry::Entry;
use super::error::CacheError;
use crate::future::BoxFuture;

/// Result of a step of a store.
pub(super) type Step<'a, T> = BoxFuture<'a, Result<T, CacheError>>;

/// Stores responses by the text of their requests.
pub(super) trait Store: Send + Sync {
    /// Returns a stored response.
    fn get<'a>(&'a self, key: &'a str) -> Step<'a, Option<Entry>>;

    /// Stores a response, in place of an earlier one. It is stored even if the future is dropped.
    fn put(&self, key: &str, operation: &'static str, entry: Entry) -> Step<'static, ()>;

    /// Returns the leases of other processes; `None` for a store of this process.
    fn leases(&self) -> Option<&dyn Leases> {
        None
    }
}

/// Lets one of several processes make a call. No clock is compared: a lease is dead if it was not renewed for a while, by the time of the one that
/// looks.
pub(super) trait Leases: Send + Sync {
    /// Takes a lease that is free, or was seen to be dead.
    fn claim(&self, key: &str, owner: u64, dead: Option<Seen>) -> Step<'static, Claim>;

    /// Renews a lease. Returns whether it is still that of this owner.
    fn renew(&self, key: &str, owner: u64) -> Step<'static, bool>;

    /// Ends a lease. `has_failed`: its call may have had its effect, and has no response. It ends even if the future is dropped.
    fn end(&self, key: &str, owner: u64, has_failed: bool) -> Step<'static, ()>;
}

/// The owner of the lease on a call that has failed.
pub(super) const FAILED: u64 = 0;

/// A lease of another process, or the end of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) owner: u64,
    pub(super) renewals: u64,
}

/// Result of a claim.
#[cfg_attr(
    not(any(feature = "cache-file", feature = "redis", test)),
    expect(
        dead_code,
        reason = "a store in memory is not shared between processes"
    )
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    Own,
    Other(Seen),
}
