//! The public handle, and its settings.

use std::fmt;
#[cfg(feature = "cache-file")]
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;

#[cfg(feature = "cache-file")]
use super::error::CacheError;
#[cfg(feature = "cache-file")]
use super::file::File;
use super::flight::Flights;
use super::memory::{MOST_BYTES, Memory};
use super::store::{Leases, Store};
use crate::request::request::Request;

/// Stored responses, and the calls in flight that get them. Cheap to clone; clones share everything but their settings.
///
/// [`ClientBuilder::cache`](crate::ClientBuilder::cache) gives it to a client. Clients of one API can share it.
#[derive(Clone)]
pub struct Cache {
    pub(super) shared: Arc<Shared>,
    max_age: Option<Duration>,
    pub(super) partition: Option<Arc<str>>,
    also: Vec<StatusCode>,
    pub(super) is_only: bool,
}

pub(super) struct Shared {
    pub(super) store: Arc<dyn Store>,
    /// Those of the store, if several processes share it.
    pub(super) leases: Option<Arc<dyn Leases>>,
    pub(super) flights: Arc<Flights>,
}

impl Cache {
    /// Returns a cache with a store that several processes share.
    #[cfg(any(test, feature = "cache-file", feature = "redis"))]
    pub(super) fn shared(store: impl Store + Leases + 'static) -> Self {
        let store = Arc::new(store);
        Self::new(Arc::clone(&store) as _, Some(store))
    }

    fn new(store: Arc<dyn Store>, leases: Option<Arc<dyn Leases>>) -> Self {
        Self {
            shared: Arc::new(Shared {
                store,
                leases,
                flights: Arc::default(),
            }),
            max_age: None,
            partition: None,
            also: Vec::new(),
            is_only: false,
        }
    }

    /// Stores responses in this process: 64 MiB, and the oldest ones go first.
    pub fn in_memory() -> Self {
        Self::new(Arc::new(Memory::new(MOST_BYTES)), None)
    }

    /// Stores responses in an SQLite file, which several processes may open at once. A killed process leaves the file valid. Nothing is removed from
    /// it: the table `responses` can be read, and rows deleted, with any tool.
    ///
    /// ```no_run
    /// use generated_client::cache::{Cache, CacheError};
    ///
    /// fn stored() -> Result<Cache, CacheError> {
    ///     Cache::open("responses.sqlite")
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The file cannot be opened, is another one, or has tables of another version.
    #[cfg(feature = "cache-file")]
    pub fn open(path: impl AsRef<Path>) -> Result<Self, CacheError> {
        File::open(path.as_ref()).map(Self::shared)
    }

    /// States for how long a response is fresh, for GET and HEAD requests of operations for which neither the call nor the document says it.
    #[must_use]
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// Separates stored responses from those of other names, for example if users get different data.
    #[must_use]
    pub fn partition(mut self, name: &str) -> Self {
        self.partition = Some(name.into());
        self
    }

    /// Also stores responses of this status code, such as [`StatusCode::NOT_FOUND`]: what is missing is not asked for again.
    #[must_use]
    pub fn also(mut self, status: StatusCode) -> Self {
        self.also.push(status);
        self
    }

    /// Answers all calls from what is stored, of any age, and sends nothing. With a [file](Self::open) that was filled once, tests need no service.
    #[must_use]
    pub fn only_if_cached(mut self) -> Self {
        self.is_only = true;
        self
    }

    /// Returns for how long a response to this request is fresh; `None` if it is not stored.
    pub(super) fn age(&self, request: &Request) -> Option<Duration> {
        if self.is_only {
            return Some(Duration::MAX);
        }
        let is_reading = request.operation().is_safe() || request.fresh_for.is_some();
        let of_call = request.options.cache.max_age.or(request.fresh_for);
        let any = request.options.cache.is_only.then_some(Duration::MAX);
        let age = of_call.or(self.max_age).or(any).filter(|_| is_reading)?;
        (!age.is_zero()).then_some(age)
    }

    /// Returns whether only a stored response may answer a call.
    pub(crate) fn is_only(cache: Option<&Self>, request: &Request) -> bool {
        request.options.cache.is_only || cache.is_some_and(|cache| cache.is_only)
    }

    pub(super) fn is_stored(&self, status: StatusCode) -> bool {
        let is_partial = [StatusCode::ACCEPTED, StatusCode::PARTIAL_CONTENT].contains(&status);
        status.is_success() && !is_partial || self.also.contains(&status)
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache")
            .field("max_age", &self.max_age)
            .field("partition", &self.partition)
            .field("also", &self.also)
            .finish_non_exhaustive()
    }
}
