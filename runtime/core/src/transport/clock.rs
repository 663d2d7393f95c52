//! Durations that can be added to a clock.

use std::time::Duration;

use tokio::time::Instant;

/// Replaces durations that overflow a clock: 30 years.
pub(crate) const FOREVER: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);

/// Returns the instant after this duration, at most [`FOREVER`].
pub(crate) fn instant_after(duration: Duration) -> Instant {
    Instant::now() + duration.min(FOREVER)
}
