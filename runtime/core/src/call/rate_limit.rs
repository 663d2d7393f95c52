//! When a rate limit that a service describes is over: the fields `RateLimit` and `RateLimit-Policy` of the IETF draft, and the fields
//! `RateLimit-Remaining` and `RateLimit-Reset` of its earlier versions.

use std::time::{Duration, SystemTime};

use http::HeaderMap;

use super::retry_after::{LONGEST, seconds};

/// How long until the limits that are used up start again, the longest of several; `None` where none is, or the response does not say. At
/// most 366 days.
pub(crate) fn reset(headers: &HeaderMap) -> Option<Duration> {
    let limits = list(headers, "ratelimit");
    let policies = list(headers, "ratelimit-policy");
    let used_up = limits
        .iter()
        .filter(|limit| limit.value_of("r") == Some("0"));
    let resets = used_up.filter_map(|limit| {
        // A limit without a time starts again within the window of its policy.
        let policy = || policies.iter().find(|policy| policy.name == limit.name);
        let time = limit.value_of("t");
        seconds(time.or_else(|| policy()?.value_of("w"))?)
    });
    resets.max().or_else(|| earlier(headers))
}

fn earlier(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| Some(headers.get(name)?.to_str().ok()?.trim());
    // Without a number of requests that remain, the limit is that of this response.
    if text("ratelimit-remaining").is_some_and(|remaining| remaining != "0") {
        return None;
    }
    let reset = seconds(text("ratelimit-reset")?)?;
    if reset < LONGEST {
        return Some(reset);
    }
    // A date, in seconds since 1970.
    let at = Duration::from_secs(text("ratelimit-reset")?.parse().ok()?);
    let at = SystemTime::UNIX_EPOCH.checked_add(at)?;
    let ahead = at.duration_since(SystemTime::now()).unwrap_or_default();
    Some(ahead.min(LONGEST))
}

/// An item of a list of structured fields: a name with parameters. What is malformed has none.
#[derive(Debug)]
struct Item {
    name: String,
    parameters: Vec<(String, String)>,
}

impl Item {
    fn value_of(&self, name: &str) -> Option<&str> {
        let mut parameters = self.parameters.iter();
        let (_, value) = parameters.find(|(of, _)| of == name)?;
        Some(value)
    }
}

fn list(headers: &HeaderMap, name: &str) -> Vec<Item> {
    let values = headers.get_all(name).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    let items = values.flat_map(|value| split(value, ','));
    items
        .map(|item| {
            let mut parts = split(item, ';').into_iter().map(str::trim);
            let name = parts.next().unwrap_or_default().trim_matches('"');
            let parameters = parts.filter_map(|part| part.split_once('='));
            Item {
                name: name.to_owned(),
                parameters: parameters
                    .map(|(name, value)| (name.to_owned(), value.to_owned()))
                    .collect(),
            }
        })
        .collect()
}

/// The parts between separators that stand in no quotation.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut is_quoted = false;
    let parts = text.split(|c: char| {
        is_quoted ^= c == '"';
        c == separator && !is_quoted
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fields: &[(&'static str, &str)]) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, value.parse().unwrap());
        }
        reset(&headers)
    }

    #[test]
    fn the_longest_limit_that_is_used_up_counts() {
        let policy = (
            "ratelimit-policy",
            r#""burst";q=10;w=1, "a,b;c";q=100;w=60"#,
        );
        #[rustfmt::skip]
        let table = [
            (&[("ratelimit", r#""a";r=0;t=30"#)][..], Some(30)),
            (&[("ratelimit", r#""a";r=50;t=30"#)], None),
            (&[("ratelimit", r#""a";r=0;t=3, "b";r=0;t=9, "c";r=1;t=99"#)], Some(9)),
            (&[("ratelimit", r#""a";r=0;t=3"#), ("ratelimit", r#""b";r=0;t=9"#)], Some(9)),
            (&[("ratelimit", r#""a,b;c";r=0"#), policy], Some(60)),
            (&[("ratelimit", r#""burst";r=0;t=0"#), policy], Some(0)),
            (&[("ratelimit", r#""other";r=0"#), policy], None),
            (&[policy], None),
            (&[("ratelimit-remaining", "0"), ("ratelimit-reset", "7")], Some(7)),
            (&[("ratelimit-remaining", "3"), ("ratelimit-reset", "7")], None),
            (&[("ratelimit-reset", "7")], Some(7)),
            (&[("ratelimit-reset", "1000000001")], Some(0)),
            (&[("ratelimit-remaining", "0")], None),
            (&[("ratelimit", "\"a;r=0;t=3"), ("ratelimit-reset", "soon")], None),
            (&[], None),
        ];
        for (fields, seconds) in table {
            assert_eq!(of(fields), seconds.map(Duration::from_secs), "{fields:?}");
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let soon = (now.unwrap().as_secs() + 90).to_string();
        let soon = of(&[("ratelimit-reset", &soon)]).unwrap();
        assert!((85..=90).contains(&soon.as_secs()), "{soon:?}");
        for absurd in ["99999999999999999999999", "18446744073709551615"] {
            assert!(of(&[("ratelimit-reset", absurd)]).is_none_or(|reset| reset <= LONGEST));
        }
    }
}
