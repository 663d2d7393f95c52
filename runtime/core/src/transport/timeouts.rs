//! Timeouts of the built-in transport. Bytes that have arrived take precedence over an expired timer.

use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::error::TransportError;
use crate::response::failure::TransportErrorKind;
use crate::transport::clock::{FOREVER, instant_after};

/// The time for bytes that are still between the socket and the call when a timer expires: they may have to pass through their connection's
/// task.
const GRACE: Duration = Duration::from_millis(100);

/// The deadline of a call. An extension of the request: the built-in transport returns the bytes that have arrived by then.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(pub(crate) Instant);

impl Deadline {
    /// Returns the start of the last look, which ends before the call does.
    fn end(self) -> Instant {
        self.0.checked_sub(GRACE * 3 / 2).unwrap_or(self.0)
    }

    /// Returns the error of an attempt in flight at the deadline.
    pub(crate) fn passed() -> TransportError {
        Expired::Deadline.into()
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    pub(crate) connect: Duration,
    /// The maximum time without a byte from the service.
    pub(crate) read: Duration,
    /// The maximum time from the start of an attempt to the last byte of its response.
    pub(crate) attempt: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            read: Duration::from_secs(60),
            attempt: Duration::from_secs(300),
        }
    }
}

impl Timeouts {
    /// Returns the connect timeout. Only the connector knows that nothing was sent, so no other timer may expire before it.
    pub(super) fn connecting(self) -> Duration {
        self.connect.min(self.read).min(self.attempt).min(FOREVER)
    }

    pub(super) fn watch(self, deadline: Option<Deadline>) -> Watch {
        let end = instant_after(self.attempt);
        let sooner = deadline.map(Deadline::end).filter(|sooner| *sooner < end);
        Watch {
            timeouts: self,
            end: sooner.unwrap_or(end),
            is_deadline: sooner.is_some(),
            cut: None,
            sending: None,
        }
    }
}

pub(super) struct Watch {
    timeouts: Timeouts,
    end: Instant,
    /// True if the deadline of the call ends it.
    is_deadline: bool,
    /// The end of the last look after `end`, shared by all reads.
    cut: Option<Instant>,
    /// Counts the sent bytes of a request while the service is idle.
    sending: Option<Arc<AtomicU64>>,
}

impl Watch {
    /// Treats sent bytes as progress.
    pub(super) fn follow(&mut self, sending: Option<Arc<AtomicU64>>) {
        self.sending = sending;
    }

    fn sent(&self) -> u64 {
        let sending = self.sending.as_deref();
        sending.map_or(0, |sent| sent.load(Ordering::Relaxed))
    }

    /// Removes the end: only an idle service ends a streamed body.
    pub(super) fn without_end(self) -> Self {
        Self {
            end: instant_after(FOREVER),
            cut: None,
            ..self
        }
    }

    /// Waits for the next part of the response.
    pub(super) async fn next<F: Future>(&mut self, part: F) -> Result<F::Output, TransportError> {
        let mut part = pin!(part);
        let mut idle_end = instant_after(self.timeouts.read);
        let mut is_last_look = false;
        let mut sent = self.sent();
        loop {
            if Instant::now() >= self.end {
                return self.finish(part).await;
            }
            // The part is polled first.
            if let Ok(part) = timeout_at(idle_end.min(self.end), part.as_mut()).await {
                return Ok(part);
            }
            let now = Instant::now();
            if now >= self.end {
                continue;
            }
            let more = self.sent();
            if more > sent {
                sent = more;
                is_last_look = false;
                idle_end = instant_after(self.timeouts.read);
                continue;
            }
            if is_last_look {
                return Err(Expired::Idle(self.timeouts.read).into());
            }
            // If nothing polled for longer, even the request may have been waiting: the service was not idle.
            let is_watched = now.duration_since(idle_end) <= GRACE;
            is_last_look = is_watched;
            idle_end = instant_after(if is_watched {
                GRACE
            } else {
                self.timeouts.read
            });
        }
    }

