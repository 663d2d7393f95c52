//! Reservations: checks the room, and the order of waiting requests.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::book::{Book, FLIGHT, Held, Lease, after, left};
use crate::account::error::StoreError;
use crate::account::scope::Scope;
use crate::account::store::{Ask, Decision, Granted};
use crate::money::credits::Credits;
use crate::money::ledger::Usage;

/// How long one call probes whether a cool-down is over, before another one does.
const PROBED: Duration = Duration::from_secs(30);

impl Book {
    pub(super) fn reserve(&mut self, ask: &Ask) -> Result<Decision, StoreError> {
        let now = self.clock.now();
        let scopes = &ask.scopes;
        if !scopes
            .iter()
            .all(|scope| self.limits.contains_key(&scope.path))
        {
            return Err(StoreError::gone());
        }
        let lease = self.leases.get_mut(&ask.id);
        let is_elsewhere = lease
            .as_ref()
            .is_some_and(|lease| lease.held.scopes != *scopes);
        if let Some(lease) = lease
            && !is_elsewhere
        {
            lease.until = after(ask.lease);
            self.leave(&ask.id);
            return Ok(self.granted(ask, now));
        }
        let is_known = self.done(&ask.id).is_some() || self.risks.contains_key(&ask.id);
        if is_known || is_elsewhere {
            self.leave(&ask.id);
            return Ok(Decision::Ended);
        }
        let is_in = |scope: &Scope| {
            let window = scope.window.as_ref();
            window.is_none_or(|window| (window.from..window.until).contains(&now))
        };
        if !scopes.iter().all(is_in) {
            self.leave(&ask.id);
            return Ok(Decision::OtherPeriod { now });
        }
        if let Some(pause) = self.cooling() {
            self.leave(&ask.id);
            return Ok(Decision::CoolingDown(pause));
        }
        if self.cool_down.is_some() {
            let probe = self.probe.as_ref().filter(|probe| **probe != ask.id);
            let is_probing = self.probed.is_some_and(|end| end > Instant::now());
            if is_probing && probe.is_some_and(|probe| self.leases.contains_key(probe)) {
                self.leave(&ask.id);
                return Ok(Decision::CoolingDown(Duration::from_millis(250)));
            }
        }
        if let Some(bound) = ask.max_in_flight
            && (self.queues.is_behind(&ask.id, FLIGHT) || self.leases.len() >= bound as usize)
        {
            return Ok(self.wait(ask, FLIGHT));
        }
        if let Some(reply) = self.refuse_or_queue(ask) {
            return Ok(reply);
        }
        let held = Held {
            scopes: Arc::clone(scopes),
            amount: ask.amount,
        };
        self.add(&held, |sums| &mut sums.reserved);
        let lease = Lease {
            held,
            label: ask.label.clone(),
            open: ask.at_risk.map(|at_risk| (ask.line.clone(), at_risk)),
            until: after(ask.lease),
        };
        self.leases.insert(ask.id.clone(), lease);
        if self.cool_down.is_some() {
            self.probe = Some(ask.id.clone());
            self.probed = Some(after(PROBED));
        }
        // The next has its turn only where there is room left.
        self.queues.forget(&ask.id);
        let is_priced = ask.amount > Credits::ZERO;
        for scope in scopes.iter().filter(|_| is_priced) {
            if left(&self.limited(scope), true) > Credits::ZERO {
                self.wake_queue(&scope.to_string());
            }
        }
        let bound = ask.max_in_flight.map(|bound| bound as usize);
        if bound.is_none_or(|bound| self.leases.len() < bound) {
            self.wake_queue(FLIGHT);
        }
        Ok(self.granted(ask, now))
    }

    /// Refuses or queues a request for which there is no room.
    fn refuse_or_queue(&mut self, ask: &Ask) -> Option<Decision> {
        if ask.amount == Credits::ZERO {
            return None;
        }
        for (place, scope) in ask.scopes.iter().enumerate() {
            let sums = self.limited(scope);
            if ask.amount > left(&sums, false) {
                self.leave(&ask.id);
                return Some(Decision::Refused {
                    scope: place,
                    usage: Usage {
                        calls: 0,
                        surprises: 0,
                        ..sums
                    },
                });
            }
        }
        for scope in ask.scopes.iter() {
            let room = left(&self.limited(scope), true);
            if self.queues.is_behind(&ask.id, &scope.to_string()) || ask.amount > room {
                return Some(self.wait(ask, &scope.to_string()));
            }
        }
        None
    }

    fn granted(&self, ask: &Ask, now: u64) -> Decision {
        let price = ask.line.as_ref().and_then(|line| self.prices.get(line));
        Decision::Granted(Granted {
            price: price.copied(),
            now,
        })
    }

    fn wait(&mut self, ask: &Ask, scope: &str) -> Decision {
        if let Some(left) = self.queues.wait(&ask.id, scope, ask.patience) {
            self.wake_queue(&left);
        }
        Decision::Waiting
    }
}
