//! Stored responses, and the options that say which are used.

use std::path::Path;
use std::time::Duration;

use clap::{Arg, ArgMatches, value_parser};
use generated_client::cache::Cache;
use generated_client::request::CacheControl;

use crate::ended::Ended;
use crate::options::{flag, value};

/// Returns the options.
pub(crate) fn options() -> [Arg; 4] {
    [
        value(
            "cache",
            "FILE",
            "Keep responses in this SQLite file, and answer the same call from it while they are fresh: nothing is sent, and nothing is paid. Several runs may use it at once",
        ),
        value(
            "max-age",
            "AGE",
            "How old a stored response may be, such as 30d, 12h or 90s, instead of what the help of the operation says",
        )
        .value_parser(value_parser!(Age))
        .requires("cache"),
        flag("refresh", "Make the calls, and replace stored responses").requires("cache"),
        flag(
            "only-if-cached",
            "Send nothing: a call without a fresh stored response fails",
        )
        .requires("cache")
        .conflicts_with("refresh"),
    ]
}

/// Opens the file, if one is given. A dry run makes none.
pub(crate) fn open(given: &ArgMatches) -> Result<Option<Cache>, Ended> {
    let Some(path) = given.try_get_one::<String>("cache").ok().flatten() else {
        return Ok(None);
    };
    let is_dry = given.try_get_one::<bool>("dry-run").ok().flatten() == Some(&true);
    let cache = if is_dry && !Path::new(path).exists() {
        Cache::in_memory()
    } else {
        Cache::open(path).map_err(|error| Ended::Usage(error.to_string()))?
    };
    Ok(Some(match max_age(given) {
        Some(age) => cache.max_age(age),
        None => cache,
    }))
}

fn max_age(given: &ArgMatches) -> Option<Duration> {
    let age = given.try_get_one::<Age>("max-age").ok().flatten();
    age.map(|age| age.0)
}

/// Returns how calls use stored responses.
pub(crate) fn control(given: &ArgMatches) -> CacheControl {
    let is_given = |name| given.try_get_one::<bool>(name).ok().flatten() == Some(&true);
    let mut control = CacheControl::default();
    control.max_age = max_age(given);
    control.is_refreshed = is_given("refresh");
    control.is_only = is_given("only-if-cached");
    control
}

/// A time span, such as `30d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Age(Duration);

impl std::str::FromStr for Age {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "expected a number and a unit: d, h, m or s, such as 30d";
        let (count, unit) = text
            .split_at_checked(text.len().saturating_sub(1))
            .ok_or(WRONG)?;
        let seconds = match unit {
            "d" => 86_400,
            "h" => 3600,
            "m" => 60,
            "s" => 1,
            _ => return Err(WRONG),
        };
        let count: u64 = count.parse().map_err(|_| WRONG)?;
        let seconds = count.checked_mul(seconds).ok_or(WRONG)?;
        Ok(Self(Duration::from_secs(seconds)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_a_number_and_a_unit() {
        for (text, seconds) in [
            ("30d", Some(2_592_000)),
            ("12h", Some(43_200)),
            ("5m", Some(300)),
            ("0s", Some(0)),
            ("30", None),
            ("d", None),
            ("-1d", None),
            ("", None),
            ("3é", None),
            ("999999999999999999d", None),
        ] {
            let age = text.parse::<Age>().ok().map(|age| age.0.as_secs());
            assert_eq!(age, seconds, "{text}");
        }
    }
}
