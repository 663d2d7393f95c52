//! The sums, reservations and calls at risk of one account. The scripts of the other store do the same, step by step.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::broadcast;
use tokio::time::Instant;

use super::queue::Queues;
use crate::account::error::StoreError;
use crate::account::id::ReservationId;
use crate::account::scope::Scope;
use crate::account::store::{
    AccountRisk, AccountUsage, Answer, Ask, Draw, Ending, Granted, LARGEST, Label, News, Report,
    Reported, Settled, Settlement,
};
use crate::money::credits::Credits;
use crate::money::ledger::Usage;

/// The queue for the bound of calls in flight.
const FLIGHT: &str = "!flight";

#[derive(Debug, Default)]
pub(super) struct Book {
    limits: HashMap<String, Credits>,
    sums: HashMap<String, Usage>,
    leases: BTreeMap<ReservationId, Lease>,
    risks: BTreeMap<ReservationId, Risk>,
    /// How reservations ended.
    done: HashMap<ReservationId, Done>,
    queues: Queues,
    prices: BTreeMap<String, Credits>,
    cool_down: Option<Instant>,
    probe: Option<ReservationId>,
    lapsed: u64,
    conflicts: u64,
    strays: u64,
    news: Option<broadcast::Sender<News>>,
}

#[derive(Debug, Clone)]
struct Shares {
    scopes: Arc<[Scope]>,
    amounts: Vec<Credits>,
}

#[derive(Debug, Clone)]
struct Lease {
    draw: u64,
    reports: u64,
    shares: Shares,
    last: Vec<Credits>,
    label: Label,
    until: Instant,
}

#[derive(Debug, Clone)]
struct Risk {
    shares: Shares,
    reports: u64,
    at: SystemTime,
    is_lapsed: bool,
    label: Label,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    Settled(Settlement),
    Slice(u64),
    ByHand,
}

impl Book {
    /// What each step begins with: leases that have ended are at risk.
    pub(super) fn begin(&mut self) {
        let now = Instant::now();
        let ended: Vec<_> = self
            .leases
            .iter()
            .filter(|(_, lease)| lease.until <= now)
            .map(|(id, _)| id.clone())
            .collect();
        for id in ended {
            if let Some(lease) = self.leases.remove(&id) {
                let scopes = Arc::clone(&lease.shares.scopes);
                self.put_at_risk(id, lease, true);
                self.lapsed = self.lapsed.saturating_add(1);
                self.wake(&scopes);
            }
        }
    }

    pub(super) fn open(&mut self, path: &str, limit: Option<Credits>) -> Option<Credits> {
        if let Some(limit) = limit {
            self.limits.entry(path.to_owned()).or_insert(limit);
        }
        self.limits.get(path).copied()
    }

    pub(super) fn raise(&mut self, scope: &Scope, by: Credits) -> Result<(), StoreError> {
        let limit = self.limits.get_mut(&scope.path).ok_or_else(gone)?;
        *limit = plus(*limit, by);
        self.wake(std::slice::from_ref(scope));
        Ok(())
    }

    pub(super) fn reserve(&mut self, ask: &Ask) -> Result<Answer, StoreError> {
        let now = now();
        let scopes = &ask.scopes;
        if !scopes
            .iter()
            .all(|scope| self.limits.contains_key(&scope.path))
        {
            return Err(gone());
        }
        let lease = self.leases.get(&ask.id);
        if let Some(lease) = lease.filter(|lease| lease.draw >= ask.draw) {
            let shares = lease.last.clone();
            self.leave(&ask.id);
            return Ok(self.granted(ask, shares, now));
        }
        let is_known = self.done.contains_key(&ask.id) || self.risks.contains_key(&ask.id);
        if is_known || (ask.draw > 1 && lease.is_none()) {
            self.leave(&ask.id);
            return Ok(Answer::Ended);
        }
        let is_in = |scope: &Scope| {
            let window = scope.window.as_ref();
            window.is_none_or(|window| (window.from..window.until).contains(&now))
        };
        if !scopes.iter().all(is_in) {
            self.leave(&ask.id);
            return Ok(Answer::OtherPeriod { now });
        }
        let is_slice = matches!(ask.amount, Draw::Between { .. });
        if let Some(pause) = self.cooling() {
            return Ok(Answer::CoolingDown(pause));
        }
        if self.cool_down.is_some() && !is_slice {
            let probe = self.probe.as_ref().filter(|probe| **probe != ask.id);
            if probe.is_some_and(|probe| self.leases.contains_key(probe)) {
                return Ok(Answer::CoolingDown(Duration::from_millis(250)));
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
            Err(answer) => return Ok(answer),
        };
        for (scope, share) in scopes.iter().zip(&shares) {
            let sums = self.sums(scope);
            sums.reserved = plus(sums.reserved, *share);
            if ask.amount == Draw::AllThatIsLeft {
                sums.unknown_prices = sums.unknown_prices.saturating_add(1);
            }
        }
        let begin = Instant::now();
        let until = begin.checked_add(ask.lease).unwrap_or(begin);
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
            until,
        };
        self.leases.insert(ask.id.clone(), kept);
        if self.cool_down.is_some() && !is_slice {
            self.probe = Some(ask.id.clone());
        }
        self.leave(&ask.id);
        self.wake(scopes);
        Ok(self.granted(ask, shares, now))
    }

