//! The notation of faults on the command line.

use anyhow::{Context, Error, Result, bail, ensure};

use super::fault::{Fault, Kind};

/// The kinds of fault, for messages.
const KINDS: &str =
    "a status, as 503, or one of redirect, reset, truncated, invalid, html, gzip, drip, slow";

/// Parses `429x2,retry-after:3`: kind, number of calls, and options.
impl std::str::FromStr for Fault {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut parts = text.split(',').map(str::trim);
        let (kind, times) = what(parts.next().unwrap_or_default())?;
        let mut fault = Fault::new(kind);
        for part in parts {
            let (name, value) = part.split_once(':').unwrap_or((part, ""));
            let read = || format!("`{part}` in `{text}`");
            fault = match name {
                "billed" => fault.billed(),
                "delay" => fault.delay(humantime::parse_duration(value).with_context(read)?),
                "retry-after" => fault.retry_after(value.parse().with_context(read)?),
                "rate" => {
                    let rate: f64 = value.parse().with_context(read)?;
                    ensure!(
                        (0.0..=1.0).contains(&rate),
                        "{} is not a share from 0 to 1",
                        read()
                    );
                    fault.rate(rate)
                }
                _ => bail!(
                    "{} is invalid: expected billed, delay:250ms, retry-after:3 or rate:0.1",
                    read()
                ),
            };
        }
        Ok(match times {
            Some("*") => fault.always(),
            Some(times) => fault.times(times.parse().with_context(|| format!("`{text}`"))?),
            None => fault,
        })
    }
}

/// Parses `429x2`: a kind, and a number of calls; `x*` is for all.
fn what(text: &str) -> Result<(Kind, Option<&str>)> {
    let (name, times) = match text.rsplit_once('x') {
        Some((name, times)) if times == "*" || times.parse::<u32>().is_ok() => (name, Some(times)),
        _ => (text, None),
    };
    let kind = match name {
        "redirect" => Kind::Redirect,
        "reset" => Kind::Reset,
        "truncated" => Kind::Truncated,
        "invalid" => Kind::Invalid,
        "html" => Kind::Html,
        "gzip" => Kind::Gzip,
        "drip" => Kind::Drip,
        "slow" => Kind::Slow,
        status => Kind::Status(
            status
                .parse()
                .with_context(|| format!("`{text}` is not {KINDS}"))?,
        ),
    };
    Ok((kind, times))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_fault_is_read_as_it_is_written() {
        let second = Duration::from_secs(1);
        for (text, fault) in [
            ("429", Fault::status(429)),
            (
                "429x2,retry-after:3",
                Fault::status(429).times(2).retry_after(3),
            ),
            ("500x*", Fault::status(500).always()),
            ("reset,billed", Fault::reset().billed()),
            ("503, rate:0.25", Fault::status(503).rate(0.25)),
            ("slowx3,delay:1s", Fault::slow(second).times(3)),
            ("drip,delay:1s", Fault::drip(second)),
            ("503x2,rate:0.25", Fault::status(503).rate(0.25).times(2)),
            ("html", Fault::html()),
            ("redirectx2", Fault::redirect().times(2)),
        ] {
            assert_eq!(text.parse::<Fault>().unwrap(), fault, "{text}");
        }
    }

    #[test]
    fn what_is_no_fault_says_why() {
        for (text, why) in [
            ("", "`` is not a status"),
            ("teapot", "`teapot` is not a status"),
            ("99999", "`99999` is not a status"),
            ("429,delay:soon", "`delay:soon` in `429,delay:soon`"),
            ("429,rate:2", "not a share from 0 to 1"),
            ("429,again", "expected billed"),
            ("429,retry-after:", "`retry-after:`"),
        ] {
            let error = text.parse::<Fault>().unwrap_err();
            assert!(format!("{error:#}").contains(why), "{text}: {error:#}");
        }
    }
}
