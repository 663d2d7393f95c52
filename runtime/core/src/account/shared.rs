//! State that the clones and scopes of an account share in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::SystemTime;

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::background::Background;
use super::redis::RedisStore;
use super::scope::Scope;
use super::settings::Settings;
use crate::lock::lock;
use crate::money::budget::AtRiskId;
use crate::money::credits::Credits;
use crate::money::period::Period;

/// How many prices a process remembers of an account.
const REMEMBERED: usize = 1000;

/// State that the scopes of an account share.
pub(super) struct Shared {
    pub(super) name: Arc<str>,
    pub(super) store: RedisStore,
    pub(super) settings: Settings,
    pub(super) background: Arc<Background>,
    seen: Mutex<Seen>,
}

/// State of the account as this process knows it.
#[derive(Default)]
struct Seen {
    prices: HashMap<String, Credits>,
    /// The time of the store, and when it was that.
    clock: Option<(u64, Instant)>,
    turns: HashMap<AtRiskId, Weak<Notify>>,
}

/// A scope of an account, and those above it.
#[derive(Clone)]
pub(super) struct Levels {
    pub(super) shared: Arc<Shared>,
    /// The paths and their periods, from the scope up to the account.
    levels: Arc<[(String, Option<Period>)]>,
}

impl Levels {
    /// Returns the account itself.
    pub(super) fn root(shared: Arc<Shared>, period: Option<Period>) -> Self {
        Self {
            shared,
            levels: Arc::new([(String::new(), period)]),
        }
    }

    /// Returns a scope of this one.
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

    /// Returns the name of the account, with the path of a scope.
    pub(super) fn shown(&self, path: &str) -> String {
        match path {
            "" => self.shared.name.to_string(),
            path => format!("{}/{path}", self.shared.name),
        }
    }

    /// Returns the scopes at this time, from this one up to the account.
    pub(super) fn scopes(&self) -> Arc<[Scope]> {
        let now = self.shared.now();
        let levels = self.levels.iter();
        let scopes = levels.map(|(path, period)| Scope {
            path: path.clone(),
            window: period.as_ref().map(|period| period.window(now)),
        });
        scopes.collect()
    }
}

impl Shared {
    pub(super) fn new(
        name: Arc<str>,
        settings: Settings,
        store: RedisStore,
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
        lock(&self.seen)
    }

    /// Returns the time of the store, or of this machine before the store has reported it.
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

    /// Is notified when it may be the turn of a request.
    pub(super) fn await_turn(&self, id: AtRiskId) -> Arc<Notify> {
        let turn = Arc::<Notify>::default();
        let mut seen = self.seen();
        seen.turns.retain(|_, turn| turn.strong_count() > 0);
        seen.turns.insert(id, Arc::downgrade(&turn));
        turn
    }

    pub(super) fn turn(&self, id: &AtRiskId) {
        let turn = self.seen().turns.get(id).and_then(Weak::upgrade);
        if let Some(turn) = turn {
            turn.notify_one();
        }
    }

    /// Returns the prices of an operation that other processes saw.
    pub(super) fn prices_of(&self, operation: &str) -> Vec<(String, Credits)> {
        let seen = self.seen();
        let prices = seen.prices.iter();
        let own = prices.filter(|(line, _)| line.split('?').next() == Some(operation));
        own.map(|(line, price)| (line.clone(), *price)).collect()
    }

    /// Returns the price that another process saw.
    pub(super) fn price_of(&self, line: &str) -> Option<Credits> {
        self.seen().prices.get(line).copied()
    }
}
