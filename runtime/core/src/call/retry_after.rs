//! The header `Retry-After`.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::RETRY_AFTER;

/// The maximum result, 366 days: adding it to a clock never overflows.
pub(super) const LONGEST: Duration = Duration::from_secs(60 * 60 * 24 * 366);

/// Reads `retry-after-ms`, in milliseconds, else `Retry-After`, in seconds or as a date; `None` if they are missing or malformed. Of several
/// values or headers of one name, the longest counts, up to 366 days.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let exact = headers.get_all("retry-after-ms").iter();
    let exact = exact.filter_map(|value| millis(value.to_str().ok()?.trim()));
    if let Some(exact) = exact.max() {
        return Some(exact);
    }
    let values = headers.get_all(RETRY_AFTER).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    values.filter_map(of_value).max()
}

fn of_value(value: &str) -> Option<Duration> {
    let parts: Vec<&str> = value.split(',').collect();
    let single = parts.iter().filter_map(|part| seconds(part.trim()));
    // A date contains a comma, too.
    let dates = parts.windows(2).filter_map(|pair| match pair {
        [day, rest] => date(&format!("{},{rest}", day.trim())),
        _ => None,
    });
    let whole = date(value.trim());
    single.chain(dates).chain(whole).max()
}

/// Whole or decimal milliseconds.
fn millis(text: &str) -> Option<Duration> {
    seconds(text)?;
    let whole = text.split('.').next()?.parse();
    Some(Duration::from_millis(whole.unwrap_or(u64::MAX)).min(LONGEST))
}

/// Whole or decimal seconds.
pub(super) fn seconds(text: &str) -> Option<Duration> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    // A number above 64 bits counts as the maximum.
    let whole = Duration::from_secs(whole.parse().unwrap_or(u64::MAX)).min(LONGEST);
    let millis = format!("{fraction:0<3}");
    let millis = millis.get(..3).and_then(|millis| millis.parse().ok());
    Some((whole + Duration::from_millis(millis.unwrap_or_default())).min(LONGEST))
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
            (&["0.0009"], Some(0)),
            (&["1, 3600"], Some(3_600_000)),
            (&["3600, soon"], Some(3_600_000)),
            (&["7", "90", "soon"], Some(90_000)),
            (&["Wed, 21 Oct 2015 07:28:00 GMT"], Some(0)),
            (&["20, Wed, 21 Oct 2015 07:28:00 GMT"], Some(20_000)),
            (&["soon"], None),
            (&["-1"], None),
            (&["1."], None),
            (&[".5"], None),
            (&["1e3"], None),
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
            ("0.5", Some(0)),
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