    /// The amount in each scope, or why there is none.
    fn shares(&mut self, ask: &Ask) -> Result<Vec<Credits>, Answer> {
        let (least, mut most) = match ask.amount {
            Draw::Exactly(Credits::ZERO) => return Ok(vec![Credits::ZERO; ask.scopes.len()]),
            Draw::Exactly(price) => (price, price),
            Draw::Between { least, most } => (least, most),
            Draw::AllThatIsLeft => (Credits::from_micros(1), Credits::ZERO),
        };
        for (place, scope) in ask.scopes.iter().enumerate() {
            let sums = self.limited(scope);
            if least > left(&sums, false) {
                self.leave(&ask.id);
                return Err(Answer::Refused {
                    scope: place,
                    usage: Usage {
                        calls: 0,
                        surprises: 0,
                        unknown_prices: 0,
                        ..sums
                    },
                });
            }
        }
        let is_all = ask.amount == Draw::AllThatIsLeft;
        let mut rooms = Vec::new();
        for scope in ask.scopes.iter() {
            let sums = self.limited(scope);
            let room = left(&sums, true);
            let is_alone = !is_all || sums.reserved == Credits::ZERO;
            if self.queues.is_behind(&ask.id, &scope.to_string()) || least > room || !is_alone {
                return Err(self.wait(ask, &scope.to_string()));
            }
            most = most.min(room);
            rooms.push(room);
        }
        Ok(match is_all {
            true => rooms,
            false => vec![most; rooms.len()],
        })
    }

    pub(super) fn settle(&mut self, ending: &Ending) -> Settled {
        let id = &ending.id;
        self.leave(id);
        self.note(ending);
        let settlement = ending.settlement;
        if let Some(done) = self.done.get(id) {
            if *done == Done::Settled(settlement) {
                return Settled::Before;
            }
            self.conflicts = self.conflicts.saturating_add(1);
            return Settled::Conflict;
        }
        if let Some(mut lease) = self.leases.remove(id) {
            let shares = lease.shares.clone();
            if settlement == Settlement::Risk {
                lease.label = ending.label.clone();
                self.put_at_risk(id.clone(), lease, false);
            } else {
                self.take(&shares, |sums| &mut sums.reserved);
                self.spend(&shares, settlement);
                if settlement != Settlement::Refund {
                    self.count(&shares, 1);
                }
                self.done.insert(id.clone(), Done::Settled(settlement));
            }
            self.wake(&shares.scopes);
            return Settled::Now;
        }
        if self.risks.contains_key(id) && settlement == Settlement::Risk {
            return Settled::Before;
        }
        if let Some(risk) = self.risks.remove(id) {
            self.take(&risk.shares, |sums| &mut sums.at_risk);
            self.spend(&risk.shares, settlement);
            if settlement == Settlement::Refund {
                self.count(&risk.shares, -1);
            }
            self.done.insert(id.clone(), Done::Settled(settlement));
            self.wake(&risk.shares.scopes);
            return Settled::Late;
        }
        let shares = Shares {
            scopes: Arc::clone(&ending.scopes),
            amounts: ending.shares.clone(),
        };
        if settlement == Settlement::Refund {
            self.done.insert(id.clone(), Done::Settled(settlement));
            self.wake(&shares.scopes);
            return Settled::Now;
        }
        self.strays = self.strays.saturating_add(1);
        self.count(&shares, 1);
        if settlement == Settlement::Risk {
            self.add(&shares, |sums| &mut sums.at_risk);
            let risk = Risk::new(shares, ending.label.clone(), false);
            self.risks.insert(id.clone(), risk);
        } else {
            self.spend(&shares, settlement);
            self.done.insert(id.clone(), Done::Settled(settlement));
        }
        Settled::Stray
    }

