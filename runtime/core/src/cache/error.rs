//! Failures of a store.

use tokio::runtime::TryCurrentError;

/// The store of a cache failed. If it is the cause of an error, nothing was sent.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the cache {place}: {problem}")]
pub struct CacheError {
    /// The file, or the kind of the store.
    pub(super) place: String,
    pub(super) problem: String,
}

impl CacheError {
    pub(super) fn no_runtime(_: TryCurrentError) -> Self {
        Self::new("of this process", "it needs a Tokio runtime")
    }

    pub(super) fn new(place: &str, problem: impl ToString) -> Self {
        Self {
            place: place.to_owned(),
            problem: problem.to_string(),
        }
    }
}

/// Another process makes the call: this one slept, and lost its lease. Nothing is sent.
#[derive(Debug, thiserror::Error)]
#[error("another process makes the same call")]
pub(super) struct LostLease;

/// A call is to be watched whose response is never stored.
#[derive(Debug, thiserror::Error)]
#[error("its response is not stored, so that there is nothing to compare with")]
pub(super) struct NeverStored;

/// A call that may only be answered by a stored response has none.
#[derive(Debug, thiserror::Error)]
#[error("no fresh response is stored")]
pub(super) struct NotStored;
