//! Reservations: checks the room, and the order of waiting requests.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::book::{Book, FLIGHT, Lease, Shares, after, left, plus};
use crate::account::error::StoreError;
use crate::account::scope::Scope;
use crate::account::store::{Ask, Decision, Draw, Granted};
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
            .is_some_and(|lease| lease.shares.scopes != *scopes);
        if let Some(lease) = lease
            && !is_elsewhere
            && lease.draw >= ask.draw
        {
            lease.until = after(ask.lease);
            let shares = lease.last.clone();
            self.leave(&ask.id);
            return Ok(self.granted(ask, shares, now));
        }
        let is_known = self.done(&ask.id).is_some() || self.risks.contains_key(&ask.id);
        let lease = self.leases.get(&ask.id);
        if is_known || is_elsewhere || (ask.draw > 1 && lease.is_none()) {
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
        let is_slice = matches!(ask.amount, Draw::Between { .. });
        if let Some(pause) = self.cooling() {
            self.leave(&ask.id);
            return Ok(Decision::CoolingDown(pause));
        }
        if self.cool_down.is_some() && !is_slice {
            let probe = self.probe.as_ref().filter(|probe| **probe != ask.id);
            let is_probing = self.probed.is_some_and(|end| end > Instant::now());
            if is_probing && probe.is_some_and(|probe| self.leases.contains_key(probe)) {
                self.leave(&ask.id);
                return Ok(Decision::CoolingDown(Duration::from_millis(250)));
            }
        }
        if let Some(bound) = ask.max_in_flight
            && lease.is_none()
            && (self.queues.is_behind(&ask.id, FLIGHT) || self.leases.len() >= bound as usize)
        {
            return Ok(self.wait(ask, FLIGHT));
        }
        let shares = match self.shares(ask) {
            Ok(shares) => shares,
            Err(reply) => return Ok(reply),
        };
        for (scope, share) in scopes.iter().zip(&shares) {
            let sums = self.sums(scope);
            sums.reserved = plus(sums.reserved, *share);
        }
        let until = after(ask.lease);
        let before = self.leases.get(&ask.id);
        let amounts = shares.iter().enumerate().map(|(at, share)| {
            let drawn = before.and_then(|lease| lease.shares.amounts.get(at));
            plus(*share, drawn.copied().unwrap_or_default())
        });
        let kept = Lease {
            draw: ask.draw,
            reports: before.map_or(0, |lease| lease.reports),
            shares: Shares {
                scopes: Arc::clone(scopes),
                amounts: amounts.collect(),
            },
            last: shares.clone(),
            label: ask.label.clone(),
            open: ask.at_risk.map(|at_risk| (ask.line.clone(), at_risk)),
            until,
        };
        self.leases.insert(ask.id.clone(), kept);
        if self.cool_down.is_some() && !is_slice {
            self.probe = Some(ask.id.clone());
            self.probed = Some(after(PROBED));
        }
        // The next has its turn only where there is room left.
        self.queues.forget(&ask.id);
        let is_priced = ask.amount != Draw::Exactly(Credits::ZERO);
        for scope in scopes.iter().filter(|_| is_priced) {
            if left(&self.limited(scope), true) > Credits::ZERO {
                self.wake_queue(&scope.to_string());
            }
        }
        let bound = ask.max_in_flight.map(|bound| bound as usize);
        if bound.is_none_or(|bound| self.leases.len() < bound) {
            self.wake_queue(FLIGHT);
        }
        Ok(self.granted(ask, shares, now))
    }

    /// Returns the amount in each scope, or the decision that grants none.
    fn shares(&mut self, ask: &Ask) -> Result<Vec<Credits>, Decision> {
        let (least, mut most) = match ask.amount {
            Draw::Exactly(Credits::ZERO) => return Ok(vec![Credits::ZERO; ask.scopes.len()]),
            Draw::Exactly(price) => (price, price),
            Draw::Between { least, most } => (least, most),
        };
        for (place, scope) in ask.scopes.iter().enumerate() {
            let sums = self.limited(scope);
            if least > left(&sums, false) {
                self.leave(&ask.id);
                return Err(Decision::Refused {
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
            if self.queues.is_behind(&ask.id, &scope.to_string()) || least > room {
                return Err(self.wait(ask, &scope.to_string()));
            }
            most = most.min(room);
        }
        Ok(vec![most; ask.scopes.len()])
    }

    fn granted(&self, ask: &Ask, shares: Vec<Credits>, now: u64) -> Decision {
        let price = ask.line.as_ref().and_then(|line| self.prices.get(line));
        Decision::Granted(Granted {
            shares,
            price: price.copied(),
            now,
        })
    }

    fn wait(&mut self, ask: &Ask, scope: &str) -> Decision {
        if self.leases.contains_key(&ask.id) {
            // A slice gives back its remainder, and asks again: it reserves nothing while it waits.
            return Decision::Waiting;
        }
        if let Some(left) = self.queues.wait(&ask.id, scope, ask.patience) {
            self.wake_queue(&left);
        }
        Decision::Waiting
    }
}
