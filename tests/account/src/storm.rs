//! What the workers of a storm and its test must agree on.

use company_intel::Credits;
use company_intel::account::{Period, Window};

/// What a worker with slices draws at a time.
pub const SLICE: Credits = Credits::new(20);

/// The highest price of a call.
pub const HIGHEST: Credits = Credits::new(4);

/// Periods of ten minutes, of which one begins at this time.
///
/// A worker whose clock is off by more asks for another period first.
pub fn ten_minutes(begin: u64) -> Period {
    const LENGTH: u64 = 600_000;
    Period::new(move |now| {
        let from = now - (now.saturating_sub(begin % LENGTH)) % LENGTH;
        Window {
            name: from.to_string(),
            from,
            until: from + LENGTH,
        }
    })
}
