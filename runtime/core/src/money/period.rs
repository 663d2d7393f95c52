//! Periods after which the sums of an account or a journal restart.

use std::fmt;
use std::sync::Arc;

/// A period of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Its name, such as `2026-11-22`.
    pub name: String,
    /// Its first millisecond, since 1970.
    pub from: u64,
    /// The first millisecond after it.
    pub until: u64,
}

#[cfg(feature = "redis")]
impl Window {
    pub(crate) fn has(&self, now: u64) -> bool {
        (self.from..self.until).contains(&now)
    }
}

/// A day, a month, or another span of time after which the sums of an account or a journal restart at zero.
///
/// The clock of the store decides when that is; for a journal, that of the machine.
#[derive(Clone)]
pub struct Period {
    window: Arc<dyn Fn(u64) -> Window + Send + Sync>,
}

impl Period {
    /// Defines a custom period. `window` returns the window that contains a time, in milliseconds since 1970.
    ///
    /// All processes of an account must agree on it. Windows of different names must not overlap.
    ///
    /// ```
    /// use generated_client::money::{Period, Window};
    ///
    /// const HOUR: u64 = 3_600_000;
    /// let hourly = Period::new(|now| {
    ///     let hour = now / HOUR;
    ///     Window { name: hour.to_string(), from: hour * HOUR, until: (hour + 1) * HOUR }
    /// });
    /// # let _ = hourly;
    /// ```
    pub fn new(window: impl Fn(u64) -> Window + Send + Sync + 'static) -> Self {
        Self {
            window: Arc::new(window),
        }
    }

    pub(crate) fn window(&self, now: u64) -> Window {
        (self.window)(now)
    }
}

impl fmt::Debug for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Period").finish_non_exhaustive()
    }
}

#[cfg(feature = "periods")]
mod civil {
    use jiff::civil::Date;
    use jiff::tz::TimeZone;
    use jiff::{Timestamp, ToSpan, Zoned};

    use super::{Period, Window};

    impl Period {
        /// Days in this time zone, from midnight to midnight.
        ///
        /// ```
        /// use generated_client::money::Period;
        ///
        /// let daily = Period::daily(jiff::tz::TimeZone::get("Europe/Berlin")?);
        /// # let _ = daily;
        /// # Ok::<(), jiff::Error>(())
        /// ```
        pub fn daily(zone: TimeZone) -> Self {
            Self::calendar(zone, |date| (date, date.checked_add(1.day())), "%Y-%m-%d")
        }

        /// Months in this time zone, from midnight of their first day.
        ///
        /// ```
        /// use generated_client::money::Period;
        ///
        /// let monthly = Period::monthly(jiff::tz::TimeZone::UTC);
        /// # let _ = monthly;
        /// ```
        pub fn monthly(zone: TimeZone) -> Self {
            Self::calendar(
                zone,
                |date| {
                    let first = date.first_of_month();
                    (first, first.checked_add(1.month()))
                },
                "%Y-%m",
            )
        }

        fn calendar(
            zone: TimeZone,
            span: impl Fn(Date) -> (Date, Result<Date, jiff::Error>) + Send + Sync + 'static,
            name: &'static str,
        ) -> Self {
            Self::new(move |now| {
                let (first, next) = span(at(now, &zone).date());
                let until = next.ok().and_then(|next| begin(next, &zone));
                Window {
                    name: first.strftime(name).to_string(),
                    from: begin(first, &zone).unwrap_or(0),
                    until: until.unwrap_or(u64::MAX),
                }
            })
        }
    }

    /// Returns when a day begins; `None` beyond the calendar, and before 1970.
    fn begin(date: Date, zone: &TimeZone) -> Option<u64> {
        let begin = date.to_zoned(zone.clone()).ok()?;
        u64::try_from(begin.timestamp().as_millisecond()).ok()
    }

    /// Converts a time; one beyond the calendar becomes its last one.
    fn at(now: u64, zone: &TimeZone) -> Zoned {
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        Timestamp::from_millisecond(now)
            .unwrap_or(Timestamp::MAX)
            .to_zoned(zone.clone())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn window(period: &Period, now: &str) -> [String; 3] {
            let now: Timestamp = now.parse().unwrap();
            let window = period.window(now.as_millisecond().try_into().unwrap());
            let at = |at: u64| {
                Timestamp::from_millisecond(at.try_into().unwrap())
                    .unwrap()
                    .to_string()
            };
            [window.name, at(window.from), at(window.until)]
        }

        #[test]
        fn days_and_months_begin_at_midnight_of_their_zone() {
            let berlin = TimeZone::get("Europe/Berlin").unwrap();
            for (period, now, expected) in [
                (
                    Period::daily(TimeZone::UTC),
                    "2026-11-22T23:59:59.999Z",
                    ["2026-11-22", "2026-11-22T00:00:00Z", "2026-11-23T00:00:00Z"],
                ),
                (
                    Period::daily(berlin.clone()),
                    "2026-11-22T23:00:00Z",
                    ["2026-11-23", "2026-11-22T23:00:00Z", "2026-11-23T23:00:00Z"],
                ),
                // The clocks change: a day of 23 hours, and one of 25.
                (
                    Period::daily(berlin.clone()),
                    "2026-03-29T12:00:00Z",
                    ["2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
                ),
                (
                    Period::daily(berlin.clone()),
                    "2026-10-25T12:00:00Z",
                    ["2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
                ),
                (
                    Period::monthly(berlin),
                    "2026-12-31T22:59:59Z",
                    ["2026-12", "2026-11-30T23:00:00Z", "2026-12-31T23:00:00Z"],
                ),
            ] {
                assert_eq!(window(&period, now), expected, "{now}");
            }
            let beyond = Period::daily(TimeZone::UTC).window(u64::MAX);
            assert!(beyond.from < beyond.until, "{beyond:?}");
        }
    }
}
