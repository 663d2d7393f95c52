//! Equal calls at the same time in this process: one is made, and the others wait for its end.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::watch;

use super::entry::Entry;
use crate::call::drive::{Driven, Driving, Ended};
use crate::error::{Error, TransportError};
use crate::lock::lock;
use crate::response::failure::TransportErrorKind;

/// The end of a call, for those that waited for it.
#[derive(Debug, Clone)]
pub(crate) enum Landing {
    /// Its response.
    Made(Entry),
    /// A response that another process has stored.
    Stored(Entry),
    /// It may have had its effect, and has no response: those that waited make no call that could have it a second time.
    Failed(TransportErrorKind, String),
    /// It had no effect, and has no response: each of them makes its own call.
    Unmade,
}

impl Landing {
    /// Returns the end of a call without a response that others may use.
    pub(crate) fn of(ended: &Result<Ended, Error>) -> Self {
        let (kind, why) = match ended {
            Ok(ended) if ended.history.is_repeatable() => return Self::Unmade,
            Ok(Ended { response, .. }) => match response {
                Ok(response) => (TransportErrorKind::Other, response.status().to_string()),
                Err(error) => (error.kind(), error.to_string()),
            },
            Err(error) if error.attempts() == 0 || error.is_repeatable() => return Self::Unmade,
            Err(error) => (TransportErrorKind::Other, error.to_string()),
        };
        Self::Failed(kind, format!("an equal call in flight failed: {why}"))
    }
}

/// Returns the error of a caller that waited for a call that failed.
pub(super) fn failure(kind: TransportErrorKind, why: String) -> TransportError {
    TransportError::new(kind, why).not_sent()
}

/// Keeps a call alive while anyone waits for it.
#[derive(Default)]
pub(crate) struct Flight(Mutex<Option<Arc<Mutex<Driven>>>>);

impl Flight {
    /// Holds the task of the call, which is cancelled when the last one drops it.
    pub(crate) fn hold(self: Arc<Self>, call: Driven) -> Driving {
        let driven = Arc::new(Mutex::new(call));
        *lock(&self.0) = Some(Arc::clone(&driven));
        Driving::Held {
            driven,
            _flight: self,
        }
    }
}

/// The calls in flight, by their keys. A call is there as long as its pilot.
#[derive(Default)]
pub(super) struct Flights(Mutex<HashMap<Arc<str>, Entered>>);

/// Who makes a call.
pub(super) enum Joined {
    /// The caller, who tells its end.
    Own(Arc<Flight>, Pilot),
    /// Another one. A detached call goes on without anyone who holds it.
    Other(Option<Arc<Flight>>, watch::Receiver<Option<Landing>>),
}

/// A call in flight.
struct Entered {
    flight: Weak<Flight>,
    landed: watch::Receiver<Option<Landing>>,
}

impl Flights {
    /// Joins the call in flight with this key, or begins one.
    pub(super) fn join(self: &Arc<Self>, key: &Arc<str>) -> Joined {
        let mut in_flight = lock(&self.0);
        if let Some(entered) = in_flight.get(key) {
            return Joined::Other(entered.flight.upgrade(), entered.landed.clone());
        }
        let (sender, receiver) = watch::channel(None);
        let flight = Arc::<Flight>::default();
        let entered = Entered {
            flight: Arc::downgrade(&flight),
            landed: receiver,
        };
        in_flight.insert(Arc::clone(key), entered);
        let pilot = Pilot {
            flights: Arc::clone(self),
            key: Arc::clone(key),
            sender,
        };
        Joined::Own(flight, pilot)
    }
}

/// Tells the end of a call. It lives as long as the call does, also if that goes on without its caller.
pub(super) struct Pilot {
    flights: Arc<Flights>,
    key: Arc<str>,
    sender: watch::Sender<Option<Landing>>,
}

impl Pilot {
    /// Tells the end. Its response is stored by now: a later caller finds it there.
    pub(super) fn land(self, landing: Landing) {
        // Those that have the receiver get it; nobody else finds the flight.
        self.sender.send_replace(Some(landing));
    }
}

/// Removes the call from those in flight. Without an end, those that wait make their own.
impl Drop for Pilot {
    fn drop(&mut self) {
        lock(&self.flights.0).remove(&self.key);
    }
}