    /// What a settlement says to the other processes.
    fn note(&mut self, ending: &Ending) {
        if let Some(pause) = ending.cool_down {
            let until = Instant::now().checked_add(pause);
            self.cool_down = self.cool_down.max(until);
            self.probe = None;
            self.tell(News::CoolDown(pause));
        } else if ending.went_through
            && self.probe.as_ref() == Some(&ending.id)
            && self.cooling().is_none()
        {
            self.cool_down = None;
            self.probe = None;
        }
        if let Some((line, price)) = &ending.price {
            self.prices.insert(line.clone(), *price);
        }
    }

    pub(super) fn report(&mut self, report: &Report) -> Reported {
        let id = &report.id;
        let lease = self.leases.get(id).cloned();
        let risk = self.risks.get(id).cloned();
        let is_lapsed = lease.is_none();
        let done = self.done.get(id).copied();
        let reports = lease.as_ref().map(|lease| lease.reports);
        let reports = reports.or(risk.as_ref().map(|risk| risk.reports));
        let known = match done {
            Some(Done::Slice(number)) => Some(number),
            _ => reports,
        };
        if known.is_some_and(|number| number >= report.number) {
            return self.reported(is_lapsed);
        }
        if done == Some(Done::ByHand) {
            self.conflicts = self.conflicts.saturating_add(1);
            return self.reported(true);
        }
        let is_known = lease.is_some() || risk.is_some();
        if !is_known && done.is_none() {
            self.strays = self.strays.saturating_add(1);
        }
        let held = lease.as_ref().map(|lease| lease.shares.clone());
        let mut shares = held
            .or(risk.as_ref().map(|risk| risk.shares.clone()))
            .unwrap_or(Shares {
                scopes: Arc::clone(&report.scopes),
                amounts: Vec::new(),
            });
        shares.amounts.resize(shares.scopes.len(), Credits::ZERO);
        let lost = report.risks.iter().map(|risk| risk.amount);
        let taken = lost.fold(plus(report.charged, report.returned), plus);
        let left: Vec<_> = shares
            .amounts
            .iter()
            .map(|share| match report.is_last {
                true => Credits::ZERO,
                false => minus(*share, taken),
            })
            .collect();
        let ended = risk.as_ref().is_some_and(|risk| risk.is_lapsed) && report.is_last;
        let calls = report.calls.saturating_add(report.risks.len() as u64);
        for ((scope, share), left) in shares.scopes.iter().zip(&shares.amounts).zip(&left) {
            let sums = self.sums(scope);
            let from = match is_lapsed {
                true => &mut sums.at_risk,
                false => &mut sums.reserved,
            };
            *from = minus(*from, minus(*share, *left));
            sums.spent = plus(sums.spent, report.charged);
            sums.calls = sums
                .calls
                .saturating_add(calls)
                .saturating_sub(ended.into());
            sums.surprises = sums.surprises.saturating_add(report.surprises);
        }
        for risk in &report.risks {
            let own = Shares {
                scopes: Arc::clone(&shares.scopes),
                amounts: vec![risk.amount; shares.scopes.len()],
            };
            self.add(&own, |sums| &mut sums.at_risk);
            let entry = Risk::new(own, risk.label.clone(), false);
            self.risks.insert(risk.id.clone(), entry);
        }
        let scopes = Arc::clone(&shares.scopes);
        if report.is_last || !is_known {
            self.leases.remove(id);
            self.risks.remove(id);
            self.done.insert(id.clone(), Done::Slice(report.number));
        } else if let Some(lease) = self.leases.get_mut(id) {
            let begin = Instant::now();
            lease.until = begin.checked_add(report.lease).unwrap_or(begin);
            lease.reports = report.number;
            lease.shares.amounts = left;
        } else if let Some(risk) = self.risks.get_mut(id) {
            risk.reports = report.number;
            risk.shares.amounts = left;
        }
        self.wake(&scopes);
        self.reported(is_lapsed)
    }

