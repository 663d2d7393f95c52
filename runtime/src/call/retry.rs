//! Which attempts are made again: one table, decided by what became of the money. It is printed in the documentation of `RetryPolicy`.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;

use crate::call::retry_after::retry_after;
use crate::money::credits::Credits;
use crate::money::report::Report;
use crate::request::options::RetryPolicy;
use crate::response::failure::TransportErrorKind;
use crate::transport::transport::Answer;

/// How an attempt ended.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ending {
    /// No whole response; `reported`: what the part of it that arrived says.
    Failed {
        kind: TransportErrorKind,
        reported: Report,
    },
    Answered {
        status: StatusCode,
        retry_after: Option<Duration>,
        reported: Report,
    },
}

impl Ending {
    /// `charge`: the member of a body that reports what the call cost.
    pub(crate) fn of(answer: &Answer, charge: Option<&str>) -> Self {
        let report =
            |body: &Bytes| charge.map_or(Report::Nothing, |member| Report::read(body, member));
        match answer {
            Err(error) => Self::Failed {
                kind: error.kind(),
                reported: error
                    .partial()
                    .map_or(Report::Nothing, |partial| report(partial.body())),
            },
            Ok(answer) => Self::Answered {
                status: answer.status(),
                retry_after: retry_after(answer.headers()),
                reported: report(answer.body()),
            },
        }
    }

    /// What the service said about when to come back.
    pub(crate) fn retry_after(self) -> Option<Duration> {
        match self {
            Self::Answered { retry_after, .. } => retry_after,
            Self::Failed { .. } => None,
        }
    }

    /// What the body, or the part of it that arrived, says that the attempt cost.
    pub(crate) fn report(self) -> Report {
        match self {
            Self::Answered { reported, .. } | Self::Failed { reported, .. } => reported,
        }
    }

    pub(crate) fn is_success(self) -> bool {
        matches!(self, Self::Answered { status, .. } if status.is_success())
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

/// The table. `unbilled`: the statuses that the caller knows to be free of charge.
pub(crate) fn rule(ending: Ending, unbilled: &[StatusCode]) -> (Money, Again) {
    let (money, again) = match ending {
        Ending::Failed { kind, .. } => match kind {
            TransportErrorKind::Connect => (Money::NotSent, Again::Yes),
            // The same request brings the same size.
            TransportErrorKind::TooLarge => (Money::AtRisk, Again::No),
            _ => (Money::AtRisk, Again::IfFree),
        },
        Ending::Answered {
            status,
            retry_after,
            ..
        } => match status.as_u16() {
            200..=299 => (Money::AtRisk, Again::No),
            429 => (Money::Rejected, Again::Yes),
            503 if retry_after.is_some() => (Money::Rejected, Again::Yes),
            401 | 403 => (Money::Rejected, Again::No),
            408 | 500 | 502 | 503 | 504 => (Money::AtRisk, Again::IfFree),
            _ => (Money::AtRisk, Again::No),
        },
    };
    let is_unbilled =
        matches!(ending, Ending::Answered { status, .. } if unbilled.contains(&status));
    match (ending.report(), again) {
        (Report::Unreadable, _) => (Money::AtRisk, Again::No),
        (Report::Credits(Credits::ZERO), again) => (Money::Charged(Credits::ZERO), again),
        (Report::Credits(charge), _) => (Money::Charged(charge), Again::No),
        // What cost nothing is as good as free.
        (Report::Nothing, Again::IfFree) if is_unbilled => (Money::Rejected, Again::Yes),
        (Report::Nothing, again) if is_unbilled => (Money::Rejected, again),
        (Report::Nothing, again) => (money, again),
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

    fn failed(kind: TransportErrorKind, reported: Report) -> Ending {
        Ending::Failed { kind, reported }
    }

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
            (failed(TransportErrorKind::Connect, NOTHING), NotSent, Yes),
            (failed(TransportErrorKind::Timeout, NOTHING), AtRisk, IfFree),
            (failed(TransportErrorKind::Body, NOTHING), AtRisk, IfFree),
            (failed(TransportErrorKind::Other, NOTHING), AtRisk, IfFree),
            (failed(TransportErrorKind::TooLarge, NOTHING), AtRisk, No),
            (failed(TransportErrorKind::TooLarge, FIVE), charge, No),
            (failed(TransportErrorKind::Body, FIVE), charge, No),
            (
                failed(TransportErrorKind::Timeout, ZERO),
                Charged(Credits::ZERO),
                IfFree,
            ),
            (
                failed(TransportErrorKind::Timeout, Report::Unreadable),
                AtRisk,
                No,
            ),
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
            assert_eq!(rule(ending, &[]), (money, again), "{ending:?}");
        }
        for status in [200, 401, 403, 404, 408, 422, 429, 500, 503] {
            let ending = answered(status, true, Report::Unreadable);
            assert_eq!(rule(ending, &[]), (AtRisk, No), "{ending:?}");
        }
    }

    #[test]
    fn a_status_that_is_said_to_be_unbilled_is_turned_away() {
        use Again::{No, Yes};
        use Money::{AtRisk, Charged, Rejected};
        let unbilled = [StatusCode::NOT_FOUND, StatusCode::BAD_GATEWAY];
        for (ending, money, again) in [
            (answered(404, false, NOTHING), Rejected, No),
            (answered(502, false, NOTHING), Rejected, Yes),
            (
                answered(404, false, FIVE),
                Charged(Credits::from_micros(5)),
                No,
            ),
            (answered(404, false, Report::Unreadable), AtRisk, No),
            (answered(422, false, NOTHING), AtRisk, No),
        ] {
            assert_eq!(rule(ending, &unbilled), (money, again), "{ending:?}");
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
