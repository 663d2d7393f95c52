//! The clock of a store: that of the system, or one that a test sets.

use std::time::SystemTime;

use tokio::time::Instant;

/// The source of the time of day.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Clock {
    #[default]
    System,
    /// Showed this time at that instant, and advances with the clock of Tokio.
    #[cfg_attr(
        not(feature = "test-util"),
        expect(dead_code, reason = "only a test sets a clock")
    )]
    Set(SystemTime, Instant),
}

impl Clock {
    pub(super) fn time(self) -> SystemTime {
        match self {
            Self::System => SystemTime::now(),
            Self::Set(time, then) => time.checked_add(then.elapsed()).unwrap_or(time),
        }
    }

    /// Milliseconds since 1970.
    pub(super) fn now(self) -> u64 {
        let now = self.time().duration_since(SystemTime::UNIX_EPOCH);
        u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
    }
}
