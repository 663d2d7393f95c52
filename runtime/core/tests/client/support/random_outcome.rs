//! Random outcomes of an attempt: from a response in time to a panic, billed or not.

use std::time::Duration;

use generated_client::Credits;
use generated_client::error::TransportErrorKind;

/// How an attempt ends, decided before it begins.
pub(crate) struct RandomOutcome {
    pub(crate) delay: Duration,
    pub(crate) billed: bool,
    pub(crate) ending: Ending,
}

pub(crate) enum Ending {
    Fails(TransportErrorKind),
    Responds(u16, Option<u64>, String),
    Panics,
}

/// Returns an outcome for an operation of this price, in micros. `greedy`: billed, in full and at once, where a client cannot know.
pub(crate) fn random_outcome(price: u64, greedy: bool) -> RandomOutcome {
    use Ending::{Fails, Panics, Responds};
    let whole = Credits::from_micros(price);
    // Sometimes less than the price.
    let charge = if greedy || fastrand::bool() {
        whole
    } else {
        Credits::ZERO
    };
    let report = format!(r#"{{"data": [1, 2], "cost": {charge}, "more": "text"}}"#);
    let cut = report
        .get(..fastrand::usize(..report.len()))
        .unwrap_or_default()
        .to_owned();
    let lost = [
        TransportErrorKind::Timeout,
        TransportErrorKind::Body,
        TransportErrorKind::Other,
    ];
    let after = [None, Some(0), Some(1), Some(7), Some(30), Some(90)];
    let after = after[fastrand::usize(..after.len())];
    let is_charged = charge > Credits::ZERO;
    let maybe = greedy || fastrand::bool();
    let (billed, ending) = match fastrand::u8(..40) {
        0..=15 => (is_charged, Responds(200, None, report)),
        // A report cut off before the charge is at risk, charged or not.
        16..=18 => (is_charged, Responds(200, None, cut)),
        19 => (maybe, Responds(200, None, "\u{fffd}garbage".to_owned())),
        20..=22 => (
            false,
            Responds(429, after.filter(|after| *after < 60), String::new()),
        ),
        // Long enough for the client to turn everybody away for a while.
        23 if fastrand::u8(..8) == 0 => (false, Responds(429, after, String::new())),
        24 => (
            is_charged,
            Responds(429, after.filter(|after| *after < 60), report),
        ),
        25 => (false, Responds(503, after.or(Some(2)), String::new())),
        26 => (is_charged, Responds(503, after, report)),
        27 => (maybe, Responds(503, None, "<html>".to_owned())),
        28 => (
            maybe,
            Responds(500 + fastrand::u16(..5), None, String::new()),
        ),
        29 => (is_charged, Responds(500, after, report)),
        30 => (
            false,
            Responds(401 + 2 * fastrand::u16(..2), after, String::new()),
        ),
        31 => (is_charged, Responds(403, None, report)),
        32 => (
            maybe,
            Responds(404 + fastrand::u16(..20), after, String::new()),
        ),
        33 => (maybe, Responds(302, after, String::new())),
        34 | 35 => (false, Fails(TransportErrorKind::Connect)),
        36 | 37 => (maybe, Fails(lost[fastrand::usize(..lost.len())])),
        _ => (maybe, Panics),
    };
    let delay = match fastrand::u8(..10) {
        0 => Duration::ZERO,
        1 => Duration::from_secs(fastrand::u64(..200)),
        _ => Duration::from_millis(fastrand::u64(..3_000)),
    };
    RandomOutcome {
        delay,
        billed,
        ending,
    }
}
