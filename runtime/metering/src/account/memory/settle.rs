//! The ends of reservations, each counted once.

use std::sync::Arc;

use tokio::time::Instant;

use super::book::{Book, Done, Held, Risk};
use crate::account::store::{Ending, Notice, Settled, Settlement};
use crate::money::credits::Credits;

impl Book {
    pub(super) fn settle(&mut self, ending: &Ending) -> Settled {
        let id = &ending.id;
        self.leave(id);
        let settlement = ending.settlement;
        if let Some(done) = self.done(id) {
            // An unknown cost does not contradict a settlement by hand.
            let is_open = matches!(done, Done::ByHand(_)) && settlement == Settlement::Risk;
            if done == Done::Settled(settlement) || is_open {
                return Settled::Before;
            }
            self.contradict(id, Done::Settled(settlement));
            return Settled::Conflict;
        }
        if self.risks.contains_key(id) && settlement == Settlement::Risk {
            return Settled::Before;
        }
        self.note(ending);
        if let Some(mut lease) = self.leases.remove(id) {
            let held = lease.held.clone();
            if settlement == Settlement::Risk {
                lease.label = ending.label.clone();
                self.put_at_risk(id.clone(), lease, false);
            } else {
                self.take(&held, |sums| &mut sums.reserved);
                self.spend(&held, settlement);
                if settlement != Settlement::Refund {
                    self.count(&held, 1);
                }
                self.end(id.clone(), Done::Settled(settlement));
            }
            self.wake(&held.scopes);
            return Settled::Now;
        }
        if let Some(risk) = self.risks.remove(id) {
            self.take(&risk.held, |sums| &mut sums.at_risk);
            self.spend(&risk.held, settlement);
            if settlement == Settlement::Refund {
                self.count(&risk.held, -1);
            }
            self.end(id.clone(), Done::Settled(settlement));
            self.wake(&risk.held.scopes);
            return Settled::Late;
        }
        let held = Held {
            scopes: Arc::clone(&ending.scopes),
            amount: ending.amount,
        };
        if settlement == Settlement::Refund {
            self.end(id.clone(), Done::Settled(settlement));
            self.wake(&held.scopes);
            return Settled::Now;
        }
        self.strays = self.strays.saturating_add(1);
        self.count(&held, 1);
        if settlement == Settlement::Risk {
            self.add(&held, |sums| &mut sums.at_risk);
            let risk = Risk::new(held, ending.label.clone(), false, self.clock);
            self.risks.insert(id.clone(), risk);
        } else {
            self.spend(&held, settlement);
            self.end(id.clone(), Done::Settled(settlement));
        }
        Settled::Stray
    }

    /// Records the information from a settlement for the other processes.
    fn note(&mut self, ending: &Ending) {
        if let Some(pause) = ending.cool_down {
            let until = Instant::now().checked_add(pause);
            self.cool_down = self.cool_down.max(until);
            self.probe = None;
            // An earlier one may be longer.
            self.tell(Notice::CoolDown(self.cooling().unwrap_or(pause)));
        } else if ending.went_through
            && self.probe.as_ref() == Some(&ending.id)
            && self.cooling().is_none()
        {
            self.cool_down = None;
            self.probe = None;
        }
        // The number of different arguments is unbounded.
        if let Some((line, price)) = &ending.price
            && (self.prices.len() < 1000 || self.prices.contains_key(line))
        {
            let known = self.prices.insert(line.clone(), *price);
            if known.unwrap_or_default() == Credits::ZERO && *price > Credits::ZERO {
                self.reprice(line, *price);
            }
        }
    }

    /// The first price of a line: calls that were lost before have it at risk.
    fn reprice(&mut self, line: &str, price: Credits) {
        let risks = self.risks.iter();
        let lost = risks.filter(|(_, risk)| risk.line.as_deref() == Some(line));
        for id in lost.map(|(id, _)| id.clone()).collect::<Vec<_>>() {
            if let Some(mut risk) = self.risks.remove(&id) {
                self.take(&risk.held, |sums| &mut sums.at_risk);
                risk.held.amount = price;
                risk.line = None;
                self.add(&risk.held, |sums| &mut sums.at_risk);
                self.wake(&risk.held.scopes);
                self.risks.insert(id, risk);
            }
        }
    }
}
