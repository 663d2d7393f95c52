//! A call that is made for the cache: its lease, its response, and its end for those that wait.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::Response;
use serde::de::IgnoredAny;
use tokio::time::Instant;

use super::entry::Entry;
use super::error::LostLease;
use super::fetch::{Fetch, KIND, Turn};
use super::flight::{Landing, Pilot};
use super::lease::Held;
use super::store::Step;
use crate::call::state::Arrivals;
use crate::decode::decode::without_mark;
use crate::error::{Error, Refused};
use crate::future::BoxFuture;
use crate::interceptor::Record;
use crate::lock::lock;
use crate::request::comparison::takes_json;
use crate::request::request::Request;
use crate::response::history::CallHistory;

/// A call that is made for the cache. It lives as long as the call, also if that goes on without its caller.
pub(crate) struct Making {
    pilot: Pilot,
    /// The response, the step that stores it, and the lease.
    arrived: Arc<Arrived>,
}

impl Making {
    pub(crate) fn new(fetch: &Fetch, turn: Turn) -> Self {
        let Turn { pilot, lease } = turn;
        Self {
            arrived: Arc::new(Arrived {
                fetch: fetch.clone(),
                lease,
                stored: Mutex::default(),
            }),
            pilot,
        }
    }

    /// Returns the request with what is left of its deadline.
    pub(crate) fn request(&self) -> Request {
        let fetch = &self.arrived.fetch;
        let mut request = fetch.request.clone();
        let left = fetch.deadline.saturating_duration_since(Instant::now());
        request.options.deadline = request.options.deadline.map(|stated| stated.min(left));
        request
    }

    /// Returns the history of the call when an earlier lease on it was lost.
    pub(crate) fn lost(&self) -> Option<CallHistory> {
        self.arrived.fetch.lost.clone()
    }

    /// Returns what stores a response as soon as it arrives.
    pub(crate) fn arrivals(&self) -> Arc<dyn Arrivals> {
        Arc::clone(&self.arrived) as _
    }

    /// Waits until the response is stored, and tells those that wait for the call. A response that cannot be stored is still returned.
    pub(crate) async fn end(self, ended: Landing) {
        let stored = lock(&self.arrived.stored).take();
        let landing = match stored {
            Some((entry, storing)) => {
                if let Some(storing) = storing
                    && let Err(error) = storing.await
                {
                    let operation = self.arrived.fetch.request.operation().id;
                    tracing::warn!(operation, %error, "a response is not stored");
                }
                Landing::Made(entry)
            }
            None => ended,
        };
        let has_failed = matches!(landing, Landing::Failed(..));
        if let Some(lease) = &self.arrived.lease {
            lease.end(has_failed).await;
        }
        self.pilot.land(landing);
    }
}

/// The response of a call that is made, for those that wait, and for the store.
struct Arrived {
    fetch: Fetch,
    lease: Option<Held>,
    stored: Mutex<Option<(Entry, Option<Step<'static, ()>>)>>,
}

impl Arrivals for Arrived {
    fn confirm<'a>(&'a self, history: &'a CallHistory) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            let Some(lease) = &self.lease else {
                return Ok(());
            };
            let is_held = lease.is_held().await;
            if is_held.map_err(|error| self.fetch.refused(error))? {
                return Ok(());
            }
            let history = history.clone().with_retry(None, false);
            let operation = self.fetch.request.operation();
            Err(Refused::new(operation, history, KIND, Box::new(LostLease)).into())
        })
    }

    fn arrived(&self, response: &Response<Bytes>, record: Option<&Record>) {
        let fetch = &self.fetch;
        let stored = record.and_then(|record| record.to_store());
        let had_effect = record.is_some_and(|record| !record.is_repeatable());
        let is_kept = fetch.cache.is_stored(response.status());
        if !is_kept && !had_effect {
            return;
        }
        // A page of a gateway is no response of the service.
        let is_page = stored.is_none() && takes_json(&fetch.request) && !is_json(response.body());
        let entry = Entry::new(response, stored);
        let has_secret = fetch.has_secret(&entry);
        let operation = fetch.request.operation().id;
        if has_secret {
            tracing::warn!(
                operation,
                "a response is not stored: it repeats a credential"
            );
        }
        let is_stored = is_kept && !is_page && !has_secret;
        let store = &fetch.cache.shared.store;
        let storing = is_stored.then(|| store.put(&fetch.key, operation, entry.clone()));
        *lock(&self.stored) = Some((entry, storing));
    }
}

impl Fetch {
    fn has_secret(&self, entry: &Entry) -> bool {
        let Some(secrets) = self.engine.credentials.secrets() else {
            return false;
        };
        let headers = entry.headers.iter();
        let mut texts = headers.flat_map(|(name, value)| [name, value]);
        secrets.is_in(&entry.body) || texts.any(|text| secrets.is_in(text.as_bytes()))
    }
}

fn is_json(body: &[u8]) -> bool {
    body.is_empty() || serde_json::from_slice::<IgnoredAny>(without_mark(body)).is_ok()
}

#[cfg(test)]
mod tests {
    //! A process that slept: another one has taken its lease.

    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use bytes::Bytes;
    use http::{Method, StatusCode};
    use serde_json::Value;

