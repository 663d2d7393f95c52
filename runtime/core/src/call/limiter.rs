//! Limits the calls in flight, the pauses between attempts, and the cool-downs after a 429.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::sync::{Notify, Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout_at};

use crate::error::Delay;
use crate::lock::lock;
use crate::transport::clock::instant_after;

/// The longest `Retry-After` or cool-down that a call waits for. The call fails if it is longer.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The default maximum of a cool-down. After it, one call probes the service.
pub(crate) const LONGEST_COOL_DOWN: Duration = Duration::from_secs(5 * 60);

/// The pauses between attempts, without jitter: the first, how it grows, and the longest.
pub(crate) const FIRST_BACKOFF: Duration = Duration::from_millis(500);
pub(crate) const BACKOFF_FACTOR: f32 = 2.0;
pub(crate) const LONGEST_BACKOFF: Duration = Duration::from_secs(8);

/// Shared by the clones of a client.
#[derive(Debug)]
pub(crate) struct Limiter {
    slots: Semaphore,
    longest_cool_down: Duration,
    /// Cool-downs that have not ended.
    cool_downs: Mutex<BTreeMap<Route, CoolDown>>,
    probes: AtomicU64,
    /// Notified when a cool-down changes.
    changed: Notify,
}

/// The calls that a 429 holds: those of one operation (by id), or all calls of the client (`None`).
///
/// A 429 holds all calls if there is an interceptor, whose pauses name no operation. Otherwise each operation has its own cool-down, because
/// services limit per route.
pub(crate) type Route = Option<&'static str>;

/// The state of a cool-down. After it, one probe call is sent, and the others wait for its result (half-open).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CoolDown {
    Over,
    Until(Instant),
    /// This probe call is in flight.
    Probed(Probe),
}

/// The id of a probe call. The result of a probe that was sent before the last 429 is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Probe(u64);

/// The permit of an attempt in flight.
#[derive(Debug)]
pub(crate) struct Slot<'a> {
    limiter: &'a Limiter,
    route: Route,
    _slot: Option<SemaphorePermit<'a>>,
    probe: Option<Probe>,
}

impl Limiter {
    pub(crate) fn new(in_flight: usize, longest_cool_down: Duration) -> Self {
        Self {
            // A semaphore without permits would block forever.
            slots: Semaphore::new(in_flight.clamp(1, Semaphore::MAX_PERMITS)),
            longest_cool_down,
            cool_downs: Mutex::default(),
            probes: AtomicU64::new(0),
            changed: Notify::new(),
        }
    }

    /// Waits for the end of the cool-down without holding a permit. Fails at once if more than 60 s are left, or if it ends after the
    /// deadline.
    pub(crate) async fn ready(&self, route: Route, deadline: Instant) -> Result<(), Delay> {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            let now = Instant::now();
            let state = self.state(route);
            match state {
                CoolDown::Until(until) if until > now => {
                    let pause = until - now;
                    if until >= deadline || pause > LONGEST_PAUSE {
                        return Err(Delay::CoolDown(pause));
                    }
                    // The time is up or the state changed; the next iteration checks which.
                    let _ = timeout_at(until, changed).await;
                }
                CoolDown::Probed(_) => timeout_at(deadline, changed)
                    .await
                    .map_err(|_| Delay::CoolDown(Duration::ZERO))?,
                CoolDown::Over | CoolDown::Until(_) if now >= deadline => {
                    return Err(Delay::Deadline);
                }
                CoolDown::Over | CoolDown::Until(_) => return Ok(()),
            }
        }
    }

    /// Waits for a permit. Returns `None` if a cool-down started, or another call is the probe.
    pub(crate) async fn permit(
        &self,
        route: Route,
        deadline: Instant,
    ) -> Result<Option<Slot<'_>>, Delay> {
        let slot = timeout_at(deadline, self.slots.acquire())
            .await
            .map_err(|_| Delay::Permit)?;
        let now = Instant::now();
        if now >= deadline {
            return Err(Delay::Permit);
        }
        let mut states = self.states();
        let probe = match of(&states, route) {
            CoolDown::Over => None,
            CoolDown::Until(until) if until <= now => {
                Some(Probe(self.probes.fetch_add(1, Ordering::Relaxed)))
            }
            CoolDown::Until(_) | CoolDown::Probed(_) => return Ok(None),
        };
        if let Some(probe) = probe {
            states.insert(route, CoolDown::Probed(probe));
        }
        Ok(Some(Slot {
            limiter: self,
            route,
            // The semaphore is never closed. If it were, the call would run without a permit.
            _slot: slot.ok(),
            probe,
        }))
    }

    /// Holds the calls of a route for this duration, but at most for the longest cool-down.
    pub(crate) fn cool_down(&self, route: Route, pause: Duration) {
        let mut states = self.states();
        let longer = self.longer(of(&states, route), pause);
        states.insert(route, longer);
        drop(states);
        self.changed.notify_waiters();
    }

    /// Returns the state after a cool-down of this duration began.
    fn longer(&self, state: CoolDown, pause: Duration) -> CoolDown {
        let until = instant_after(pause.min(self.longest_cool_down));
        CoolDown::Until(match state {
            CoolDown::Until(earlier) => earlier.max(until),
            CoolDown::Over | CoolDown::Probed(_) => until,
        })
    }

    /// Returns the time left of the cool-down of a route; `None` without one.
    pub(crate) fn cool_down_left(&self, route: Route) -> Option<Duration> {
        self.state(route).left()
    }

    fn state(&self, route: Route) -> CoolDown {
        of(&self.states(), route)
    }

    fn states(&self) -> MutexGuard<'_, BTreeMap<Route, CoolDown>> {
        lock(&self.cool_downs)
    }
}

