//! Slices of an account: what one process has drawn, and spends without asking for each call.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use super::asking::{Asked, Asking, Denial};
use super::background::{REPEATED, Repeats, UnderWay};
use super::error::{StoreError, Unsettled};
use super::id::ReservationId;
use super::place::Place;
use super::scope::Scope;
use super::settings::Outage;
use super::shared::{Close, Levels, Shared};
use super::store::{Draw, Report, Settlement, SliceRisk};
use super::usage::Label;
use crate::money::credits::Credits;

/// How often a process reports what it spent, and after which idle time it gives the rest back.
const REPORTED: Duration = Duration::from_secs(1);

/// The local_slice of an account in this process, if it has one.
#[derive(Default)]
pub(super) struct LocalSlices {
    current: Mutex<Option<Arc<LocalSlice>>>,
    /// One draw at a time.
    drawing: tokio::sync::Mutex<()>,
}

/// A reservation that calls of this process spend from.
///
/// `free + reserved` is what the store has reserved for it, less what is not reported yet.
pub(super) struct LocalSlice {
    id: ReservationId,
    scopes: Arc<[Scope]>,
    state: Mutex<State>,
    /// Something is to be reported now.
    hurry: Notify,
}

struct State {
    free: u64,
    reserved: u64,
    open: usize,
    draws: u64,
    /// Until when the lease lasts by the clock of this process, counted from before it was asked for.
    until: Instant,
    used: Instant,
    is_closed: bool,
    is_away: bool,
    spent: Spent,
}

/// Charges that have yet to be reported.
#[derive(Default)]
struct Spent {
    charged: u64,
    calls: u64,
    surprises: u64,
    risks: Vec<SliceRisk>,
}

impl LocalSlices {
    /// Takes the price of a call out of the local_slice, and draws more if it is not there.
    pub(super) async fn take(
        &self,
        levels: &Levels,
        slice: Credits,
        price: Credits,
        label: &Label,
    ) -> Result<(ReservationId, Arc<LocalSlice>), Denial> {
        if let Some(local_slice) = self.usable(&levels.shared, price)? {
            return Ok((ReservationId::unused(), local_slice));
        }
        let _drawing = self.drawing.lock().await;
        let mut fresh: Option<Place<'_>> = None;
        let mut asking: Option<Asking<'_>> = None;
        loop {
            if let Some(local_slice) = self.usable(&levels.shared, price)? {
                return Ok((ReservationId::unused(), local_slice));
            }
            let local_slice = self.current().clone();
            let (id, number, free) = match &local_slice {
                Some(local_slice) => {
                    let state = local_slice.state();
                    (
                        local_slice.id.clone(),
                        state.draws.saturating_add(1),
                        state.free,
                    )
                }
                None => {
                    let fresh = fresh.get_or_insert_with(|| Place::new(levels, label.clone()));
                    (fresh.id.clone(), 1, 0)
                }
            };
            let least = Credits::from_micros(price.micros().saturating_sub(free));
            let most = slice.max(least);
            let lease = levels.shared.settings.lease;
            let draw = Draw::Between { least, most };
            let asking =
                asking.get_or_insert_with(|| Asking::new(levels, draw, label.clone(), lease));
            asking.change(draw);
            let begin = Instant::now();
            let asked = asking.ask(price, &id, number).await;
            if matches!(asked, Err(Denial::Budget(_) | Denial::CoolingDown(_))) {
                // The store has decided, and keeps nothing of it.
                fresh.take().map(Place::pass_on);
            }
            match asked? {
                Asked::Granted(granted, scopes) => {
                    let drawn = granted.shares.iter().min().copied().unwrap_or_default();
                    let until = begin.checked_add(lease).unwrap_or(begin);
                    match local_slice {
                        Some(local_slice) => local_slice.add(drawn, number, until),
                        None => {
                            let id = fresh.take().map_or(id, Place::pass_on);
                            let local_slice = Arc::new(LocalSlice::new(id, scopes, drawn, until));
                            *self.current() = Some(Arc::clone(&local_slice));
                            let slice = Unsettled::new(&local_slice.id, &Label::default());
                            let under_way = levels.shared.background.enter(slice);
                            let shared = Arc::clone(&levels.shared);
                            let reports = Arc::clone(&local_slice).keep(shared, under_way);
                            levels.shared.background.runtime().spawn(reports);
                        }
                    }
                }
                // A slice that gets no more gives its rest back, and the call asks for its whole price: two rests never wait for each other.
                asked @ (Asked::Waiting | Asked::Ended) => {
                    if let Some(local_slice) = local_slice {
                        local_slice.close_now();
                    }
                    if matches!(asked, Asked::Ended) {
                        fresh = None;
                    }
                }
            }
        }
    }

    /// Returns the local_slice after it gave this amount; `None` when it has too little.
    fn usable(&self, shared: &Shared, price: Credits) -> Result<Option<Arc<LocalSlice>>, Denial> {
        let mut current = self.current();
        let Some(local_slice) = current.as_ref() else {
            return Ok(None);
        };
        let now = shared.now();
        let is_over = |scope: &Scope| {
            scope
                .window
                .as_ref()
                .is_some_and(|window| now >= window.until)
        };
        let mut state = local_slice.state();
        if state.is_closed
            || state.until <= Instant::now()
            || local_slice.scopes.iter().any(is_over)
        {
            state.is_closed = true;
            drop(state);
            local_slice.hurry.notify_one();
            *current = None;
            return Ok(None);
        }
        let is_refused = state.is_away && shared.settings.outage == Outage::Refuse;
        if is_refused {
            return Err(Denial::Store(StoreError::new(
                "the last report did not reach it",
            )));
        }
        if state.free < price.micros() {
            return Ok(None);
        }
        state.free = state.free.saturating_sub(price.micros());
        state.reserved = state.reserved.saturating_add(price.micros());
        state.open = state.open.saturating_add(1);
        state.used = Instant::now();
        drop(state);
        Ok(Some(Arc::clone(local_slice)))
    }

