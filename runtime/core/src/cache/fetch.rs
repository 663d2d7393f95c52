//! The way of a call through the cache: a stored response, an equal call in flight, or a call of its own.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::runtime::Handle;
use tokio::time::{Instant, sleep, timeout_at};

use super::cache::Cache;
use super::entry::{Entry, millis, now};
use super::error::{CacheError, NotStored};
use super::flight::{Called, Landed, Landing, failed};
use super::key::key;
use super::lease::Lease;
use crate::call::attempts::Ended;
use crate::call::drive::{NoRuntime, drive};
use crate::call::engine::{DEADLINE, Engine};
use crate::error::{ConfigurationError, DeadlineExceeded, Delay, Error, Refused};
use crate::future::BoxFuture;
use crate::request::request::Request;
use crate::response::history::CallHistory;
use crate::transport::clock::instant_after;

/// How often a call asks whether another process has its response.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// The kind of a refusal, for the attribute `error.type` of a span.
const KIND: &str = "cache";

/// A call whose response may be stored.
#[derive(Clone)]
pub(crate) struct Fetch {
    cache: Cache,
    engine: Arc<Engine>,
    request: Request,
    key: Arc<str>,
    /// Responses from before this time are not reused: milliseconds since 1970.
    not_before: u64,
    deadline: Instant,
}

/// Who has made a call, or is to make it.
enum Leased {
    /// This process, with its lease if the store is shared.
    Own(Option<Lease>),
    /// Another one.
    Stored(Entry),
}

impl Fetch {
    /// Returns how a call goes through the cache; `None` if it does not.
    pub(crate) fn new(cache: &Cache, engine: &Arc<Engine>, request: &Request) -> Option<Self> {
        // Without a runtime, the call fails as any other.
        Handle::try_current().ok()?;
        let age = cache.age(request)?;
        let key = key(engine, request, cache.partition.as_deref())?;
        let not_before = if request.cache.is_refreshed {
            now().saturating_add(1)
        } else {
            now().saturating_sub(millis(age))
        };
        let stated = request.deadline.or(engine.deadline);
        Some(Self {
            cache: cache.clone(),
            engine: Arc::clone(engine),
            request: request.clone(),
            key: key.into(),
            not_before,
            deadline: instant_after(stated.unwrap_or(DEADLINE)),
        })
    }

    /// Returns a stored response, or makes the call; at the same time as equal ones, it is made once.
    pub(crate) async fn call(
        self,
        make: impl Fn(Self) -> BoxFuture<'static, Called> + Clone + Send + 'static,
    ) -> Called {
        if let Some(entry) = self.fresh().await? {
            return self.stored(&entry);
        }
        if self.cache.is_only(&self.request) {
            return Err(self.refused(NotStored));
        }
        // On a task: like any call, it makes progress while it is not polled.
        let driven = drive(self.miss(make), Arc::default(), false);
        let called = driven
            .map_err(|NoRuntime| ConfigurationError::NoRuntime)?
            .await;
        called.unwrap_or_else(|NoRuntime| Err(ConfigurationError::NoRuntime.into()))
    }

    /// Makes the call, or waits for an equal one in flight.
    async fn miss(
        self,
        make: impl Fn(Self) -> BoxFuture<'static, Called> + Clone + Send + 'static,
    ) -> Called {
        loop {
            let flights = &self.cache.shared.flights;
            let (flight, is_own) = flights.join(&self.key, || {
                let (fetch, make) = (self.clone(), make.clone());
                Box::pin(fetch.land(make))
            });
            let Ok(landed) = timeout_at(self.deadline, flight).await else {
                return Err(self.late("an equal call"));
            };
            if is_own && let Some(called) = landed.take() {
                return called;
            }
            match landed.copy {
                // The caller that started it may accept an older one.
                Landing::Response(entry) if entry.stored_at < self.not_before => {}
                Landing::Response(entry) => return self.stored(&entry),
                Landing::Failed(kind, why) => {
                    let history = CallHistory::start().with_retry(None, false);
                    let error = failed(kind, &why).during(self.request.operation(), history);
                    return Err(error.into());
                }
                Landing::NotSent => {}
            }
        }
    }

