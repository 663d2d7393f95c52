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
}

/// The leases of calls in a store that several processes share. One process knows its calls in flight, and needs none.
pub(super) trait Leases: Send + Sync {
    /// Replaces the lease on a call, if it is the expected one, and returns the one that was there. It is replaced even if the future is dropped.
    fn exchange(
        &self,
        key: &str,
        expected: Option<Lease>,
        next: Option<Lease>,
    ) -> Step<'static, Option<Lease>>;
}

/// Lets one of several processes make a call, or is the mark of one that has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lease {
    pub(super) owner: u64,
    pub(super) renewals: u64,
}

/// The owner of the mark of a call that has failed. Its renewals differ from those of other marks.
pub(super) const FAILED: u64 = 0;
