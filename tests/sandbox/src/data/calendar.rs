//! Dates counted back from a fixed day. Nothing reads a clock, so that the same request gives the same bytes on any day.

/// Days from 1970-01-01 to the last day of the data, 2025-06-30.
const LAST_DAY: i64 = 20_269;

/// Returns the date `back` days before the last day, as YYYY-MM-DD.
pub(crate) fn day(back: u64) -> String {
    let days = LAST_DAY.saturating_sub(i64::try_from(back).unwrap_or(LAST_DAY));
    // The proleptic Gregorian calendar with years that begin in March, so that the leap day is the last of a year.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Returns the first of the month `back` months before the last one, as YYYY-MM-DD.
pub(super) fn month(back: u64) -> String {
    let months = (2025 * 12 + 5_u64).saturating_sub(back);
    format!("{:04}-{:02}-01", months / 12, months % 12 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_months_are_counted_back_over_the_ends_of_years() {
        for (back, date) in [
            (0, "2025-06-30"),
            (30, "2025-05-31"),
            (181, "2024-12-31"),
            (487, "2024-02-29"),
            (488, "2024-02-28"),
        ] {
            assert_eq!(day(back), date, "{back}");
        }
        for (back, date) in [(0, "2025-06-01"), (5, "2025-01-01"), (6, "2024-12-01")] {
            assert_eq!(month(back), date, "{back}");
        }
    }
}
