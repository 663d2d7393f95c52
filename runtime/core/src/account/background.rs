//! Pending updates of the store: open reservations, and settlements that run in the background.

use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::redis::RedisStore;
use super::store::{Ending, Settled};

/// How long a settlement is repeated. The store knows an ending for longer, so that a repetition never counts twice.
pub(super) const REPEATED: Duration = Duration::from_secs(10 * 60);
/// How long a call waits for its own settlement before it returns.
const AWAITED: Duration = Duration::from_secs(2);

/// Pending updates of the store of one account.
#[derive(Debug)]
pub(super) struct Background {
    runtime: Handle,
    left: watch::Sender<Left>,
}

#[derive(Debug, Default)]
struct Left {
    under_way: usize,
    /// Since the last `flush`.
    given_up: usize,
}

impl Background {
    /// Settlements run on the runtime that opens the account.
    pub(super) fn new(runtime: Handle) -> Self {
        Self {
            runtime,
            left: watch::Sender::default(),
        }
    }

    pub(super) fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Starts a settlement. The returned future waits for it briefly; a longer one continues in the background.
    pub(super) fn settle(
        self: &Arc<Self>,
        store: &RedisStore,
        ending: Ending,
    ) -> impl Future<Output = ()> + use<> {
        let mut open = self.enter();
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
    pub(super) fn enter(self: &Arc<Self>) -> UnderWay {
        self.left
            .send_modify(|left| left.under_way = left.under_way.saturating_add(1));
        UnderWay {
            background: Arc::clone(self),
            fails: false,
        }
    }

    /// Waits until nothing is pending, or the time is over. Returns how much is pending, and was given up since the last call.
    pub(super) async fn flush(&self, within: Duration) -> usize {
        let mut left = self.left.subscribe();
        _ = timeout(within, left.wait_for(|left| left.under_way == 0)).await;
        let mut unsettled = 0_usize;
        self.left.send_modify(|left| {
            unsettled = left
                .under_way
                .saturating_add(std::mem::take(&mut left.given_up));
        });
        unsettled
    }
}

/// Something that `flush` waits for, until it is dropped.
#[derive(Debug)]
pub(super) struct UnderWay {
    background: Arc<Background>,
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
        let fails = usize::from(self.fails);
        self.background.left.send_modify(|left| {
            left.under_way = left.under_way.saturating_sub(1);
            left.given_up = left.given_up.saturating_add(fails);
        });
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
