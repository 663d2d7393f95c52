//! The retry table: which results are retried, by how they were billed. The documentation of `RetryPolicy` repeats it.

use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;

use crate::call::retry_after::retry_after;
use crate::money::credits::Credits;
use crate::money::report::ReportedCharge;
use crate::request::options::RetryPolicy;
use crate::response::failure::TransportErrorKind;
use crate::transport::transport::TransportResult;

/// How an attempt ended.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AttemptResult {
    /// No complete response; `reported`: the charge in the part that arrived.
    Failed {
        kind: TransportErrorKind,
        reported: ReportedCharge,
    },
    Responded {
        status: StatusCode,
        retry_after: Option<Duration>,
        reported: ReportedCharge,
    },
}

impl AttemptResult {
    /// `charge`: the member of a body that reports what the call cost.
    pub(crate) fn of(response: &TransportResult, charge: Option<&str>) -> Self {
        let report = |body: &Bytes| {
            charge.map_or(ReportedCharge::Nothing, |member| {
                ReportedCharge::read(body, member)
            })
        };
        match response {
            Err(error) => Self::Failed {
                kind: error.kind(),
                reported: error
                    .partial()
                    .map_or(ReportedCharge::Nothing, |partial| report(partial.body())),
            },
            Ok(response) => Self::Responded {
                status: response.status(),
                retry_after: retry_after(response.headers()),
                reported: report(response.body()),
            },
        }
    }

    /// The `Retry-After` of the response.
    pub(crate) fn retry_after(self) -> Option<Duration> {
        match self {
            Self::Responded { retry_after, .. } => retry_after,
            Self::Failed { .. } => None,
        }
    }

    /// What the body, or the part of it that arrived, says that the attempt cost.
    pub(crate) fn report(self) -> ReportedCharge {
        match self {
            Self::Responded { reported, .. } | Self::Failed { reported, .. } => reported,
        }
    }

    pub(crate) fn is_success(self) -> bool {
        matches!(self, Self::Responded { status, .. } if status.is_success())
    }

    pub(crate) fn is_unauthorized(self) -> bool {
        matches!(self, Self::Responded { status, .. } if status == StatusCode::UNAUTHORIZED)
    }

    pub(crate) fn is_too_many_requests(self) -> bool {
        matches!(self, Self::Responded { status, .. } if status == StatusCode::TOO_MANY_REQUESTS)
    }
}

/// How the reservation of an attempt is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Billing {
    NotSent,
    Rejected,
    Charged(Credits),
    AtRisk,
}

/// Whether a call is retried after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetryClass {
    /// The service has certainly not taken the request on.
    Yes,
    /// The service may have taken it on, and certainly did not bill it.
    IfIdempotent,
    /// The service may have taken it on and billed it.
    IfIdempotentAndFree,
    No,
}

/// The table. `unbilled`: the statuses that the caller knows to be free of charge.
pub(crate) fn rule(ending: AttemptResult, unbilled: &[StatusCode]) -> (Billing, RetryClass) {
    let (money, again) = match ending {
        AttemptResult::Failed { kind, .. } => match kind {
            TransportErrorKind::Connect => (Billing::NotSent, RetryClass::Yes),
            // A retry would get a response of the same size.
            TransportErrorKind::TooLarge => (Billing::AtRisk, RetryClass::No),
            _ => (Billing::AtRisk, RetryClass::IfIdempotentAndFree),
        },
        AttemptResult::Responded {
            status,
            retry_after,
            ..
        } => match status.as_u16() {
            200..=299 => (Billing::AtRisk, RetryClass::No),
            429 => (Billing::Rejected, RetryClass::Yes),
            503 if retry_after.is_some() => (Billing::Rejected, RetryClass::Yes),
            401 | 403 => (Billing::Rejected, RetryClass::No),
            408 | 500 | 502 | 503 | 504 => (Billing::AtRisk, RetryClass::IfIdempotentAndFree),
            _ => (Billing::AtRisk, RetryClass::No),
        },
    };
    let is_unbilled =
        matches!(ending, AttemptResult::Responded { status, .. } if unbilled.contains(&status));
    match (ending.report(), again) {
        (ReportedCharge::Unreadable, _) => (Billing::AtRisk, RetryClass::No),
        (ReportedCharge::Credits(Credits::ZERO), again) => (Billing::Charged(Credits::ZERO), again),
        (ReportedCharge::Credits(charge), _) => (Billing::Charged(charge), RetryClass::No),
        (ReportedCharge::Nothing, RetryClass::IfIdempotentAndFree) if is_unbilled => {
            (Billing::Rejected, RetryClass::IfIdempotent)
        }
        (ReportedCharge::Nothing, again) if is_unbilled => (Billing::Rejected, again),
        (ReportedCharge::Nothing, again) => (money, again),
    }
}

