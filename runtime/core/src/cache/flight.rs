//! Equal calls at the same time in this process: one is made, and all of them wait for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use futures_util::future::{Shared, WeakShared};

use super::entry::Entry;
use crate::call::attempts::Ended;
use crate::error::{Error, TransportError};
use crate::future::BoxFuture;
use crate::lock::lock;
use crate::response::failure::TransportErrorKind;
use crate::secret::key::ApiKey;

/// Result of a call, with the secrets that no message may show.
pub(crate) type Called = Result<(Ended, Option<Arc<ApiKey>>), Error>;

/// A call that several callers wait for. It is cancelled when the last one leaves.
pub(super) type Flight = Shared<BoxFuture<'static, Landed>>;

/// The end of a call, for each of its callers.
#[derive(Clone)]
pub(super) struct Landed {
    /// For the caller that started it, with the charge.
    own: Arc<Mutex<Option<Called>>>,
    pub(super) copy: Landing,
}

/// What the other callers get.
#[derive(Clone)]
pub(super) enum Landing {
    /// A response: its call was made, or another process has made it.
    Response(Entry),
    /// It failed after it was sent: they make no call that could be billed a second time.
    Failed(TransportErrorKind, String),
    /// Nothing was sent: each of them makes its own call.
    NotSent,
}

impl Landed {
    /// Returns the end of a call that was made.
    pub(super) fn new(called: Called) -> Self {
        let copy = match &called {
            Ok((ended, _)) => match &ended.response {
                Ok(response) => {
                    let record = ended.history.record.as_ref();
                    let record = record.and_then(|record| record.to_store());
                    Landing::Response(Entry::new(response, record))
                }
                Err(error) => Landing::Failed(error.kind(), error.to_string()),
            },
            Err(error) if error.attempts() > 0 => {
                Landing::Failed(TransportErrorKind::Other, error.to_string())
            }
            Err(_) => Landing::NotSent,
        };
        Self {
            own: Arc::new(Mutex::new(Some(called))),
            copy,
        }
    }

    /// Returns the end of a call that another process has made.
    pub(super) fn stored(entry: Entry) -> Self {
        Self {
            own: Arc::default(),
            copy: Landing::Response(entry),
        }
    }

    /// Returns the call itself, once.
    pub(super) fn take(&self) -> Option<Called> {
        lock(&self.own).take()
    }
}

/// The error of a caller that waited for an equal call.
pub(super) fn failed(kind: TransportErrorKind, why: &str) -> TransportError {
    TransportError::new(kind, format!("an equal call in flight failed: {why}")).not_sent()
}

/// The calls in flight, by their keys.
#[derive(Default)]
pub(super) struct Flights(Mutex<InFlight>);

#[derive(Default)]
struct InFlight {
    by_key: HashMap<Arc<str>, (u64, WeakShared<BoxFuture<'static, Landed>>)>,
    /// How many there were so far.
    count: u64,
}

impl Flights {
    /// Returns the call in flight with this key, or starts the one that `make` returns. `true`: it was started.
    pub(super) fn join(
        self: &Arc<Self>,
        key: &Arc<str>,
        make: impl FnOnce() -> BoxFuture<'static, Landed>,
    ) -> (Flight, bool) {
        let mut in_flight = lock(&self.0);
        let present = in_flight.by_key.get(key);
        if let Some(flight) = present.and_then(|(_, flight)| flight.upgrade()) {
            return (flight, false);
        }
        in_flight.count = in_flight.count.saturating_add(1);
        let entry = FlightEntry {
            flights: Arc::clone(self),
            key: Arc::clone(key),
            number: in_flight.count,
        };
        let call = make();
        let call = async move {
            // It leaves when the call has ended, or its last caller has left. By then, a response is stored.
            let _entry = entry;
            call.await
        };
        let flight = call.boxed().shared();
        let number = in_flight.count;
        let entry = flight
            .downgrade()
            .map(|weak| (Arc::clone(key), (number, weak)));
        in_flight.by_key.extend(entry);
        (flight, true)
    }
}

/// Removes a call from those in flight when it is dropped.
struct FlightEntry {
    flights: Arc<Flights>,
    key: Arc<str>,
    number: u64,
}

impl Drop for FlightEntry {
    fn drop(&mut self) {
        let by_key = &mut lock(&self.flights.0).by_key;
        if by_key
            .get(&self.key)
            .is_some_and(|(number, _)| *number == self.number)
        {
            by_key.remove(&self.key);
        }
    }
}
