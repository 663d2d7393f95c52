//! The way of a call through the cache: a stored response, an equal call in flight, or a call of its own.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

use super::cache::Cache;
use super::entry::{Entry, Stored, millis, now};
use super::error::{CacheError, LostLease, NeverStored, NotStored};
use super::flight::{Flight, Joined, Landing, Pilot, failure};
use super::key::key;
use super::lease::{Held, Look, Waiting};
use crate::call::drive::Ended;
use crate::call::engine::{DEADLINE, Engine};
use crate::call::state::Delivery;
use crate::error::{DeadlineExceeded, Delay, Error, Refused};
use crate::request::request::Request;
use crate::response::failure::TransportErrorKind;
use crate::response::history::CallHistory;
use crate::secret::key::ApiKey;
use crate::transport::clock::instant_after;

/// How often a call looks whether another process has made it.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// How far clocks of processes may differ, in milliseconds. A response from later than that is not fresh.
const CLOCKS: u64 = 60_000;
/// The kind of a refusal, for the attribute `error.type` of a span.
pub(super) const KIND: &str = "cache";

/// A call whose response may be stored.
#[derive(Clone)]
pub(crate) struct Fetch {
    pub(super) cache: Cache,
    pub(super) engine: Arc<Engine>,
    pub(super) request: Request,
    /// The text that equal calls share.
    pub(crate) key: Arc<str>,
    /// Responses from before this time are not reused: milliseconds since 1970.
    not_before: u64,
    /// When the call began.
    begun: u64,
    pub(super) deadline: Instant,
    /// True if an equal call was waited for.
    has_waited: bool,
    /// The history of the call when its lease was lost.
    pub(super) lost: Option<CallHistory>,
}

/// How a call is answered.
pub(crate) enum Fetched {
    /// Without a request.
    Answered(Box<Ended>, Option<Arc<ApiKey>>),
    /// By a call of its own, which is held by the flight.
    Own(Arc<Flight>, Turn),
}

/// The right to make a call.
pub(crate) struct Turn {
    pub(super) pilot: Pilot,
    /// `None` if no other process can make it.
    pub(super) lease: Option<Held>,
}

impl Fetch {
    /// Returns how a call goes through the cache; `None` if it does not.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if nothing may be sent, and the call cannot be answered by a stored response.
    pub(crate) fn new(
        cache: Option<&Cache>,
        engine: &Arc<Engine>,
        request: &Request,
        delivery: Delivery,
    ) -> Result<Option<Self>, Error> {
        let is_only = Cache::is_only(cache, request);
        // A stream is not stored.
        let cache = cache.filter(|_| delivery == Delivery::Whole);
        let fetch = Self::of(cache, engine, request);
        if is_only && fetch.is_none() {
            return Err(refused(request, CallHistory::start(), NotStored));
        }
        Ok(fetch)
    }

    /// Returns how a call would go through the cache; `None` if its response is not stored.
    pub(crate) fn of(
        cache: Option<&Cache>,
        engine: &Arc<Engine>,
        request: &Request,
    ) -> Option<Self> {
        let cache = cache?;
        // Without a runtime, the call fails as any other.
        Handle::try_current().ok()?;
        let age = cache.age(request)?;
        let key = key(engine, request, cache.partition.as_deref())?;
        let since = request.options.cache.since.map(millis_since_1970);
        let stated = request.options.deadline.or(engine.deadline);
        Some(Self {
            cache: cache.clone(),
            engine: Arc::clone(engine),
            request: request.clone(),
            key: key.into(),
            not_before: now()
                .saturating_sub(millis(age))
                .max(since.unwrap_or_default()),
            begun: now(),
            deadline: instant_after(stated.unwrap_or(DEADLINE)),
            has_waited: false,
            lost: None,
        })
    }

    /// Returns a stored response, or that of an equal call in flight; otherwise, the call is to be made.
    pub(crate) async fn fetch(&mut self) -> Result<Fetched, Error> {
        if !self.request.options.cache.is_refreshed
            && let Some(entry) = self.fresh().await?
        {
            return self.answered(&entry);
        }
        if self.cache.is_only || self.request.options.cache.is_only {
            return Err(refused(&self.request, self.history(), NotStored));
        }
        loop {
            let (flight, pilot) = match self.cache.shared.flights.join(&self.key) {
                Joined::Own(flight, pilot) => (flight, pilot),
                Joined::Other(_held, landed) => match self.landing(landed).await? {
                    Some(Landing::Made(entry)) => return self.answered(&entry),
                    Some(Landing::Stored(entry)) if self.is_fresh(&entry) => {
                        return self.answered(&entry);
                    }
                    Some(Landing::Failed(kind, why)) => return Err(self.failed(kind, why)),
                    // It had no effect, or was cancelled.
                    Some(Landing::Stored(_) | Landing::Unmade) | None => {
                        self.has_waited = true;
                        continue;
                    }
                },
            };
            return match self.lease().await {
                Ok(Leased::Own(lease)) => Ok(Fetched::Own(flight, Turn { pilot, lease })),
                Ok(Leased::Stored(entry)) => {
                    pilot.land(Landing::Stored(entry.clone()));
                    self.answered(&entry)
                }
                Ok(Leased::Failed) => {
                    let why =
                        "an equal call of another process failed, and may have been processed";
                    let kind = TransportErrorKind::Other;
                    pilot.land(Landing::Failed(kind, why.to_owned()));
                    Err(self.failed(kind, why.to_owned()))
                }
                Err(error) => {
                    pilot.land(Landing::Unmade);
                    Err(error)
                }
            };
        }
    }