impl RetryPolicy {
    /// `is_idempotent`: a second request has no effect that the first one did not have.
    pub(crate) fn allows(self, again: RetryClass, is_free: bool, is_idempotent: bool) -> bool {
        match (self, again) {
            (Self::Never, _) | (_, RetryClass::No) => false,
            (_, RetryClass::Yes) => true,
            (Self::Unbilled, RetryClass::IfIdempotent) => is_idempotent,
            (Self::Unbilled, RetryClass::IfIdempotentAndFree) => is_idempotent && is_free,
            (Self::Always, RetryClass::IfIdempotent | RetryClass::IfIdempotentAndFree) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(kind: TransportErrorKind, reported: ReportedCharge) -> AttemptResult {
        AttemptResult::Failed { kind, reported }
    }

    const NOTHING: ReportedCharge = ReportedCharge::Nothing;
    const FIVE: ReportedCharge = ReportedCharge::Credits(Credits::from_micros(5));
    const ZERO: ReportedCharge = ReportedCharge::Credits(Credits::ZERO);

    fn responded(status: u16, retry_after: bool, reported: ReportedCharge) -> AttemptResult {
        AttemptResult::Responded {
            status: StatusCode::from_u16(status).unwrap(),
            retry_after: retry_after.then_some(Duration::ZERO),
            reported,
        }
    }

    #[test]
    fn the_table_is_as_documented() {
        use Billing::{AtRisk, Charged, NotSent, Rejected};
        use RetryClass::{IfIdempotentAndFree as IfFree, No, Yes};
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
                failed(TransportErrorKind::Timeout, ReportedCharge::Unreadable),
                AtRisk,
                No,
            ),
            (responded(200, false, FIVE), charge, No),
            (responded(200, false, NOTHING), AtRisk, No),
            (responded(429, false, NOTHING), Rejected, Yes),
            (responded(429, false, FIVE), charge, No),
            (responded(503, true, NOTHING), Rejected, Yes),
            (responded(503, true, FIVE), charge, No),
            (responded(503, false, NOTHING), AtRisk, IfFree),
            (responded(500, true, NOTHING), AtRisk, IfFree),
            (responded(500, false, FIVE), charge, No),
            (responded(401, true, NOTHING), Rejected, No),
            (responded(403, false, NOTHING), Rejected, No),
            (responded(404, false, NOTHING), AtRisk, No),
            (responded(422, true, NOTHING), AtRisk, No),
            (responded(302, false, NOTHING), AtRisk, No),
            (responded(408, false, NOTHING), AtRisk, IfFree),
            (responded(200, false, ZERO), Charged(Credits::ZERO), No),
            (responded(429, false, ZERO), Charged(Credits::ZERO), Yes),
            (responded(500, false, ZERO), Charged(Credits::ZERO), IfFree),
        ] {
            assert_eq!(rule(ending, &[]), (money, again), "{ending:?}");
        }
        for status in [200, 401, 403, 404, 408, 422, 429, 500, 503] {
            let ending = responded(status, true, ReportedCharge::Unreadable);
            assert_eq!(rule(ending, &[]), (AtRisk, No), "{ending:?}");
        }
    }

    #[test]
    fn an_unbilled_status_code_counts_as_rejected() {
        use Billing::{AtRisk, Charged, Rejected};
        use RetryClass::{IfIdempotent, No};
        let unbilled = [StatusCode::NOT_FOUND, StatusCode::BAD_GATEWAY];
        for (ending, money, again) in [
            (responded(404, false, NOTHING), Rejected, No),
            (responded(502, false, NOTHING), Rejected, IfIdempotent),
            (
                responded(404, false, FIVE),
                Charged(Credits::from_micros(5)),
                No,
            ),
            (
                responded(404, false, ReportedCharge::Unreadable),
                AtRisk,
                No,
            ),
            (responded(422, false, NOTHING), AtRisk, No),
        ] {
            assert_eq!(rule(ending, &unbilled), (money, again), "{ending:?}");
        }
    }

    #[test]
    fn only_always_repeats_what_may_have_been_billed_or_may_have_a_second_effect() {
        use RetryClass::{IfIdempotent, IfIdempotentAndFree, No, Yes};
        use RetryPolicy::{Always, Never, Unbilled};
        for (policy, again, is_free, is_idempotent, allowed) in [
            (Unbilled, Yes, false, false, true),
            (Unbilled, IfIdempotentAndFree, false, true, false),
            (Unbilled, IfIdempotentAndFree, true, true, true),
            (Unbilled, IfIdempotentAndFree, true, false, false),
            (Unbilled, IfIdempotent, false, true, true),
            (Unbilled, IfIdempotent, false, false, false),
            (Unbilled, No, true, true, false),
            (Never, Yes, true, true, false),
            (Always, IfIdempotentAndFree, false, false, true),
            (Always, No, true, true, false),
        ] {
            let is = policy.allows(again, is_free, is_idempotent);
            assert_eq!(
                is, allowed,
                "{policy:?} {again:?} {is_free} {is_idempotent}"
            );
        }
    }
}
