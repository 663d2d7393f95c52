//! The accepted formats of dates, parsed by hand: the crates for dates accept ambiguous ones, and each accepts others.

#[derive(Debug, PartialEq)]
pub(super) struct Parts<'a> {
    pub(super) day: (i32, u8, u8),
    /// `HH:MM`, `HH:MM:SS`, or the latter with up to nine decimals.
    pub(super) time: Option<&'a str>,
    pub(super) offset_minutes: Option<i32>,
}

impl<'a> Parts<'a> {
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let (date, rest) = text.split_at_checked("YYYY-MM-DD".len())?;
        let day = day(date)?;
        if rest.is_empty() {
            return Some(Self {
                day,
                time: None,
                offset_minutes: None,
            });
        }
        let rest = rest.strip_prefix(['T', ' '])?;
        let zone_starts = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
        let (time, zone) = rest.split_at_checked(zone_starts)?;
        let offset_minutes = match zone {
            "" => None,
            zone => Some(offset(zone)?),
        };
        Some(Self {
            day,
            time: Some(time_of_day(time)?),
            offset_minutes,
        })
    }
}

fn day(text: &str) -> Option<(i32, u8, u8)> {
    let (year, month_and_day) = text.split_once('-')?;
    let (month, day) = month_and_day.split_once('-')?;
    let (century, year) = year.split_at_checked(2)?;
    let year = i32::from(two_digits(century, 99)?) * 100 + i32::from(two_digits(year, 99)?);
    let month = two_digits(month, 12)?;
    let day = two_digits(day, days_in(year, month)?)?;
    (day > 0).then_some((year, month, day))
}

fn days_in(year: i32, month: u8) -> Option<u8> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if is_leap { 29 } else { 28 }),
        _ => None,
    }
}

/// Returns the string, without the decimals after the ninth.
fn time_of_day(text: &str) -> Option<&str> {
    let (clock, decimals) = match text.split_once('.') {
        Some((clock, decimals)) => (clock, Some(decimals)),
        None => (text, None),
    };
    let mut fields = clock.split(':');
    two_digits(fields.next()?, 23)?;
    two_digits(fields.next()?, 59)?;
    let second = fields.next();
    if let Some(second) = second {
        // 60 is a leap second.
        two_digits(second, 60)?;
    }
    let decimals_are_sound = decimals.is_none_or(|decimals| {
        second.is_some() && !decimals.is_empty() && decimals.bytes().all(|b| b.is_ascii_digit())
    });
    let is_sound = fields.next().is_none() && decimals_are_sound;
    is_sound.then(|| text.get(.."HH:MM:SS.123456789".len()).unwrap_or(text))
}

/// Parses `Z`, `+HH:MM`, `+HHMM` or `+HH`, in minutes.
fn offset(zone: &str) -> Option<i32> {
    if zone == "Z" {
        return Some(0);
    }
    let (sign, zone) = match zone.strip_prefix('-') {
        Some(zone) => (-1, zone),
        None => (1, zone.strip_prefix('+')?),
    };
    let (hours, minutes) = zone.split_at_checked(2)?;
    let minutes = match minutes {
        "" => 0,
        minutes => two_digits(minutes.strip_prefix(':').unwrap_or(minutes), 59)?,
    };
    Some(sign * (i32::from(two_digits(hours, 23)?) * 60 + i32::from(minutes)))
}

/// Parses a number of exactly two digits with a maximum.
fn two_digits(text: &str, greatest: u8) -> Option<u8> {
    if text.len() != 2 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().filter(|number| *number <= greatest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_accepted() {
        for (text, expected) in [
            ("2024-05-06", Some((2024, 5, 6))),
            ("0000-01-01", Some((0, 1, 1))),
            ("9999-12-31", Some((9999, 12, 31))),
            ("2024-01-31", Some((2024, 1, 31))),
            ("2024-04-30", Some((2024, 4, 30))),
            ("2024-02-29", Some((2024, 2, 29))),
            ("2000-02-29", Some((2000, 2, 29))),
            ("2023-02-29", None),
            ("1900-02-29", None),
            ("2024-02-30", None),
            ("2024-04-31", None),
            ("2024-00-01", None),
            ("2024-13-01", None),
            ("2024-01-00", None),
            ("2024-01-32", None),
            ("2024-1-1", None),
            ("24-01-01", None),
            ("+024-01-01", None),
            ("2024/01/01", None),
            ("06.05.2024", None),
            ("20240506", None),
            ("2024-05", None),
            ("2024-W19-1", None),
            ("2024-127", None),
            ("2024-05-0６", None),
            ("12024-05-06", None),
        ] {
            let parts = Parts::read(text);
            assert_eq!(parts.as_ref().map(|parts| parts.day), expected, "{text}");
            assert!(parts.is_none_or(|parts| parts.time.is_none()), "{text}");
        }
    }

    #[test]
    fn only_times_of_a_clock_are_accepted() {
        for (text, time, offset_minutes) in [
            ("T07:08", "07:08", None),
            (" 07:08", "07:08", None),
            ("T00:00:00", "00:00:00", None),
            ("T23:59:60", "23:59:60", None),
            ("T07:08:09.1", "07:08:09.1", None),
            ("T07:08:09.123456789", "07:08:09.123456789", None),
            ("T07:08:09.12345678987", "07:08:09.123456789", None),
            ("T07:08Z", "07:08", Some(0)),
            ("T07:08:09.5Z", "07:08:09.5", Some(0)),
            ("T07:08:09+02:00", "07:08:09", Some(120)),
            ("T07:08:09-0330", "07:08:09", Some(-210)),
            (" 07:08:09+00", "07:08:09", Some(0)),
            ("T07:08-00:30", "07:08", Some(-30)),
            ("T07:08+23:59", "07:08", Some(1439)),
        ] {
            let text = format!("2024-05-06{text}");
            let expected = Parts {
                day: (2024, 5, 6),
                time: Some(time),
                offset_minutes,
            };
            assert_eq!(Parts::read(&text), Some(expected), "{text}");
        }
    }

    #[test]
    fn an_invalid_time_invalidates_the_date() {
        for rest in [
            "T",
            " ",
            "Z",
            "+02:00",
            "t07:08",
            "_07:08",
            "  07:08",
            "T07",
            "T0708",
            "T7:08",
            "T07:8",
            "T07:08:",
            "T07:08:9",
            "T07:08:09:10",
            "T07:08.5",
            "T07:08:09.",
            "T07:08:09,5",
            "T07:08:09.5x",
            "T24:00",
            "T23:60",
            "T23:59:61",
            "T07:08 PM",
            "T07:08z",
            "T07:08ZZ",
            "T07:08Z+02:00",
            "T07:08 Z",
            "T07:08 +02:00",
            "T07:08UTC",
            "T07:08+",
            "T07:08+2",
            "T07:08+02:",
            "T07:08+02:0",
            "T07:08+02:60",
            "T07:08+24:00",
            "T07:08+020000",
            "T07:08+02:00[Europe/Berlin]",
            "T07:08−02:00",
        ] {
            let text = format!("2024-05-06{rest}");
            assert_eq!(Parts::read(&text), None, "{text}");
        }
    }
}
