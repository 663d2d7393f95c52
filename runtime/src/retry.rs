//! Which attempts are made again: one table, decided by what became of the money.

use std::time::Duration;

use http::StatusCode;

use crate::call::Answer;
use crate::credits::Credits;
use crate::error::TransportErrorKind;
use crate::pace::retry_after;
use crate::report::Report;

/// When a call is attempted again after a failure.
///
/// What an attempt that ended so did to the money, and whether it is made again by default:
///
/// | ended with | money | paid call | free call |
/// |---|---|---|---|
/// | no connection, DNS or TLS failure | [not sent](crate::Outcome::NotSent) | again | again |
/// | timeout, reset, answer broke off | [unknown](crate::Outcome::Unknown) | no | again |
/// | a body that reports credits | [charged](crate::Outcome::Charged) | no | no |
/// | a body that reports something that is no amount | unknown | no | no |
/// | 2xx without a report | unknown | – | – |
/// | 429, or 503 with `Retry-After` | [rejected](crate::Outcome::Rejected) | again | again |
/// | 401, 403 | rejected | no | no |
/// | 408, 500, 502, 503, 504 | unknown | no | again |
/// | any other status | unknown | no | no |
///
/// What a body reports goes before its status; a report of zero credits leaves the last two columns to the status. A free call is one that
/// reserves nothing, of an operation whose prices are all zero and that was never charged for. At most three attempts are made, half a
/// second apart, then twice that, with jitter, or as far apart as `Retry-After` says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryPolicy {
    /// As the table says: never when it could be a second charge.
    #[default]
    Unbilled,
    /// One attempt, whatever happens.
    Never,
    /// What a free call would attempt again, a paid call does too. **It may be billed more than once**; each attempt reserves its own price.
    Always,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ending {
    Failed(TransportErrorKind),
    Answered {
        status: StatusCode,
        retry_after: Option<Duration>,
        reported: Report,
    },
}

impl Ending {
    /// `charge`: the member of a body that reports what the call cost.
    pub(crate) fn of(answer: &Answer, charge: Option<&str>) -> Self {
        match answer {
            Err(error) => Self::Failed(error.kind()),
            Ok(answer) => Self::Answered {
                status: answer.status(),
                retry_after: retry_after(answer.headers()),
                reported: charge
                    .map_or(Report::Nothing, |field| Report::read(answer.body(), field)),
            },
        }
    }

    /// What the service said about when to come back.
    pub(crate) fn retry_after(self) -> Option<Duration> {
        match self {
            Self::Answered { retry_after, .. } => retry_after,
            Self::Failed(_) => None,
        }
    }

    pub(crate) fn reported(self) -> Option<Credits> {
        match self {
            Self::Answered { reported, .. } => reported.credits(),
            Self::Failed(_) => None,
        }
    }

    pub(crate) fn is_too_many_requests(self) -> bool {
        matches!(self, Self::Answered { status, .. } if status == StatusCode::TOO_MANY_REQUESTS)
    }
}

/// What an attempt did to the money that was reserved for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Money {
    NotSent,
    Rejected,
    Charged(Credits),
    AtRisk,
}

/// Whether an attempt is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    Yes,
    IfFree,
    No,
}

/// The table.
pub(crate) fn rule(ending: Ending) -> (Money, Again) {
    let (status, retry_after, reported) = match ending {
        Ending::Failed(TransportErrorKind::Connect) => return (Money::NotSent, Again::Yes),
        Ending::Failed(_) => return (Money::AtRisk, Again::IfFree),
        Ending::Answered {
            status,
            retry_after,
            reported,
        } => (status, retry_after, reported),
    };
    let (money, again) = match status.as_u16() {
        200..=299 => (Money::AtRisk, Again::No),
        429 => (Money::Rejected, Again::Yes),
        503 if retry_after.is_some() => (Money::Rejected, Again::Yes),
        401 | 403 => (Money::Rejected, Again::No),
        408 | 500 | 502 | 503 | 504 => (Money::AtRisk, Again::IfFree),
        _ => (Money::AtRisk, Again::No),
    };
    match reported {
        Report::Nothing => (money, again),
        Report::Unreadable => (Money::AtRisk, Again::No),
        Report::Credits(Credits::ZERO) => (Money::Charged(Credits::ZERO), again),
        Report::Credits(charge) => (Money::Charged(charge), Again::No),
    }
}

