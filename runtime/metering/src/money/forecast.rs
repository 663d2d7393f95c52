//! Forecasts when a limit is reached, from the usage between two moments.

use std::time::Duration;

use crate::money::credits::Credits;
use crate::money::ledger::Usage;

const HOUR: u128 = 3600 * 1_000_000_000;

/// How fast credits are used, and when a limit is reached at this rate; see [`Usage::forecast`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forecast {
    /// The credits used per hour, rounded up: spent or at risk.
    pub per_hour: Credits,
    /// The time until nothing is left; `None` without a limit or without usage, and beyond 500 years.
    pub reached_in: Option<Duration>,
}

impl Usage {
    /// Compares the usage with that of the same ledger or account `passed` ago.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use metered_client::money::{Forecast, Usage};
    /// use metered_client::{Credits, Ledger};
    ///
    /// fn warn(ledger: &Ledger, a_minute_ago: &Usage) {
    ///     let forecast: Forecast = ledger.usage().forecast(a_minute_ago, Duration::from_secs(60));
    ///     if forecast.reached_in.is_some_and(|left| left < Duration::from_secs(3600)) {
    ///         eprintln!("{} credits an hour: the budget lasts for {:?}", forecast.per_hour, forecast.reached_in);
    ///     }
    /// }
    /// # warn(&Ledger::unlimited(), &Usage::default());
    /// ```
    #[must_use]
    pub fn forecast(&self, before: &Self, passed: Duration) -> Forecast {
        let used = self.used().saturating_sub(before.used());
        let passed = passed.as_nanos().max(1);
        let per_hour = used.saturating_mul(HOUR).div_ceil(passed);
        let reached_in = || {
            let left = u128::from(self.limit?.micros()).saturating_sub(self.used());
            let nanos = left.checked_mul(passed)?.checked_div(used)?;
            Some(Duration::from_nanos(u64::try_from(nanos).ok()?))
        };
        Forecast {
            per_hour: Credits::from_micros(u64::try_from(per_hour).unwrap_or(u64::MAX)),
            reached_in: reached_in(),
        }
    }

    /// Returns whether this part of a limit is spent or at risk.
    pub(crate) fn has_used(&self, percent: u8) -> bool {
        self.limit.is_some_and(|limit| {
            let part = u128::from(limit.micros()).saturating_mul(percent.into());
            limit > Credits::ZERO && self.used().saturating_mul(100) >= part
        })
    }

    /// Returns the credits spent or at risk, in millionths.
    fn used(&self) -> u128 {
        u128::from(self.spent.micros()).saturating_add(self.at_risk.micros().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(limit: Option<u64>, spent: u64, at_risk: u64) -> Usage {
        Usage {
            limit: limit.map(Credits::from_micros),
            spent: Credits::from_micros(spent),
            at_risk: Credits::from_micros(at_risk),
            reserved: Credits::from_micros(99),
            ..Usage::default()
        }
    }

    #[test]
    fn a_forecast_goes_on_as_it_was_between_two_moments() {
        for (limit, before, now, seconds, per_hour, reached_in) in [
            (Some(100), (0, 0), (10, 0), 60, 600, Some(540)),
            (Some(100), (10, 5), (20, 5), 3600, 10, Some(27_000)),
            // Settled credits stay used.
            (Some(100), (10, 5), (15, 0), 60, 0, None),
            (Some(100), (10, 5), (10, 0), 60, 0, None),
            (Some(100), (0, 0), (100, 7), 60, 6420, Some(0)),
            (None, (0, 0), (1, 0), 7200, 1, None),
            (Some(u64::MAX), (0, 0), (1, 0), 3600, 1, None),
            (
                Some(100),
                (0, 0),
                (u64::MAX, u64::MAX),
                0,
                u64::MAX,
                Some(0),
            ),
        ] {
            let before = usage(limit, before.0, before.1);
            let now = usage(limit, now.0, now.1);
            let forecast = now.forecast(&before, Duration::from_secs(seconds));
            let expected = Forecast {
                per_hour: Credits::from_micros(per_hour),
                reached_in: reached_in.map(Duration::from_secs),
            };
            assert_eq!(forecast, expected, "{before:?} {now:?}");
        }
    }

    #[test]
    fn a_part_of_a_limit_is_used_when_it_is_spent_or_at_risk() {
        for (limit, spent, at_risk, percent, is_used) in [
            (Some(100), 79, 0, 80, false),
            (Some(100), 70, 10, 80, true),
            (Some(100), 200, 0, 100, true),
            (Some(3), 2, 0, 66, true),
            (Some(3), 2, 0, 67, false),
            (Some(0), 0, 0, 80, false),
            (None, 9, 0, 80, false),
            (Some(u64::MAX), u64::MAX, 0, 100, true),
        ] {
            let usage = usage(limit, spent, at_risk);
            assert_eq!(usage.has_used(percent), is_used, "{usage:?} {percent}");
        }
    }
}