    /// Makes the call, unless another process makes an equal one.
    async fn land(self, make: impl Fn(Self) -> BoxFuture<'static, Called>) -> Landed {
        let _lease = match self.lease().await {
            Ok(Leased::Own(lease)) => lease,
            Ok(Leased::Stored(entry)) => return Landed::stored(entry),
            Err(error) => return Landed::new(Err(error)),
        };
        Landed::new(make(self).await)
    }

    /// Waits until the call is this process's to make, or another one has made it.
    async fn lease(&self) -> Result<Leased, Error> {
        let store = &self.cache.shared.store;
        loop {
            let lease = Lease::claim(store, &self.key).await;
            let lease = lease.map_err(|error| self.refused(error))?;
            // Also with a lease: an equal call may just have ended.
            if let Some(entry) = self.fresh().await? {
                return Ok(Leased::Stored(entry));
            }
            if lease.is_some() || store.leases().is_none() {
                return Ok(Leased::Own(lease));
            }
            if Instant::now() >= self.deadline {
                return Err(self.late("an equal call of another process"));
            }
            sleep(CHECK_INTERVAL).await;
        }
    }

    /// Returns what is to be stored of the end of the call.
    pub(crate) fn entry(&self, ended: &Ended) -> Option<Entry> {
        let Ok(response) = &ended.response else {
            return None;
        };
        if !self.cache.is_stored(response.status()) || ended.history.is_answered {
            return None;
        }
        let record = ended.history.record.as_ref();
        let entry = Entry::new(response, record.and_then(|record| record.to_store()));
        if self.has_secret(&entry) {
            let operation = self.request.operation().id;
            tracing::warn!(
                operation,
                "a response is not stored: it repeats a credential"
            );
            return None;
        }
        Some(entry)
    }

    /// Stores the response of the call. One that cannot be stored is still returned.
    pub(crate) async fn store(&self, entry: Option<Entry>) {
        let Some(entry) = entry else { return };
        let operation = self.request.operation().id;
        let stored = self
            .cache
            .shared
            .store
            .put(&self.key, operation, entry)
            .await;
        if let Err(error) = stored {
            tracing::warn!(operation, %error, "a response is not stored");
        }
    }

    /// Returns the request with what is left of its deadline.
    pub(crate) fn request(&self) -> Request {
        let mut request = self.request.clone();
        let left = self.deadline.saturating_duration_since(Instant::now());
        request.deadline = request.deadline.map(|stated| stated.min(left));
        request
    }

    /// Returns when the fresh stored response arrived; `None` if there is none.
    pub(crate) async fn stored_at(&self) -> Result<Option<SystemTime>, Error> {
        Ok(self.fresh().await?.map(|entry| entry.time()))
    }

    async fn fresh(&self) -> Result<Option<Entry>, Error> {
        let stored = self.cache.shared.store.get(&self.key).await;
        let stored = stored.map_err(|error| self.refused(error))?;
        Ok(stored.filter(|entry| entry.stored_at >= self.not_before))
    }

    /// Ends the call with a response that was not sent for it.
    fn stored(&self, entry: &Entry) -> Called {
        let Some(response) = entry.response() else {
            let problem = "a stored response is not a valid one";
            return Err(self.refused(CacheError::new("was changed", problem)));
        };
        let record = entry.record.as_deref();
        let mut history = CallHistory::start().with_retry(None, false);
        history.record = self.engine.interceptors.stored(&self.request, record);
        history.is_answered = true;
        history.stored_at = Some(entry.time());
        let ended = Ended {
            response: Ok(response),
            body: None,
            panic: None,
            history,
        };
        Ok((ended, self.engine.credentials.secrets()))
    }

    fn has_secret(&self, entry: &Entry) -> bool {
        let Some(secrets) = self.engine.credentials.secrets() else {
            return false;
        };
        let headers = entry.headers.iter();
        secrets.is_in(&entry.body)
            || headers
                .flat_map(|(name, value)| [name, value])
                .any(|text| secrets.is_in(text.as_bytes()))
    }

    fn refused(&self, cause: impl std::error::Error + Send + Sync + 'static) -> Error {
        let history = CallHistory::start().with_retry(None, false);
        Refused::new(self.request.operation(), history, KIND, Box::new(cause)).into()
    }

    fn late(&self, what: &'static str) -> Error {
        let delay = Delay::Admission(what);
        DeadlineExceeded::new(self.request.operation(), CallHistory::start(), delay).into()
    }
}
