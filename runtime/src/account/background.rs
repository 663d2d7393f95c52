//! Settlements that go on while nobody waits for them: until the store has them, or gives up its part.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use super::store::{Ending, LedgerStore, Settled};

/// How long a settlement is repeated. The store knows an ending for longer, so that a repetition never counts twice.
pub(super) const REPEATED: Duration = Duration::from_secs(10 * 60);
/// How long a call waits for its own settlement before it returns.
const AWAITED: Duration = Duration::from_secs(2);

/// The settlements of one account that are under way.
#[derive(Debug)]
pub(super) struct Background {
    runtime: Handle,
    under_way: AtomicUsize,
    ended: Notify,
}

impl Background {
    /// Settlements run on the runtime that opens the account.
    pub(super) fn new(runtime: Handle) -> Self {
        Self {
            runtime,
            under_way: AtomicUsize::new(0),
            ended: Notify::new(),
        }
    }

    pub(super) fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Starts to settle. What it returns waits a moment for it; it goes on if it takes longer.
    pub(super) fn settle(
        self: &Arc<Self>,
        store: &Arc<dyn LedgerStore>,
        ending: Ending,
    ) -> impl Future<Output = ()> + use<> {
        let under_way = self.enter();
        let store = Arc::clone(store);
        let settling = self.runtime.spawn(async move {
            repeat(&*store, ending).await;
            drop(under_way);
        });
        async {
            _ = timeout(AWAITED, settling).await;
        }
    }

    /// Counts something that `flush` waits for.
    pub(super) fn enter(self: &Arc<Self>) -> UnderWay {
        self.under_way.fetch_add(1, Ordering::SeqCst);
        UnderWay(Arc::clone(self))
    }

    /// Waits until nothing is under way.
    pub(super) async fn flush(&self) {
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            ended.as_mut().enable();
            if self.under_way.load(Ordering::SeqCst) == 0 {
                return;
            }
            ended.await;
        }
    }
}

/// Something that `flush` waits for, until it is dropped.
#[derive(Debug)]
pub(super) struct UnderWay(Arc<Background>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::SeqCst);
        self.0.ended.notify_waiters();
    }
}

async fn repeat(store: &dyn LedgerStore, mut ending: Ending) {
    let begin = Instant::now();
    let until = ending.cool_down.and_then(|pause| begin.checked_add(pause));
    let mut repeats = Repeats::new(REPEATED);
    loop {
        let why = match store.settle(&ending).await {
            Ok(settled) => return tell(&ending, settled),
            Err(why) => why,
        };
        if !repeats.again().await {
            tracing::error!(
                account = &*ending.account,
                reservation = ending.id.as_str(),
                settlement = ?ending.settlement,
                error = %why,
                "a settlement did not reach the store; its amount is at risk when its lease ends"
            );
            return;
        }
        let left = until.and_then(|until| until.checked_duration_since(Instant::now()));
        ending.cool_down = left.filter(|left| !left.is_zero());
    }
}

/// Repetitions of a step, with pauses between them.
pub(super) struct Repeats {
    begin: Instant,
    longest: Duration,
    pauses: ExponentialBackoff,
}

impl Repeats {
    /// Repetitions for so long.
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

    /// Pauses. `false` when it took too long: asked after the pause, for the process may have been stopped in it.
    pub(super) async fn again(&mut self) -> bool {
        sleep(self.pauses.next().unwrap_or_default()).await;
        self.begin.elapsed() <= self.longest
    }

    /// Gives up after so long from now, unless it does so earlier.
    pub(super) fn at_most(&mut self, left: Duration) {
        self.longest = self.longest.min(self.begin.elapsed().saturating_add(left));
    }
}

fn tell(ending: &Ending, settled: Settled) {
    let (account, reservation) = (&*ending.account, ending.id.as_str());
    match settled {
        Settled::Conflict => tracing::error!(
            account,
            reservation,
            settlement = ?ending.settlement,
            "the account has settled this reservation in another way, which stays"
        ),
        Settled::Stray => tracing::warn!(
            account,
            reservation,
            settlement = ?ending.settlement,
            "the store had lost this reservation; what it cost counts"
        ),
        Settled::Late => tracing::warn!(
            account,
            reservation,
            "the lease of this reservation had ended before it was settled"
        ),
        Settled::Now | Settled::Before => {}
    }
}