    fn current(&self) -> MutexGuard<'_, Option<Arc<LocalSlice>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Close for LocalSlices {
    fn close(&self) {
        if let Some(local_slice) = self.current().take() {
            local_slice.close_now();
        }
    }
}

impl LocalSlice {
    fn new(id: ReservationId, scopes: Arc<[Scope]>, drawn: Credits, until: Instant) -> Self {
        Self {
            id,
            scopes,
            state: Mutex::new(State {
                free: drawn.micros(),
                reserved: 0,
                open: 0,
                draws: 1,
                until,
                used: Instant::now(),
                is_closed: false,
                is_away: false,
                spent: Spent::default(),
            }),
            hurry: Notify::new(),
        }
    }

    pub(super) fn scopes(&self) -> Arc<[Scope]> {
        Arc::clone(&self.scopes)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, drawn: Credits, number: u64, until: Instant) {
        let mut state = self.state();
        state.free = state.free.saturating_add(drawn.micros());
        state.draws = number;
        state.until = state.until.max(until);
    }

    fn close_now(&self) {
        self.state().is_closed = true;
        self.hurry.notify_one();
    }

    /// Ends a call that took its price from here. `risk`: what it has at risk if it is lost.
    pub(super) fn settle(&self, price: Credits, settlement: Settlement, risk: SliceRisk) {
        let mut state = self.state();
        let price = price.micros();
        state.reserved = state.reserved.saturating_sub(price);
        state.open = state.open.saturating_sub(1);
        state.used = Instant::now();
        match settlement {
            Settlement::Refund => state.free = state.free.saturating_add(price),
            Settlement::Charge(charge) => {
                let charge = charge.micros();
                state.free = state.free.saturating_add(price).saturating_sub(charge);
                state.spent.charged = state.spent.charged.saturating_add(charge);
                state.spent.calls = state.spent.calls.saturating_add(1);
                let surprise = u64::from(charge > price);
                state.spent.surprises = state.spent.surprises.saturating_add(surprise);
            }
            Settlement::Risk => {
                let free = state.free.saturating_add(price);
                state.free = free.saturating_sub(risk.amount.micros());
                state.spent.risks.push(risk);
            }
        }
        let is_last = state.is_closed && state.open == 0;
        drop(state);
        if is_last {
            self.hurry.notify_one();
        }
    }

    /// Reports from time to time, until all of it is given back.
    async fn keep(self: Arc<Self>, shared: Arc<Shared>, under_way: UnderWay) {
        let lease = shared.settings.lease;
        let mut number = 0_u64;
        loop {
            _ = timeout(REPORTED.min(lease / 4), self.hurry.notified()).await;
            let Some(report) = self.report(&shared, number.saturating_add(1)) else {
                continue;
            };
            number = report.number;
            let Some(renewed) = self.send(&shared, &report).await else {
                return under_way.give_up();
            };
            let mut state = self.state();
            state.is_away = false;
            match renewed {
                Some(until) => state.until = state.until.max(until),
                None => {
                    state.is_closed = true;
                    state.free = 0;
                }
            }
            if report.is_last {
                return;
            }
        }
    }

    /// Returns the next report, unless it would be empty.
    fn report(&self, shared: &Shared, number: u64) -> Option<Report> {
        let lease = shared.settings.lease;
        let mut state = self.state();
        if state.open == 0 && state.used.elapsed() >= REPORTED {
            state.is_closed = true;
        }
        let is_last = state.is_closed && state.open == 0;
        let is_renewal_due = state.until < Instant::now() + lease / 2;
        let spent = std::mem::take(&mut state.spent);
        let returned = if state.is_closed {
            std::mem::take(&mut state.free)
        } else {
            0
        };
        let has_news = spent.calls > 0 || !spent.risks.is_empty() || returned > 0;
        (is_last || has_news || is_renewal_due).then(|| Report {
            account: Arc::clone(&shared.name),
            id: self.id.clone(),
            number,
            scopes: Arc::clone(&self.scopes),
            charged: Credits::from_micros(spent.charged),
            calls: spent.calls,
            surprises: spent.surprises,
            risks: spent.risks,
            returned: Credits::from_micros(returned),
            open: Credits::from_micros(state.reserved),
            is_last,
            lease,
        })
    }

    /// Repeats a report until the store has it: `Some(None)` when the lease had ended, else its new end. `None` when it gives up.
    async fn send(&self, shared: &Shared, report: &Report) -> Option<Option<Instant>> {
        let mut repeats = Repeats::new(REPEATED);
        loop {
            let begin = Instant::now();
            let error = match shared.store.report(report).await {
                Ok(reported) => {
                    shared.note(&reported);
                    if reported.is_conflict {
                        tracing::error!(
                            account = &*shared.name,
                            reservation = self.id.as_str(),
                            charged = %report.charged,
                            "this slice was settled by hand; later charges do not count"
                        );
                    } else if reported.is_lapsed {
                        tracing::warn!(
                            account = &*shared.name,
                            reservation = self.id.as_str(),
                            "the lease of this slice had ended before its report"
                        );
                    }
                    return Some((!reported.is_lapsed).then(|| begin + report.lease));
                }
                Err(error) => error,
            };
            self.state().is_away = true;
            if !repeats.again().await {
                self.state().is_closed = true;
                tracing::error!(
                    account = &*shared.name,
                    reservation = self.id.as_str(),
                    charged = %report.charged,
                    error = %error,
                    "the charges of a slice did not reach the store; the slice is at risk"
                );
                return None;
            }
        }
    }
}