    fn reported(&self, is_lapsed: bool) -> Reported {
        let prices = self.prices.iter();
        Reported {
            is_lapsed,
            cool_down: self.cooling(),
            prices: prices.map(|(line, price)| (line.clone(), *price)).collect(),
        }
    }

    pub(super) fn usage(&self, scope: &Scope) -> Result<AccountUsage, StoreError> {
        let limit = self.limits.get(&scope.path).copied().ok_or_else(gone)?;
        let sums = self.sums.get(&scope.to_string());
        Ok(AccountUsage {
            usage: Usage {
                limit: Some(limit),
                ..sums.copied().unwrap_or_default()
            },
            in_flight: self.leases.len() as u64,
            lapsed: self.lapsed,
            conflicts: self.conflicts,
            strays: self.strays,
        })
    }

    pub(super) fn at_risk(&self, path: &str) -> Vec<AccountRisk> {
        let mut calls: Vec<_> = self
            .risks
            .iter()
            .filter_map(|(id, risk)| {
                let Shares { scopes, amounts } = &risk.shares;
                let place = scopes.iter().position(|scope| scope.path == path)?;
                Some(AccountRisk {
                    id: id.clone(),
                    amount: *amounts.get(place)?,
                    at: risk.at,
                    is_lapsed: risk.is_lapsed,
                    label: risk.label.clone(),
                })
            })
            .collect();
        calls.sort_by_key(|call| call.at);
        calls.truncate(10_000);
        calls
    }

    pub(super) fn settle_risk(&mut self, id: &ReservationId, charged: Credits) -> bool {
        let Some(risk) = self.risks.remove(id) else {
            return false;
        };
        self.take(&risk.shares, |sums| &mut sums.at_risk);
        self.spend(&risk.shares, Settlement::Charge(charged));
        self.done.insert(id.clone(), Done::ByHand);
        self.wake(&risk.shares.scopes);
        true
    }

    pub(super) fn reconcile(&mut self, scopes: &[Scope], charged: Credits) {
        let Some(own) = scopes.first() else { return };
        let is_own = |risk: &Risk| risk.shares.scopes.contains(own);
        let ids = self.risks.iter().filter(|(_, risk)| is_own(risk));
        let ids: Vec<_> = ids.map(|(id, _)| id.clone()).collect();
        let mut known: BTreeMap<String, Credits> = BTreeMap::new();
        let mut all: BTreeSet<String> = scopes.iter().map(Scope::to_string).collect();
        for id in ids {
            if let Some(risk) = self.risks.remove(&id) {
                for (scope, share) in risk.shares.scopes.iter().zip(&risk.shares.amounts) {
                    let sum = known.entry(scope.to_string()).or_default();
                    *sum = plus(*sum, *share);
                    all.insert(scope.to_string());
                }
                self.done.insert(id, Done::ByHand);
            }
        }
        let above: BTreeSet<_> = scopes.iter().map(Scope::to_string).collect();
        for key in &all {
            let known = known.get(key).copied().unwrap_or_default();
            let sums = self.sums.entry(key.clone()).or_default();
            sums.at_risk = minus(sums.at_risk, known);
            // Which of the scopes below was charged is unknown: each counts the most that it can have spent.
            let spent = match above.contains(key) {
                true => charged,
                false => charged.min(known),
            };
            sums.spent = plus(sums.spent, spent);
            sums.surprises = sums.surprises.saturating_add((spent > known).into());
        }
        for key in all {
            self.wake_queue(&key);
        }
    }

    pub(super) fn news(&mut self) -> broadcast::Receiver<News> {
        let sender = self
            .news
            .get_or_insert_with(|| broadcast::Sender::new(1024));
        sender.subscribe()
    }

    fn granted(&self, ask: &Ask, shares: Vec<Credits>, now: u64) -> Answer {
        let price = ask.line.as_ref().and_then(|line| self.prices.get(line));
        Answer::Granted(Granted {
            shares,
            price: price.copied(),
            now,
        })
    }

