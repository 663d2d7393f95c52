//! Limits the calls in flight, the pauses between attempts, and the cool-downs after a 429.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::error::Delay;
use crate::lock::lock;
use crate::transport::clock::instant_after;

/// The longest `Retry-After` or cool-down that a call waits for. The call fails if it is longer.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The longest cool-down, even if `Retry-After` is longer.
const LONGEST_COOL_DOWN: Duration = Duration::from_secs(5 * 60);

/// The pauses between attempts, without jitter: the first, how it grows, and the longest.
pub(crate) const FIRST_BACKOFF: Duration = Duration::from_millis(500);
pub(crate) const BACKOFF_FACTOR: f32 = 2.0;
pub(crate) const LONGEST_BACKOFF: Duration = Duration::from_secs(8);

const WAITING: Delay = Delay::Waiting("a permit");

/// Shared by the clones of a client.
#[derive(Debug)]
pub(crate) struct Limiter {
    slots: Semaphore,
    /// The end of the last cool-down of each route.
    cool_downs: Mutex<BTreeMap<Route, Instant>>,
}

/// The calls that a 429 holds: those of one operation (by id), or all calls of the client (`None`).
///
/// A 429 holds all calls if there is an interceptor, whose pauses name no operation. Otherwise each operation has its own cool-down, because
/// services limit per route.
pub(crate) type Route = Option<&'static str>;

impl Limiter {
    pub(crate) fn new(in_flight: usize) -> Self {
        Self {
            // A semaphore without permits would block forever.
            slots: Semaphore::new(in_flight.clamp(1, Semaphore::MAX_PERMITS)),
            cool_downs: Mutex::default(),
        }
    }

    /// Waits for the end of the cool-down without holding a permit. Fails at once if more than 60 s are left, or if it ends after the
    /// deadline.
    pub(crate) async fn ready(&self, route: Route, deadline: Instant) -> Result<(), Delay> {
        // A cool-down may have grown in the meantime.
        while let Some(pause) = self.cool_down_left(route) {
            let until = instant_after(pause);
            if until >= deadline || pause > LONGEST_PAUSE {
                return Err(Delay::CoolDown(pause));
            }
            sleep_until(until).await;
        }
        if Instant::now() >= deadline {
            return Err(Delay::Deadline);
        }
        Ok(())
    }

    /// Waits for a permit. Returns `None` if a cool-down started.
    pub(crate) async fn permit(
        &self,
        route: Route,
        deadline: Instant,
    ) -> Result<Option<SemaphorePermit<'_>>, Delay> {
        let slot = timeout_at(deadline, self.slots.acquire()).await;
        // The semaphore is never closed.
        let Ok(Ok(slot)) = slot else {
            return Err(WAITING);
        };
        if Instant::now() >= deadline {
            return Err(WAITING);
        }
        let is_held = self.cool_down_left(route).is_some();
        Ok((!is_held).then_some(slot))
    }

    /// Holds the calls of a route for this duration, but at most for the longest cool-down.
    pub(crate) fn cool_down(&self, route: Route, pause: Duration) {
        let until = instant_after(pause.min(LONGEST_COOL_DOWN));
        let mut cool_downs = lock(&self.cool_downs);
        let end = cool_downs.entry(route).or_insert(until);
        *end = until.max(*end);
    }

    /// Returns the time left of the cool-down of a route; `None` without one.
    pub(crate) fn cool_down_left(&self, route: Route) -> Option<Duration> {
        let until = lock(&self.cool_downs).get(&route).copied()?;
        let pause = until.saturating_duration_since(Instant::now());
        (!pause.is_zero()).then_some(pause)
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
    async fn a_cool_down_holds_its_own_route() {
        let limiter = Limiter::new(8);
        let start = Instant::now();
        let deadline = start + Duration::from_secs(300);
        let left = |route| limiter.cool_down_left(Some(route));
        limiter.cool_down(Some("a"), Duration::from_secs(5));
        limiter.cool_down(Some("b"), Duration::from_secs(9));
        assert_eq!(left("b"), Some(Duration::from_secs(9)));
        for (route, is_held) in [("a", true), ("b", true), ("c", false)] {
            let permit = limiter.permit(Some(route), deadline).await.unwrap();
            assert_eq!(permit.is_none(), is_held, "{route}");
        }
        limiter.ready(Some("a"), deadline).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 5);
        assert_eq!((left("a"), left("b")), (None, Some(Duration::from_secs(4))));
    }
}