impl RetryPolicy {
    pub(crate) fn allows(self, again: Again, is_free: bool) -> bool {
        match (self, again) {
            (Self::Never, _) | (_, Again::No) => false,
            (_, Again::Yes) => true,
            (Self::Unbilled, Again::IfFree) => is_free,
            (Self::Always, Again::IfFree) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Report = Report::Nothing;
    const FIVE: Report = Report::Credits(Credits::from_micros(5));
    const ZERO: Report = Report::Credits(Credits::ZERO);

    fn answered(status: u16, retry_after: bool, reported: Report) -> Ending {
        Ending::Answered {
            status: StatusCode::from_u16(status).unwrap(),
            retry_after: retry_after.then_some(Duration::ZERO),
            reported,
        }
    }

    #[test]
    fn the_table_is_as_documented() {
        use Again::{IfFree, No, Yes};
        use Money::{AtRisk, Charged, NotSent, Rejected};
        let charge = Charged(Credits::from_micros(5));
        for (ending, money, again) in [
            (Ending::Failed(TransportErrorKind::Connect), NotSent, Yes),
            (Ending::Failed(TransportErrorKind::Timeout), AtRisk, IfFree),
            (Ending::Failed(TransportErrorKind::Body), AtRisk, IfFree),
            (Ending::Failed(TransportErrorKind::Other), AtRisk, IfFree),
            (answered(200, false, FIVE), charge, No),
            (answered(200, false, NOTHING), AtRisk, No),
            (answered(429, false, NOTHING), Rejected, Yes),
            (answered(429, false, FIVE), charge, No),
            (answered(503, true, NOTHING), Rejected, Yes),
            (answered(503, true, FIVE), charge, No),
            (answered(503, false, NOTHING), AtRisk, IfFree),
            (answered(500, true, NOTHING), AtRisk, IfFree),
            (answered(500, false, FIVE), charge, No),
            (answered(401, true, NOTHING), Rejected, No),
            (answered(403, false, NOTHING), Rejected, No),
            (answered(404, false, NOTHING), AtRisk, No),
            (answered(422, true, NOTHING), AtRisk, No),
            (answered(302, false, NOTHING), AtRisk, No),
            (answered(408, false, NOTHING), AtRisk, IfFree),
            (answered(200, false, ZERO), Charged(Credits::ZERO), No),
            (answered(429, false, ZERO), Charged(Credits::ZERO), Yes),
            (answered(500, false, ZERO), Charged(Credits::ZERO), IfFree),
        ] {
            assert_eq!(rule(ending), (money, again), "{ending:?}");
        }
        for status in [200, 401, 403, 404, 408, 422, 429, 500, 503] {
            let ending = answered(status, true, Report::Unreadable);
            assert_eq!(rule(ending), (AtRisk, No), "{ending:?}");
        }
    }

    #[test]
    fn only_always_repeats_what_may_have_been_billed() {
        for (policy, again, is_free, allowed) in [
            (RetryPolicy::Unbilled, Again::Yes, false, true),
            (RetryPolicy::Unbilled, Again::IfFree, false, false),
            (RetryPolicy::Unbilled, Again::IfFree, true, true),
            (RetryPolicy::Unbilled, Again::No, true, false),
            (RetryPolicy::Never, Again::Yes, true, false),
            (RetryPolicy::Always, Again::IfFree, false, true),
            (RetryPolicy::Always, Again::No, true, false),
        ] {
            assert_eq!(
                policy.allows(again, is_free),
                allowed,
                "{policy:?} {again:?}"
            );
        }
    }
}
