//! Limits the load of retries on a failing service: a token bucket for all calls of a client.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::call::retry::AttemptResult;
use crate::response::failure::TransportErrorKind;

/// Tokens in a full bucket.
pub(crate) const FULL: u32 = 500;
/// The tokens of a retry.
pub(crate) const RETRY: u32 = 5;
/// The tokens of a retry after a timeout: the service may still be busy with the first attempt.
pub(crate) const RETRY_AFTER_TIMEOUT: u32 = 10;
/// The tokens that a success returns.
pub(crate) const SUCCESS: u32 = 1;

/// Shared by the clones of a client.
#[derive(Debug)]
pub(crate) struct RetryBudget(AtomicU32);

impl RetryBudget {
    pub(crate) const fn full() -> Self {
        Self(AtomicU32::new(FULL))
    }

    /// Takes the tokens of a retry; returns `false` if there are not enough.
    pub(crate) fn take(&self, ending: AttemptResult) -> bool {
        let taken = match ending {
            AttemptResult::Failed {
                kind: TransportErrorKind::Timeout,
            } => RETRY_AFTER_TIMEOUT,
            _ => RETRY,
        };
        let update = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tokens| {
                tokens.checked_sub(taken)
            });
        update.is_ok()
    }

    /// Notes a success.
    pub(crate) fn give_back(&self) {
        _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tokens| {
                (tokens < FULL).then(|| tokens.saturating_add(SUCCESS))
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(kind: TransportErrorKind) -> AttemptResult {
        AttemptResult::Failed { kind }
    }

    #[test]
    fn retries_end_when_the_bucket_is_empty_and_successes_fill_it() {
        let bucket = RetryBudget::full();
        bucket.give_back();
        let retries = |kind| (0..1000).take_while(|_| bucket.take(failed(kind))).count();
        assert_eq!(retries(TransportErrorKind::Timeout), 50);
        assert_eq!(retries(TransportErrorKind::Connect), 0);
        (0..9).for_each(|_| bucket.give_back());
        assert_eq!(retries(TransportErrorKind::Connect), 1);
    }
}
