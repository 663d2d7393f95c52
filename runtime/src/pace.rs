//! How fast a client may go: calls in flight, pauses between attempts, and the cool-down that a service asks for.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use http::HeaderMap;
use http::header::RETRY_AFTER;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until, timeout_at};

pub(crate) const ATTEMPTS: u32 = 3;
/// The longest pause that a service may ask for and get; longer ones are the caller's to decide.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// The longest cool-down: no slip in a header, and no clock that is wrong, stops a client for good.
const LONGEST_COOL_DOWN: Duration = Duration::from_secs(60 * 60 * 24);

/// Stands for durations that no clock can add: 30 years.
pub(crate) const FOREVER: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

/// The instant that is so far ahead; at most [`FOREVER`].
pub(crate) fn instant_after(duration: Duration) -> Instant {
    Instant::now() + duration.min(FOREVER)
}

/// Shared by the clones of a client.
#[derive(Debug)]
pub(crate) struct Pace {
    slots: Semaphore,
    cool_until: Mutex<Option<Instant>>,
}

impl Pace {
    pub(crate) fn new(in_flight: usize) -> Self {
        Self {
            // A semaphore without permits would wait for ever.
            slots: Semaphore::new(in_flight.clamp(1, Semaphore::MAX_PERMITS)),
            cool_until: Mutex::new(None),
        }
    }

    /// A place among the calls in flight, once the client has cooled down; or how long that would take.
    pub(crate) async fn slot(
        &self,
        deadline: Instant,
    ) -> Result<Option<SemaphorePermit<'_>>, Duration> {
        let slot = timeout_at(deadline, self.slots.acquire())
            .await
            .map_err(|_| Duration::ZERO)?;
        // The semaphore is never closed; if it were, going without a place is better than not going.
        let slot = slot.ok();
        self.ready(deadline).await?;
        Ok(slot)
    }

    /// Waits until the client has cooled down; or tells how long that would take, zero if it is the deadline that has passed.
    pub(crate) async fn ready(&self, deadline: Instant) -> Result<(), Duration> {
        while let Some(until) = self.cooling() {
            let pause = until - Instant::now();
            if until >= deadline || pause > LONGEST_PAUSE {
                return Err(pause);
            }
            sleep_until(until).await;
        }
        if Instant::now() >= deadline {
            return Err(Duration::ZERO);
        }
        Ok(())
    }

    /// Lets nobody go before this much time has passed, or a day.
    pub(crate) fn cool_down(&self, pause: Duration) {
        let until = instant_after(pause.min(LONGEST_COOL_DOWN));
        let mut cool_until = self
            .cool_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *cool_until = (*cool_until).max(Some(until));
    }

    fn cooling(&self) -> Option<Instant> {
        let until = *self
            .cool_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        until.filter(|until| *until > Instant::now())
    }
}

/// The pauses between the attempts of one call.
pub(crate) fn pauses() -> ExponentialBackoff {
    ExponentialBuilder::default()
        .with_min_delay(Duration::from_millis(500))
        .with_max_delay(Duration::from_secs(8))
        .with_factor(2.0)
        .with_jitter()
        .without_max_times()
        .build()
}

/// `Retry-After`, in seconds or as a date; `None` when it is missing or neither.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More than 64 bits hold is for ever.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(value: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, value.parse().unwrap());
        retry_after(&headers)
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        assert_eq!(after("3"), Some(Duration::from_secs(3)));
        assert_eq!(after(" 0 "), Some(Duration::ZERO));
        assert_eq!(after("Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
        let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(90));
        let soon = after(&soon).unwrap();
        assert!((85..=90).contains(&soon.as_secs()), "{soon:?}");
        assert_eq!(after("soon"), None);
        assert_eq!(
            after("18446744073709551616"),
            Some(Duration::from_secs(u64::MAX))
        );
        assert_eq!(after("-1"), None);
        assert_eq!(after(""), None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
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
    async fn a_cool_down_holds_everybody_and_the_longest_one_counts() {
        let pace = Pace::new(8);
        let start = Instant::now();
        let deadline = start + Duration::from_secs(300);
        pace.cool_down(Duration::from_secs(5));
        pace.cool_down(Duration::from_secs(1));
        pace.slot(deadline).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 5);
        pace.cool_down(LONGEST_PAUSE + Duration::from_secs(1));
        assert!(pace.slot(deadline).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_calls_than_places_are_in_flight() {
        let pace = Pace::new(1);
        let deadline = Instant::now() + Duration::from_secs(300);
        let held = pace.slot(deadline).await.unwrap();
        let waiting = tokio::time::timeout(Duration::from_secs(10), pace.slot(deadline));
        assert!(waiting.await.is_err());
        drop(held);
        pace.slot(deadline).await.unwrap();
    }
}
