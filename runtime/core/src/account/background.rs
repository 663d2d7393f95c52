//! Pending updates of the store: open reservations, and settlements that run in the background.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use super::error::Unsettled;
use super::redis::RedisStore;
use super::store::{Ending, Settled};
use crate::lock::lock;

/// How long a settlement is repeated. The store knows an ending for longer, so that a repetition never counts twice.
pub(super) const REPEATED: Duration = Duration::from_secs(10 * 60);
/// How long a call waits for its own settlement before it returns.
const AWAITED: Duration = Duration::from_secs(2);

/// How many settlements that were given up are remembered for `flush`.
const GIVEN_UP: usize = 10_000;

/// Pending updates of the store of one account.
#[derive(Debug)]
pub(super) struct Background {
    runtime: Handle,
    left: Mutex<Left>,
    ended: Notify,
}

#[derive(Debug, Default)]
struct Left {
    next: u64,
    under_way: BTreeMap<u64, Unsettled>,
    given_up: Vec<Unsettled>,
}

impl Background {
    /// Settlements run on the runtime that opens the account.
    pub(super) fn new(runtime: Handle) -> Self {
        Self {
            runtime,
            left: Mutex::default(),
            ended: Notify::new(),
        }
    }

    pub(super) fn runtime(&self) -> &Handle {
        &self.runtime
    }

    fn left(&self) -> MutexGuard<'_, Left> {
        lock(&self.left)
    }

    /// Starts a settlement. The returned future waits for it briefly; a longer one continues in the background.
    pub(super) fn settle(
        self: &Arc<Self>,
        store: &RedisStore,
        ending: Ending,
    ) -> impl Future<Output = ()> + use<> {
        let unsettled = Unsettled::new(&ending.id, &ending.call);
        let mut open = self.enter(unsettled);
        open.fails = true;
        let store = store.clone();
        let settling = self.runtime.spawn(async move {
            let fails = !repeat(&store, ending).await;
            open.end(fails);
        });
        async {
            _ = timeout(AWAITED, settling).await;
        }
    }

    /// Notes something that `flush` waits for.
    pub(super) fn enter(self: &Arc<Self>, unsettled: Unsettled) -> UnderWay {
        let mut left = self.left();
        left.next = left.next.saturating_add(1);
        let number = left.next;
        left.under_way.insert(number, unsettled);
        drop(left);
        UnderWay {
            background: Arc::clone(self),
            number,
            fails: false,
        }
    }

    /// Waits until nothing is pending, or the time is over. Returns what is pending, and what was given up since the last call.
    pub(super) async fn flush(&self, within: Duration) -> Vec<Unsettled> {
        let begin = Instant::now();
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            ended.as_mut().enable();
            let rest = within.saturating_sub(begin.elapsed());
            if self.left().under_way.is_empty() || timeout(rest, ended).await.is_err() {
                let mut left = self.left();
                let mut all = std::mem::take(&mut left.given_up);
                all.extend(left.under_way.values().cloned());
                return all;
            }
        }
    }
}

/// Something that `flush` waits for, until it is dropped.
#[derive(Debug)]
pub(super) struct UnderWay {
    background: Arc<Background>,
    number: u64,
    /// True if the next `flush` says that it was given up. A settlement is, too, if its task ends early because its runtime did.
    fails: bool,
}

impl UnderWay {
    pub(super) fn end(mut self, fails: bool) {
        self.fails = fails;
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut left = self.background.left();
        let ended = left.under_way.remove(&self.number);
        if self.fails && left.given_up.len() < GIVEN_UP {
            left.given_up.extend(ended);
        }
        drop(left);
        self.background.ended.notify_waiters();
    }
}

/// Repeats a settlement until the store has it. Returns whether it has.
async fn repeat(store: &RedisStore, ending: Ending) -> bool {
    let mut repeats = Repeats::new(REPEATED);
    loop {
        let why = match store.settle(&ending).await {
            Ok(settled) => {
                tell(&ending, settled);
                return true;
            }
            Err(why) => why,
        };
        if !repeats.again().await {
            tracing::error!(
                account = &*ending.account,
                reservation = %ending.id,
                settlement = ?ending.settlement,
                error = %why,
                "a settlement did not reach the store; its amount is at risk when its lease ends"
            );
            return false;
        }
    }
}

/// Repetitions of a step, with pauses between them.
pub(super) struct Repeats {
    begin: Instant,
    longest: Duration,
    pauses: ExponentialBackoff,
}

impl Repeats {
    /// Returns repetitions that end after this time.
    pub(super) fn new(longest: Duration) -> Self {
        let pauses = ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(50))
            .with_max_delay(Duration::from_secs(5))
            .with_factor(2.0)
            .with_jitter()
            .without_max_times();
        Self {
            begin: Instant::now(),
            longest,
            pauses: pauses.build(),
        }
    }

    /// Pauses. `false` if the time is over. This is checked after the pause, because the process may have been suspended in it.
    pub(super) async fn again(&mut self) -> bool {
        sleep(self.pauses.next().unwrap_or_default()).await;
        self.begin.elapsed() <= self.longest
    }

    /// Gives up after this time from now, or earlier if that was set.
    pub(super) fn at_most(&mut self, left: Duration) {
        self.longest = self.longest.min(self.begin.elapsed().saturating_add(left));
    }
}

fn tell(ending: &Ending, settled: Settled) {
    let (account, reservation) = (&*ending.account, tracing::field::display(ending.id));
    match settled {
        Settled::Conflict => tracing::error!(
            account,
            reservation,
            settlement = ?ending.settlement,
            "the account has already settled this reservation differently; that settlement stays"
        ),
        Settled::Stray => tracing::warn!(
            account,
            reservation,
            settlement = ?ending.settlement,
            "the store had lost this reservation; its cost counts"
        ),
        Settled::Late => tracing::warn!(
            account,
            reservation,
            "the lease of this reservation had ended before it was settled"
        ),
        Settled::Now | Settled::Before => {}
    }
}
