//! Constants shared by the workers of a storm and its test.

use company_intel::Credits;
use company_intel::account::{Period, Window};

/// The highest price of a call.
pub const HIGHEST: Credits = Credits::new(4);

/// Returns periods of ten minutes, one of which begins at this time.
///
/// A worker whose clock is off by more requests another period first.
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
