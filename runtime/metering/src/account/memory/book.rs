//! The sums, reservations and calls at risk of one account. The scripts of the other store do the same, step by step.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::broadcast;
use tokio::time::Instant;

use super::clock::Clock;
use super::queue::Queues;
use crate::account::id::ReservationId;
use crate::account::scope::Scope;
use crate::account::store::{Forget, LARGEST, Notice, Settlement};
use crate::account::usage::Label;
use crate::money::credits::Credits;
use crate::money::ledger::Usage;

/// The queue for the bound of calls in flight.
pub(super) const FLIGHT: &str = "!flight";

/// How long an ending is known.
const KNOWN: Duration = Duration::from_secs(15 * 60);
/// How long a settlement by hand is known.
const KNOWN_BY_HAND: Duration = KNOWN.saturating_mul(10);

#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) clock: Clock,
    pub(super) limits: HashMap<String, Credits>,
    pub(super) sums: HashMap<String, Usage>,
    pub(super) leases: BTreeMap<ReservationId, Lease>,
    pub(super) risks: BTreeMap<ReservationId, Risk>,
    /// How reservations ended.
    done: HashMap<ReservationId, Ended>,
    /// Until when that is known.
    known: BTreeSet<(Instant, ReservationId)>,
    pub(super) queues: Queues,
    pub(super) prices: BTreeMap<String, Credits>,
    pub(super) cool_down: Option<Instant>,
    pub(super) probe: Option<ReservationId>,
    pub(super) probed: Option<Instant>,
    pub(super) lapsed: u64,
    pub(super) conflicts: u64,
    pub(super) strays: u64,
    pub(super) notices: Option<broadcast::Sender<Notice>>,
}

#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) scopes: Arc<[Scope]>,
    pub(super) amount: Credits,
}

#[derive(Debug, Clone)]
pub(super) struct Lease {
    pub(super) held: Held,
    pub(super) label: Label,
    /// The line of a call of unknown price, and what it has at risk if it is lost.
    pub(super) open: Option<(Option<String>, Credits)>,
    pub(super) until: Instant,
}

#[derive(Debug, Clone)]
pub(super) struct Risk {
    pub(super) held: Held,
    pub(super) at: SystemTime,
    pub(super) is_lapsed: bool,
    pub(super) label: Label,
    /// The line of a call that was lost before it had a price.
    pub(super) line: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    Settled(Settlement),
    /// Settled by hand with this charge.
    ByHand(Credits),
}

/// How a reservation ended, and what contradicted it last.
#[derive(Debug, Clone, Copy)]
struct Ended {
    how: Done,
    contradicted: Option<Done>,
}

impl Book {
    pub(super) fn new(clock: Clock) -> Self {
        Self {
            clock,
            ..Self::default()
        }
    }

    pub(super) fn end(&mut self, id: ReservationId, how: Done) {
        let known = match how {
            Done::ByHand(_) => KNOWN_BY_HAND,
            Done::Settled(_) => KNOWN,
        };
        self.known.insert((after(known), id.clone()));
        let contradicted = None;
        self.done.insert(id, Ended { how, contradicted });
    }

    /// Returns how a reservation ended.
    pub(super) fn done(&self, id: &ReservationId) -> Option<Done> {
        self.done.get(id).map(|ended| ended.how)
    }

    /// Counts what contradicts an ending, however often it is repeated.
    pub(super) fn contradict(&mut self, id: &ReservationId, by: Done) {
        if let Some(ended) = self.done.get_mut(id)
            && ended.contradicted.replace(by) != Some(by)
        {
            self.conflicts = self.conflicts.saturating_add(1);
        }
    }

    /// Runs before each step: puts reservations whose lease has ended at risk.
    pub(super) fn begin(&mut self) {
        let now = Instant::now();
        while self.known.first().is_some_and(|(until, _)| *until <= now) {
            if let Some((_, id)) = self.known.pop_first() {
                self.done.remove(&id);
            }
        }
        let ended: Vec<_> = self
            .leases
            .iter()
            .filter(|(_, lease)| lease.until <= now)
            .map(|(id, _)| id.clone())
            .collect();
        for id in ended {
            if let Some(lease) = self.leases.remove(&id) {
                let scopes = Arc::clone(&lease.held.scopes);
                self.put_at_risk(id, lease, true);
                self.lapsed = self.lapsed.saturating_add(1);
                self.wake(&scopes);
            }
        }
    }

    pub(super) fn forget(&mut self, what: Forget) {
        match what {
            Forget::Prices => self.prices.clear(),
            Forget::CoolDown => {
                self.cool_down = None;
                self.probe = None;
                self.tell(Notice::CoolDownEnded);
            }
        }
    }

