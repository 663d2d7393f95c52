//! The header `Retry-After`.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::RETRY_AFTER;

/// The maximum result, 366 days: adding it to a clock never overflows.
const LONGEST: Duration = Duration::from_secs(60 * 60 * 24 * 366);

/// Reads `retry-after-ms`, in milliseconds, else `Retry-After`, in seconds or as a date; `None` if they are missing or malformed. Of several
/// headers of one name, the longest counts, up to 366 days.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let milliseconds = texts(headers, "retry-after-ms").filter_map(|text| number(text, 1000.0));
    let longest = milliseconds.max();
    longest.or_else(|| {
        let pauses = texts(headers, RETRY_AFTER.as_str());
        pauses
            .filter_map(|text| number(text, 1.0).or_else(|| date(text)))
            .max()
    })
}

fn texts<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h str> {
    let values = headers.get_all(name).into_iter();
    values.filter_map(|value| Some(value.to_str().ok()?.trim()))
}

/// Reads a whole or decimal number of units, of which a second has so many.
fn number(text: &str, per_second: f64) -> Option<Duration> {
    let is_decimal = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = text.parse().ok().filter(|_| is_decimal)?;
    let pause = Duration::try_from_secs_f64(number / per_second);
    Some(pause.map_or(LONGEST, |pause| pause.min(LONGEST)))
}

fn date(text: &str) -> Option<Duration> {
    let date = httpdate::parse_http_date(text).ok()?;
    let ahead = date.duration_since(SystemTime::now()).unwrap_or_default();
    Some(ahead.min(LONGEST))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn after(values: &[&str]) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(RETRY_AFTER, value.parse().unwrap());
        }
        retry_after(&headers)
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_and_the_longest_counts() {
        for (values, millis) in [
            (&["3"][..], Some(3_000)),
            (&[" 0 "], Some(0)),
            (&["1.5"], Some(1_500)),
            (&["7", "90", "soon"], Some(90_000)),
            (&["Wed, 21 Oct 2015 07:28:00 GMT"], Some(0)),
            (&["soon"], None),
            (&["1, 2"], None),
            (&["-1"], None),
            (&["."], None),
            (&["1e3"], None),
            (&["inf"], None),
            (&[""], None),
            (&[], None),
        ] {
            assert_eq!(
                after(values),
                millis.map(Duration::from_millis),
                "{values:?}"
            );
        }
        let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(90));
        let soon = after(&["5", &soon]).unwrap();
        assert!((85..=90).contains(&soon.as_secs()), "{soon:?}");
    }

    #[test]
    fn milliseconds_count_before_seconds() {
        for (millis, expected) in [
            ("1500", Some(1_500)),
            ("0.0", Some(0)),
            ("70000", Some(70_000)),
            ("soon", Some(3_000)),
            ("-1", Some(3_000)),
            ("99999999999999999999.9", Some(31_622_400_000)),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, "3".parse().unwrap());
            headers.insert("retry-after-ms", millis.parse().unwrap());
            let expected = expected.map(Duration::from_millis);
            assert_eq!(retry_after(&headers), expected, "{millis}");
        }
    }

    #[test]
    fn an_absurd_retry_after_is_capped_and_does_not_overflow_a_clock() {
        for value in [
            "18446744073709551615",
            "99999999999999999999999.999",
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ] {
            let hint = after(&[value]).unwrap();
            assert_eq!(hint, LONGEST, "{value}");
            assert!(Instant::now().checked_add(hint).is_some());
            assert!(SystemTime::now().checked_add(hint).is_some());
        }
    }
}