    /// Takes the bytes that arrive in one last look at the end of the attempt. A body that continues is cut there.
    async fn finish<F: Future>(&mut self, part: F) -> Result<F::Output, TransportError> {
        let cut = *self.cut.get_or_insert_with(|| instant_after(GRACE));
        if Instant::now() < cut
            && let Ok(part) = timeout_at(cut, part).await
        {
            return Ok(part);
        }
        if self.is_deadline {
            Err(Deadline::passed())
        } else {
            Err(Expired::Attempt(self.timeouts.attempt).into())
        }
    }
}

#[derive(Debug)]
enum Expired {
    Idle(Duration),
    Attempt(Duration),
    Deadline,
}

impl fmt::Display for Expired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Idle(read) => write!(f, "nothing arrived for {read:?}"),
            Self::Attempt(attempt) => write!(f, "the attempt took more than {attempt:?}"),
            Self::Deadline => f.write_str("the deadline of the call passed"),
        }
    }
}

impl std::error::Error for Expired {}

impl From<Expired> for TransportError {
    fn from(expired: Expired) -> Self {
        Self::new(TransportErrorKind::Timeout, expired)
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::task::Poll;

    use tokio::time::{advance, sleep};

    use super::*;

    const TIMEOUTS: Timeouts = Timeouts {
        connect: Duration::from_secs(9),
        read: Duration::from_secs(2),
        attempt: Duration::from_secs(5),
    };

    fn message<T>(result: Result<T, TransportError>) -> String {
        let error = result.err().unwrap();
        assert_eq!(error.kind(), TransportErrorKind::Timeout);
        error.to_string()
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_service_ends_an_attempt() {
        let start = Instant::now();
        let mut watch = TIMEOUTS.watch(None);
        watch.next(sleep(Duration::from_secs(1))).await.unwrap();
        let error = message(watch.next(pending::<()>()).await);
        assert!(error.ends_with("nothing arrived for 2s"), "{error}");
        assert_eq!(start.elapsed(), Duration::from_secs(3) + GRACE);
    }

    #[tokio::test(start_paused = true)]
    async fn the_deadline_of_its_call_ends_an_attempt_before_it_passes() {
        for (milliseconds, is_deadline) in [(3000, true), (10, true), (6000, false)] {
            let start = Instant::now();
            let deadline = Duration::from_millis(milliseconds);
            let mut watch = TIMEOUTS.watch(Some(Deadline(start + deadline)));
            let end = loop {
                let drop = watch.next(sleep(Duration::from_millis(30))).await;
                if let Err(error) = drop {
                    break message(Err::<(), _>(error));
                }
            };
            assert_eq!(
                end.ends_with("the deadline of the call passed"),
                is_deadline
            );
            assert!(start.elapsed() < deadline.max(GRACE * 3 / 2));
        }
    }

    /// Polls once, lets time pass without polling, and polls again.
    async fn neglected<T>(
        for_so_long: Duration,
        part: impl Future<Output = T>,
    ) -> Result<T, TransportError> {
        let mut watch = TIMEOUTS.watch(None);
        let mut next = pin!(watch.next(part));
        std::future::poll_fn(|cx| {
            assert!(next.as_mut().poll(cx).is_pending());
            Poll::Ready(())
        })
        .await;
        advance(for_so_long).await;
        next.await
    }

    #[tokio::test(start_paused = true)]
    async fn arrived_bytes_win_over_expired_timers() {
        for seconds in [3, 6] {
            let is_there = sleep(Duration::from_secs(1));
            let found = neglected(Duration::from_secs(seconds), is_there).await;
            found.unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn time_without_polling_does_not_count_as_idle() {
        // It arrives a second after polling resumes: only then may the request have been sent.
        let arrives = sleep(Duration::from_secs(4));
        let found = neglected(Duration::from_secs(3), arrives).await;
        found.unwrap();
    }

    #[test]
    fn no_other_timer_expires_before_the_connect_timeout() {
        assert_eq!(TIMEOUTS.connecting(), TIMEOUTS.read);
        let attempt = Duration::from_secs(1);
        assert_eq!(
            Timeouts {
                attempt,
                ..TIMEOUTS
            }
            .connecting(),
            attempt
        );
        assert_eq!(Timeouts::default().connecting(), Duration::from_secs(5));
    }
}