    /// Returns whether the call ended because another process makes it by now. The next [`fetch`](Self::fetch) waits for that one, and its result
    /// lists the attempts so far.
    pub(crate) fn has_lost_lease(&mut self, error: &Error) -> bool {
        let Error::Refused(refused) = error else {
            return false;
        };
        let has_lost = refused.cause().is::<LostLease>();
        if has_lost {
            self.has_waited = true;
            self.lost = Some(refused.history.clone());
        }
        has_lost
    }

    /// Returns the history of the call so far.
    fn history(&self) -> CallHistory {
        self.lost.clone().unwrap_or_else(CallHistory::start)
    }

    /// Waits for the end of an equal call; `None` if it was cancelled.
    async fn landing(
        &self,
        mut landed: watch::Receiver<Option<Landing>>,
    ) -> Result<Option<Landing>, Error> {
        Handle::try_current().map_err(|error| self.refused(CacheError::no_runtime(error)))?;
        let ended = timeout_at(self.deadline, landed.wait_for(Option::is_some)).await;
        match ended {
            Ok(Ok(landing)) => Ok(landing.clone()),
            Ok(Err(_)) => Ok(None),
            Err(_) => Err(self.late("an equal call")),
        }
    }

    /// Waits until the call is this process's to make, or another one has made it.
    async fn lease(&self) -> Result<Leased, Error> {
        let Some(leases) = &self.cache.shared.leases else {
            // An equal call may have ended since the first look.
            let stored = self.stored_meanwhile(self.has_waited).await?;
            return Ok(stored.map_or(Leased::Own(None), Leased::Stored));
        };
        let mut waiting = Waiting::new(leases, &self.key, self.has_waited);
        loop {
            let look = waiting.look().await;
            let look = look.map_err(|error| self.refused(error))?;
            // An equal call may have ended since the first look.
            if let Some(entry) = self.stored_meanwhile(waiting.has_waited).await? {
                return Ok(Leased::Stored(entry));
            }
            match look {
                Look::Own(lease) => return Ok(Leased::Own(Some(lease))),
                Look::Failed => return Ok(Leased::Failed),
                Look::Other if Instant::now() >= self.deadline => {
                    return Err(self.late("an equal call of another process"));
                }
                Look::Other => sleep(CHECK_INTERVAL).await,
            }
        }
    }

    /// Returns a response that another call has stored. One that is to be refreshed is not looked at, unless another process was waited for.
    async fn stored_meanwhile(&self, has_waited: bool) -> Result<Option<Entry>, Error> {
        let is_refreshed = self.request.options.cache.is_refreshed;
        if is_refreshed && !has_waited {
            return Ok(None);
        }
        let stored = self.fresh().await?;
        Ok(stored.filter(|entry| !is_refreshed || entry.stored_at >= self.begun))
    }

    /// Returns how a call that is to be watched would go through the cache.
    pub(crate) fn watched(fetch: Option<Self>, request: &Request) -> Result<Self, Error> {
        fetch.ok_or_else(|| refused(request, CallHistory::start(), NeverStored))
    }

    /// Returns the stored response of any age. Sends nothing.
    pub(crate) async fn stored(&self) -> Result<Option<Stored>, Error> {
        let stored = self.entry().await?;
        Ok(stored.map(|entry| Stored {
            is_fresh: self.is_fresh(&entry),
            at: entry.time(),
            body: entry.body,
        }))
    }

    async fn entry(&self) -> Result<Option<Entry>, Error> {
        let stored = self.cache.shared.store.get(&self.key).await;
        stored.map_err(|error| self.refused(error))
    }

    async fn fresh(&self) -> Result<Option<Entry>, Error> {
        let stored = self.entry().await?;
        Ok(stored.filter(|entry| self.is_fresh(entry)))
    }

    fn is_fresh(&self, entry: &Entry) -> bool {
        let latest = now().saturating_add(CLOCKS);
        (self.not_before..=latest).contains(&entry.stored_at)
    }

    /// Ends the call with a response that was not sent for it.
    fn answered(&self, entry: &Entry) -> Result<Fetched, Error> {
        let Some(response) = entry.response() else {
            let problem = "a stored response is not a valid one";
            return Err(self.refused(CacheError::new("was changed", problem)));
        };
        let record = entry.record.as_deref();
        let stored = self.engine.interceptors.stored(&self.request, record);
        let mut history = self.history().with_retry(None, false);
        // The record of an attempt that may have had its effect stays that of the call.
        if history.is_repeatable() {
            history.record = stored;
        }
        history.stored_at = Some(entry.time());
        let ended = Ended {
            response: Ok(response),
            body: None,
            history,
        };
        let secrets = self.engine.credentials.secrets();
        Ok(Fetched::Answered(Box::new(ended), secrets))
    }

    fn failed(&self, kind: TransportErrorKind, why: String) -> Error {
        let history = self.history().with_retry(None, false);
        failure(kind, why)
            .during(self.request.operation(), history)
            .into()
    }

    pub(super) fn refused(&self, cause: CacheError) -> Error {
        refused(&self.request, self.history(), cause)
    }

    fn late(&self, what: &'static str) -> Error {
        let delay = Delay::Waiting(what);
        DeadlineExceeded::new(self.request.operation(), self.history(), delay).into()
    }
}

/// Who has made a call, or is to make it.
enum Leased {
    /// This process.
    Own(Option<Held>),
    /// Another one.
    Stored(Entry),
    /// Another one. It may have had its effect, and has no response.
    Failed,
}

fn refused(
    request: &Request,
    history: CallHistory,
    cause: impl std::error::Error + Send + Sync + 'static,
) -> Error {
    let history = history.with_retry(None, false);
    Refused::new(request.operation(), history, KIND, Box::new(cause)).into()
}

fn millis_since_1970(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    millis(since.unwrap_or_default())
}