fn of(states: &BTreeMap<Route, CoolDown>, route: Route) -> CoolDown {
    states.get(&route).copied().unwrap_or(CoolDown::Over)
}

fn put(states: &mut BTreeMap<Route, CoolDown>, route: Route, state: CoolDown) {
    match state {
        CoolDown::Over => states.remove(&route),
        state => states.insert(route, state),
    };
}

impl CoolDown {
    fn left(self) -> Option<Duration> {
        match self {
            Self::Until(until) => until.checked_duration_since(Instant::now()),
            Self::Over | Self::Probed(_) => None,
        }
        .filter(|pause| !pause.is_zero())
    }
}

impl Slot<'_> {
    /// Ends an attempt that received no 429. If it was the probe, the cool-down is over.
    pub(crate) fn finish(mut self) {
        self.end_probe(CoolDown::Over);
    }

    /// Sets the next state if this call is the current probe.
    fn end_probe(&mut self, next: CoolDown) {
        if let Some(probe) = self.probe.take() {
            let mut states = self.limiter.states();
            if of(&states, self.route) == CoolDown::Probed(probe) {
                put(&mut states, self.route, next);
            }
            drop(states);
            self.limiter.changed.notify_waiters();
        }
    }
}

impl Drop for Slot<'_> {
    /// A cancelled probe has no result: the next call becomes the probe.
    fn drop(&mut self) {
        self.end_probe(CoolDown::Until(Instant::now()));
    }
}

/// Returns the pauses between the attempts of one call.
pub(crate) fn pauses() -> ExponentialBackoff {
    ExponentialBuilder::default()
        .with_min_delay(FIRST_BACKOFF)
        .with_max_delay(LONGEST_BACKOFF)
        .with_factor(BACKOFF_FACTOR)
        .with_jitter()
        .without_max_times()
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_300_s() -> Instant {
        Instant::now() + Duration::from_secs(300)
    }

    /// Waits for a permit and holds it.
    async fn acquire(limiter: &Limiter) -> Slot<'_> {
        loop {
            limiter.ready(None, in_300_s()).await.unwrap();
            if let Some(permit) = limiter.permit(None, in_300_s()).await.unwrap() {
                return permit;
            }
        }
    }

    #[test]
    fn pauses_double_up_to_eight_seconds_and_have_jitter() {
        let pauses: Vec<Duration> = pauses().take(8).collect();
        for (pause, least) in pauses.iter().zip([0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0, 8.0]) {
            let pause = pause.as_secs_f64();
            assert!(pause >= least && pause <= least * 2.0, "{pauses:?}");
        }
        let jitter = |pause: &Duration| !pause.subsec_millis().is_multiple_of(500);
        assert!(pauses.iter().any(jitter), "{pauses:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_cool_down_one_call_probes_and_the_others_wait_for_its_result() {
        let limiter = Limiter::new(8, LONGEST_COOL_DOWN);
        let start = Instant::now();
        limiter.cool_down(None, Duration::from_secs(5));
        let looks = async {
            let permit = acquire(&limiter).await;
            tokio::time::sleep(Duration::from_secs(3)).await;
            // The probe receives another 429.
            limiter.cool_down(None, Duration::from_secs(10));
            drop(permit);
        };
        let second = async {
            tokio::time::sleep(Duration::from_secs(6)).await;
            let permit = acquire(&limiter).await;
            assert_eq!(start.elapsed().as_secs(), 18);
            tokio::time::sleep(Duration::from_secs(2)).await;
            // The probe is cancelled without a result.
            drop(permit);
        };
        let third = async {
            tokio::time::sleep(Duration::from_secs(19)).await;
            acquire(&limiter).await.finish();
            assert_eq!(start.elapsed().as_secs(), 20);
            acquire(&limiter).await.finish();
        };
        tokio::join!(looks, second, third);
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_sent_before_the_last_429_does_not_end_the_cool_down() {
        for is_given_up in [false, true] {
            let limiter = Limiter::new(8, LONGEST_COOL_DOWN);
            limiter.cool_down(None, Duration::from_secs(1));
            let earlier = acquire(&limiter).await;
            // A 429 for a call that was in flight before the cool-down.
            limiter.cool_down(None, Duration::from_secs(1));
            let looks = acquire(&limiter).await;
            if is_given_up {
                drop(earlier)
            } else {
                earlier.finish()
            }
            assert!(limiter.permit(None, in_300_s()).await.unwrap().is_none());
            looks.finish();
            assert!(limiter.permit(None, in_300_s()).await.unwrap().is_some());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_cool_down_holds_its_own_route() {
        let limiter = Limiter::new(8, LONGEST_COOL_DOWN);
        let start = Instant::now();
        limiter.cool_down(Some("a"), Duration::from_secs(5));
        limiter.cool_down(Some("b"), Duration::from_secs(9));
        assert_eq!(
            limiter.cool_down_left(Some("b")),
            Some(Duration::from_secs(9))
        );
        let permit = limiter
            .permit(Some("c"), in_300_s())
            .await
            .unwrap()
            .unwrap();
        permit.finish();
        limiter.ready(Some("a"), in_300_s()).await.unwrap();
        let permit = limiter
            .permit(Some("a"), in_300_s())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(start.elapsed().as_secs(), 5);
        permit.finish();
        assert_eq!(limiter.states().len(), 1, "ended cool-downs are removed");
        assert_eq!(
            (
                limiter.cool_down_left(Some("a")),
                limiter.cool_down_left(Some("b"))
            ),
            (None, Some(Duration::from_secs(4)))
        );
    }
}