    fn wait(&mut self, ask: &Ask, scope: &str) -> Answer {
        if let Some(left) = self.queues.wait(&ask.id, scope, ask.patience) {
            self.wake_queue(&left);
        }
        Answer::Waiting
    }

    fn leave(&mut self, id: &ReservationId) {
        if let Some((_, scope)) = self.queues.forget(id) {
            self.wake_queue(&scope);
        }
    }

    fn wake(&mut self, scopes: &[Scope]) {
        for scope in scopes {
            self.wake_queue(&scope.to_string());
        }
        self.wake_queue(FLIGHT);
    }

    fn wake_queue(&mut self, scope: &str) {
        if let Some(first) = self.queues.head(scope) {
            self.tell(News::Turn(first));
        }
    }

    fn tell(&self, news: News) {
        if let Some(sender) = &self.news {
            // Without a receiver there is nobody to tell.
            _ = sender.send(news);
        }
    }

    fn cooling(&self) -> Option<Duration> {
        let left = self.cool_down?.checked_duration_since(Instant::now());
        left.filter(|left| !left.is_zero())
    }

    fn sums(&mut self, scope: &Scope) -> &mut Usage {
        self.sums.entry(scope.to_string()).or_default()
    }

    /// The sums of a scope, with its limit.
    fn limited(&mut self, scope: &Scope) -> Usage {
        let limit = self.limits.get(&scope.path).copied();
        let sums = *self.sums(scope);
        Usage { limit, ..sums }
    }

    fn put_at_risk(&mut self, id: ReservationId, lease: Lease, is_lapsed: bool) {
        self.take(&lease.shares, |sums| &mut sums.reserved);
        self.add(&lease.shares, |sums| &mut sums.at_risk);
        self.count(&lease.shares, 1);
        let risk = Risk {
            reports: lease.reports,
            ..Risk::new(lease.shares, lease.label, is_lapsed)
        };
        self.risks.insert(id, risk);
    }

    fn take(&mut self, shares: &Shares, field: impl Fn(&mut Usage) -> &mut Credits) {
        for (scope, share) in shares.scopes.iter().zip(&shares.amounts) {
            let sum = field(self.sums(scope));
            *sum = minus(*sum, *share);
        }
    }

    fn add(&mut self, shares: &Shares, field: impl Fn(&mut Usage) -> &mut Credits) {
        for (scope, share) in shares.scopes.iter().zip(&shares.amounts) {
            let sum = field(self.sums(scope));
            *sum = plus(*sum, *share);
        }
    }

    fn spend(&mut self, shares: &Shares, settlement: Settlement) {
        let Settlement::Charge(charge) = settlement else {
            return;
        };
        for (place, scope) in shares.scopes.iter().enumerate() {
            let share = shares.amounts.get(place).copied().unwrap_or_default();
            let sums = self.sums(scope);
            sums.spent = plus(sums.spent, charge);
            sums.surprises = sums.surprises.saturating_add((charge > share).into());
        }
    }

    fn count(&mut self, shares: &Shares, by: i64) {
        for scope in shares.scopes.iter() {
            let sums = self.sums(scope);
            sums.calls = sums.calls.saturating_add_signed(by);
        }
    }
}

impl Risk {
    fn new(shares: Shares, label: Label, is_lapsed: bool) -> Self {
        Self {
            shares,
            reports: 0,
            at: SystemTime::now(),
            is_lapsed,
            label,
        }
    }
}

/// What a limit leaves beside what is spent and at risk, and beside what is reserved if that counts.
fn left(sums: &Usage, counts_reserved: bool) -> Credits {
    let reserved = match counts_reserved {
        true => sums.reserved,
        false => Credits::ZERO,
    };
    [sums.spent, sums.at_risk, reserved]
        .into_iter()
        .fold(sums.limit.unwrap_or_default(), minus)
}

fn plus(one: Credits, other: Credits) -> Credits {
    Credits::from_micros(one.micros().saturating_add(other.micros())).min(LARGEST)
}

fn minus(one: Credits, other: Credits) -> Credits {
    Credits::from_micros(one.micros().saturating_sub(other.micros()))
}

/// Without a limit nothing may be spent.
fn gone() -> StoreError {
    StoreError::new(
        "the store has lost the account: look at what was spent, and open it again with a limit",
    )
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}
