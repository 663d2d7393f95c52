//! What the clones and scopes of an account have in common in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::background::Background;
use super::id::ReservationId;
use super::period::Period;
use super::scope::Scope;
use super::settings::Settings;
use super::store::{LedgerStore, Reported};
use crate::money::credits::Credits;

/// How many prices a process remembers of an account.
const REMEMBERED: usize = 1000;

/// What the scopes of an account have in common.
pub(super) struct Shared {
    pub(super) name: Arc<str>,
    pub(super) store: Arc<dyn LedgerStore>,
    pub(super) settings: Settings,
    pub(super) background: Arc<Background>,
    seen: Mutex<Seen>,
}

/// What this process knows of the account.
#[derive(Default)]
struct Seen {
    prices: HashMap<String, Credits>,
    cool_down: Option<Instant>,
    /// The time of the store, and when it was that.
    clock: Option<(u64, Instant)>,
    turns: HashMap<ReservationId, Weak<Notify>>,
    purses: Vec<Weak<dyn Close>>,
}

/// Gives back what it has.
pub(super) trait Close: Send + Sync {
    fn close(&self);
}

/// A scope of an account, and those above it.
#[derive(Clone)]
pub(super) struct Levels {
    pub(super) shared: Arc<Shared>,
    /// From the scope up to the account: the paths, and their periods.
    levels: Arc<[(String, Option<Period>)]>,
}

impl Levels {
    /// The account itself.
    pub(super) fn root(shared: Arc<Shared>, period: Option<Period>) -> Self {
        Self {
            shared,
            levels: Arc::new([(String::new(), period)]),
        }
    }

    /// A scope of this one.
    pub(super) fn below(&self, name: &str, period: Option<Period>) -> Self {
        let path = match self.path() {
            "" => name.to_owned(),
            above => format!("{above}/{name}"),
        };
        let levels = self.levels.iter().cloned();
        Self {
            shared: Arc::clone(&self.shared),
            levels: [(path, period)].into_iter().chain(levels).collect(),
        }
    }

    pub(super) fn path(&self) -> &str {
        self.levels.first().map_or("", |(path, _)| path)
    }

    /// The scopes at this time, from this one up to the account.
    pub(super) fn scopes(&self) -> Arc<[Scope]> {
        let now = self.shared.now();
        let scope = |(path, period): &(String, Option<Period>)| Scope {
            path: path.clone(),
            window: period.as_ref().map(|period| period.window(now)),
        };
        self.levels.iter().map(scope).collect()
    }
}

impl Shared {
    pub(super) fn new(
        name: Arc<str>,
        settings: Settings,
        store: Arc<dyn LedgerStore>,
        runtime: Handle,
    ) -> Self {
        Self {
            name,
            store,
            settings,
            background: Arc::new(Background::new(runtime)),
            seen: Mutex::default(),
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time of the store; that of this machine before the store has said it.
    pub(super) fn now(&self) -> u64 {
        let (then, passed) = match self.seen().clock {
            Some((then, at)) => (then, at.elapsed()),
            None => (
                0,
                SystemTime::now()
                    .duration_since(SystemTime::UNIX_EPOCH)
                    .unwrap_or_default(),
            ),
        };
        then.saturating_add(u64::try_from(passed.as_millis()).unwrap_or(u64::MAX))
    }

    pub(super) fn set_clock(&self, now: u64) {
        self.seen().clock = Some((now, Instant::now()));
    }

    pub(super) fn learn(&self, line: &str, price: Credits) {
        let prices = &mut self.seen().prices;
        if prices.len() >= REMEMBERED && !prices.contains_key(line) {
            prices.clear();
        }
        prices.insert(line.to_owned(), price);
    }

    pub(super) fn forget_prices(&self) {
        self.seen().prices.clear();
    }

    pub(super) fn register(&self, purses: Weak<dyn Close>) {
        let mut seen = self.seen();
        seen.purses.retain(|purses| purses.strong_count() > 0);
        seen.purses.push(purses);
    }

    pub(super) fn close_purses(&self) {
        let purses = self.seen().purses.clone();
        for purses in purses.iter().filter_map(Weak::upgrade) {
            purses.close();
        }
    }

    pub(super) fn cool_down(&self, pause: Duration) {
        self.seen().cool_down = Instant::now().checked_add(pause);
    }

    /// Takes over what a report says about the account.
    pub(super) fn note(&self, reported: &Reported) {
        let mut seen = self.seen();
        seen.prices.extend(reported.prices.iter().cloned());
        if let Some(pause) = reported.cool_down {
            seen.cool_down = Instant::now().checked_add(pause);
        }
    }

    /// Is notified when it may be the turn of a request.
    pub(super) fn await_turn(&self, id: &ReservationId) -> Arc<Notify> {
        let turn = Arc::<Notify>::default();
        let mut seen = self.seen();
        seen.turns.retain(|_, turn| turn.strong_count() > 0);
        seen.turns.insert(id.clone(), Arc::downgrade(&turn));
        turn
    }

    pub(super) fn turn(&self, id: &ReservationId) {
        let turn = self.seen().turns.get(id).and_then(Weak::upgrade);
        if let Some(turn) = turn {
            turn.notify_one();
        }
    }

    /// How long the account still cools down, as far as this process knows.
    pub(super) fn cooling(&self) -> Option<Duration> {
        let until = self.seen().cool_down?;
        let left = until.checked_duration_since(Instant::now());
        left.filter(|pause| !pause.is_zero())
    }

    /// The price that another process saw.
    pub(super) fn price_of(&self, line: &str) -> Option<Credits> {
        self.seen().prices.get(line).copied()
    }
}
