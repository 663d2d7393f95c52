//! State that the clones and scopes of an account share in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::SystemTime;

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::background::Background;
use super::redis::RedisStore;
use super::settings::Settings;
use crate::lock::lock;
use crate::money::budget::AtRiskId;

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
    /// The time of the store, and when it was that.
    clock: Option<(u64, Instant)>,
    turns: HashMap<AtRiskId, Weak<Notify>>,
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
}
