//! Which attempts are made again: one table, decided by what became of the money.

use http::StatusCode;

use crate::credits::Credits;
use crate::error::TransportErrorKind;

/// When a call is attempted again after a failure.
///
/// What an attempt that ended so did to the money, and whether it is made again by default:
///
/// | ended with | money | paid call | free call |
/// |---|---|---|---|
/// | no connection, DNS or TLS failure | [not sent](crate::Outcome::NotSent) | again | again |
/// | timeout, reset, answer broke off | [unknown](crate::Outcome::Unknown) | no | again |
/// | a body that reports credits | [charged](crate::Outcome::Charged) | no | no |
/// | 2xx without a report | unknown | – | – |
/// | 429, or 503 with `Retry-After` | [rejected](crate::Outcome::Rejected) | again | again |
/// | 401, 403 | rejected | no | no |
/// | 408, 500, 502, 503, 504 | unknown | no | again |
/// | any other status | unknown | no | no |
///
/// A free call is one that reserves nothing, of an operation whose prices are all zero, those that were seen since included. At most three
/// attempts are made, half a second apart, then twice that, with jitter, or as far apart as `Retry-After` says.
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
        retry_after: bool,
        reported: Option<Credits>,
    },
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
        503 if retry_after => (Money::Rejected, Again::Yes),
        401 | 403 => (Money::Rejected, Again::No),
        408 | 500 | 502 | 503 | 504 => (Money::AtRisk, Again::IfFree),
        _ => (Money::AtRisk, Again::No),
    };
    match reported {
        None => (money, again),
        Some(Credits::ZERO) => (Money::Charged(Credits::ZERO), again),
        Some(charge) => (Money::Charged(charge), Again::No),
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

    fn answered(status: u16, retry_after: bool, reported: Option<u64>) -> Ending {
        Ending::Answered {
            status: StatusCode::from_u16(status).unwrap(),
            retry_after,
            reported: reported.map(Credits::from_micros),
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
            (answered(200, false, Some(5)), charge, No),
            (answered(200, false, None), AtRisk, No),
            (answered(429, false, None), Rejected, Yes),
            (answered(429, false, Some(5)), charge, No),
            (answered(503, true, None), Rejected, Yes),
            (answered(503, true, Some(5)), charge, No),
            (answered(503, false, None), AtRisk, IfFree),
            (answered(500, true, None), AtRisk, IfFree),
            (answered(500, false, Some(5)), charge, No),
            (answered(401, true, None), Rejected, No),
            (answered(403, false, None), Rejected, No),
            (answered(404, false, None), AtRisk, No),
            (answered(422, true, None), AtRisk, No),
            (answered(302, false, None), AtRisk, No),
            (answered(408, false, None), AtRisk, IfFree),
        ] {
            assert_eq!(rule(ending), (money, again), "{ending:?}");
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