    use super::super::cache::Cache;
    use super::super::entry::Entry;
    use super::super::store::{Lease, Leases, Step, Store};
    use crate::client::builder::ClientBuilder;
    use crate::client::client::Client;
    use crate::document::Api;
    use crate::error::Error;
    use crate::future::BoxFuture;
    use crate::interceptor::{
        AttemptEnd, CallRecord, Denial, Guard, Interceptor, NextAttempt, Settled,
    };
    use crate::lock::lock;
    use crate::request::options::RetryPolicy;
    use crate::response::response::Response;
    use crate::testing::{Reply, Script};

    static API: Api = Api::new("calls", "1.2.3", "CALLS");

    /// The end of the call of the other process.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Other {
        Stores,
        Fails,
    }

    /// A store in which the first lease is lost after some attempts.
    struct Sleeping {
        other: Other,
        /// How many attempts are confirmed.
        attempts: Mutex<u32>,
        /// How often the lease was claimed.
        claims: Mutex<u32>,
    }

    /// Records attempts that may have had an effect.
    #[derive(Debug)]
    struct Effects;

    impl Interceptor for Effects {
        fn before<'a>(
            &'a self,
            _next: NextAttempt<'a>,
        ) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>> {
            Box::pin(std::future::ready(Ok(Box::new(Self) as _)))
        }
    }

    impl Guard for Effects {
        fn ended(self: Box<Self>, _end: AttemptEnd<'_>) -> Settled {
            Settled {
                record: Some(Arc::new(*self)),
                ..Settled::default()
            }
        }
    }

    impl CallRecord for Effects {
        fn line(&self) -> String {
            String::new()
        }

        fn is_repeatable(&self) -> bool {
            false
        }
    }

    fn done<T: Send + 'static>(value: T) -> Step<'static, T> {
        Box::pin(std::future::ready(Ok(value)))
    }

    impl Store for Sleeping {
        fn get<'a>(&'a self, _key: &'a str) -> Step<'a, Option<Entry>> {
            let is_stored = self.other == Other::Stores && *lock(&self.claims) > 2;
            let response = http::Response::new(Bytes::from("17"));
            done(is_stored.then(|| Entry::new(&response, None)))
        }

        fn put(&self, _key: &str, _operation: &'static str, _entry: Entry) -> Step<'static, ()> {
            done(())
        }
    }

    impl Leases for Sleeping {
        fn exchange(
            &self,
            _key: &str,
            expected: Option<Lease>,
            next: Option<Lease>,
        ) -> Step<'static, Option<Lease>> {
            let is_renewal = expected.is_some_and(|lease| lease.owner > 7) && next.is_some();
            if is_renewal {
                let mut attempts = lock(&self.attempts);
                let is_held = *attempts > 0;
                *attempts = attempts.saturating_sub(1);
                return done(expected.filter(|_| is_held));
            }
            let mut claims = lock(&self.claims);
            *claims += u32::from(next.is_some());
            let owner = match (*claims, self.other) {
                (2, Other::Stores) => 7,
                (2.., Other::Fails) => 0,
                // The first one; or the other one has stored its response, and ended its lease.
                _ => return done(expected),
            };
            done(Some(Lease { owner, renewals: 1 }))
        }
    }

    fn call(
        other: Other,
        attempts: u32,
        script: &Script,
    ) -> BoxFuture<'static, Result<Response<Value>, Error>> {
        let store = Sleeping {
            other,
            attempts: Mutex::new(attempts),
            claims: Mutex::default(),
        };
        let cache = Cache::shared(store).max_age(Duration::from_secs(60));
        let client = ClientBuilder::<Client>::new(&API, "https://api.example.com");
        let client = client.cache(cache).intercept(Effects);
        let client = client.transport(script.clone());
        let client = client.build().unwrap();
        let call = client.raw(Method::GET, "/thing");
        Box::pin(async move { call.retry(RetryPolicy::Always).send().await })
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_was_lost_is_noticed_before_anything_is_sent() {
        let script = Script::new([]);
        assert_eq!(call(Other::Stores, 0, &script).await.unwrap().body, 17);
        let error = call(Other::Fails, 0, &script).await.unwrap_err();
        assert!(
            error.to_string().contains("may have been processed"),
            "{error}"
        );
        assert!(script.sent().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn an_attempt_before_the_lease_was_lost_is_listed() {
        let script = Script::new([Reply::new(500, ""), Reply::new(500, "")]);
        let Response { body, meta, .. } = call(Other::Stores, 1, &script).await.unwrap();
        assert_eq!((body, meta.attempts), (17.into(), 1));
        assert!(meta.stored_at().is_some());
        let error = call(Other::Fails, 1, &script).await.unwrap_err();
        assert_eq!(error.attempts(), 1);
        let records = [meta.record().unwrap(), error.record().unwrap()];
        assert!(records.iter().all(|record| !record.is_repeatable()));
        for attempts in [meta.earlier_attempts(), error.earlier_attempts()] {
            assert_eq!(attempts[0].status, Some(StatusCode::INTERNAL_SERVER_ERROR));
        }
        assert_eq!(script.sent().len(), 2);
    }
}