    pub(super) fn notices(&mut self) -> broadcast::Receiver<Notice> {
        let sender = self
            .notices
            .get_or_insert_with(|| broadcast::Sender::new(1024));
        sender.subscribe()
    }

    pub(super) fn leave(&mut self, id: &ReservationId) {
        if let Some((_, scope)) = self.queues.forget(id) {
            self.wake_queue(&scope);
        }
    }

    pub(super) fn wake(&mut self, scopes: &[Scope]) {
        for scope in scopes {
            self.wake_queue(&scope.to_string());
        }
        self.wake_queue(FLIGHT);
    }

    pub(super) fn wake_queue(&mut self, scope: &str) {
        if let Some(first) = self.queues.head(scope) {
            self.tell(Notice::Turn(first));
        }
    }

    pub(super) fn tell(&self, notice: Notice) {
        if let Some(sender) = &self.notices {
            // Fails only without a receiver.
            _ = sender.send(notice);
        }
    }

    pub(super) fn cooling(&self) -> Option<Duration> {
        let left = self.cool_down?.checked_duration_since(Instant::now());
        left.filter(|left| !left.is_zero())
    }

    pub(super) fn sums(&mut self, scope: &Scope) -> &mut Usage {
        self.sums.entry(scope.to_string()).or_default()
    }

    /// Returns the sums of a scope, with its limit.
    pub(super) fn limited(&mut self, scope: &Scope) -> Usage {
        let limit = self.limits.get(&scope.path).copied();
        let sums = *self.sums(scope);
        Usage { limit, ..sums }
    }

    /// A call of unknown price has its price at risk once that is known.
    pub(super) fn put_at_risk(&mut self, id: ReservationId, mut lease: Lease, is_lapsed: bool) {
        self.take(&lease.held, |sums| &mut sums.reserved);
        let mut line = None;
        if let Some((of, at_risk)) = lease.open {
            let price = self.price(of.as_ref());
            lease.held.amount = price.unwrap_or(at_risk);
            line = of.filter(|_| price.is_none());
        }
        self.add(&lease.held, |sums| &mut sums.at_risk);
        self.count(&lease.held, 1);
        let risk = Risk {
            line,
            ..Risk::new(lease.held, lease.label, is_lapsed, self.clock)
        };
        self.risks.insert(id, risk);
    }

    /// Returns the price of a line, if the account knows one.
    pub(super) fn price(&self, line: Option<&String>) -> Option<Credits> {
        let price = self.prices.get(line?).copied();
        price.filter(|price| *price > Credits::ZERO)
    }

    pub(super) fn take(&mut self, held: &Held, field: impl Fn(&mut Usage) -> &mut Credits) {
        for scope in held.scopes.iter() {
            let sum = field(self.sums(scope));
            *sum = minus(*sum, held.amount);
        }
    }

    pub(super) fn add(&mut self, held: &Held, field: impl Fn(&mut Usage) -> &mut Credits) {
        for scope in held.scopes.iter() {
            let sum = field(self.sums(scope));
            *sum = plus(*sum, held.amount);
        }
    }

    pub(super) fn spend(&mut self, held: &Held, settlement: Settlement) {
        let Settlement::Charge(charge) = settlement else {
            return;
        };
        for scope in held.scopes.iter() {
            let sums = self.sums(scope);
            sums.spent = plus(sums.spent, charge);
            sums.surprises = sums.surprises.saturating_add((charge > held.amount).into());
        }
    }

    pub(super) fn count(&mut self, held: &Held, by: i64) {
        for scope in held.scopes.iter() {
            let sums = self.sums(scope);
            sums.calls = sums.calls.saturating_add_signed(by);
        }
    }
}

impl Risk {
    pub(super) fn new(held: Held, label: Label, is_lapsed: bool, clock: Clock) -> Self {
        Self {
            held,
            at: clock.time(),
            is_lapsed,
            label,
            line: None,
        }
    }
}

/// Returns the part of a limit that is neither spent nor at risk, nor reserved if `counts_reserved`.
pub(super) fn left(sums: &Usage, counts_reserved: bool) -> Credits {
    let reserved = if counts_reserved {
        sums.reserved
    } else {
        Credits::ZERO
    };
    [sums.spent, sums.at_risk, reserved]
        .into_iter()
        .fold(sums.limit.unwrap_or_default(), minus)
}

pub(super) fn plus(one: Credits, other: Credits) -> Credits {
    Credits::from_micros(one.micros().saturating_add(other.micros())).min(LARGEST)
}

pub(super) fn minus(one: Credits, other: Credits) -> Credits {
    Credits::from_micros(one.micros().saturating_sub(other.micros()))
}

/// Returns the time after this span.
pub(super) fn after(span: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(span).unwrap_or(now)
}
