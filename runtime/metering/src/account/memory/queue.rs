//! The waiting requests of each scope, in the order of their first request.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use tokio::time::Instant;

use crate::account::id::ReservationId;

/// The queues of an account, one for each scope.
#[derive(Debug, Default)]
pub(super) struct Queues {
    next: u64,
    waiters: HashMap<ReservationId, Waiter>,
    queues: HashMap<String, BTreeMap<u64, ReservationId>>,
}

#[derive(Debug, Clone)]
struct Waiter {
    place: u64,
    scope: String,
    until: Instant,
}

impl Queues {
    /// Returns the first of a queue that still asks.
    pub(super) fn head(&mut self, scope: &str) -> Option<ReservationId> {
        let now = Instant::now();
        let queue = self.queues.get_mut(scope)?;
        while let Some(first) = queue.first_entry() {
            let waiter = self.waiters.get(first.get());
            if waiter.is_some_and(|waiter| waiter.until > now) {
                return Some(first.get().clone());
            }
            self.waiters.remove(&first.remove());
        }
        None
    }

    /// Returns whether another request is ahead in the queue.
    pub(super) fn is_behind(&mut self, id: &ReservationId, scope: &str) -> bool {
        let Some(first) = self.head(scope).filter(|first| first != id) else {
            return false;
        };
        let place = |id: &ReservationId| self.waiters.get(id).map(|waiter| waiter.place);
        place(id).is_none_or(|own| place(&first) < Some(own))
    }

    /// Gives a request a place in a queue; it keeps its number. Returns the queue that it left.
    pub(super) fn wait(
        &mut self,
        id: &ReservationId,
        scope: &str,
        patience: Duration,
    ) -> Option<String> {
        let before = self.forget(id);
        let place = match &before {
            Some((place, _)) => *place,
            None => {
                self.next = self.next.saturating_add(1);
                self.next
            }
        };
        let now = Instant::now();
        let waiter = Waiter {
            place,
            scope: scope.to_owned(),
            until: now.checked_add(patience).unwrap_or(now),
        };
        self.waiters.insert(id.clone(), waiter);
        let queue = self.queues.entry(scope.to_owned()).or_default();
        queue.insert(place, id.clone());
        before.map(|(_, left)| left).filter(|left| left != scope)
    }

    /// Gives up a place. Returns it, and its queue.
    pub(super) fn forget(&mut self, id: &ReservationId) -> Option<(u64, String)> {
        let waiter = self.waiters.remove(id)?;
        if let Some(queue) = self.queues.get_mut(&waiter.scope) {
            queue.remove(&waiter.place);
        }
        Some((waiter.place, waiter.scope))
    }
}
