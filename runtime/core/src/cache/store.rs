//! Where responses are stored. Each store passes the same tests.

use std::time::Duration;

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

    /// Returns the lease of other processes on calls; `None` for a store of this process.
    fn leases(&self) -> Option<&dyn Leases> {
        None
    }
}

/// Lets one of several processes make a call. The lease of a process that died ends after its time.
pub(super) trait Leases: Send + Sync {
    /// Takes or renews a lease. `false`: another owner has it.
    fn claim(&self, key: &str, owner: u64, time: Duration) -> Step<'static, bool>;

    /// Gives a lease back. It is given back even if the future is dropped.
    fn release(&self, key: &str, owner: u64) -> Step<'static, ()>;
}
