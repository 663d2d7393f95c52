//! The billing table: how the end of an attempt counts for the money. The documentation of `Outcome` repeats it.

use std::time::Duration;

use crate::error::TransportErrorKind;
use crate::transport::{NotSent, TransportResult};
use bytes::Bytes;
use http::StatusCode;

use crate::money::credits::Credits;
use crate::money::outcome::Outcome;
use crate::money::report::ReportedCharge;

/// How the end of an attempt counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bill {
    /// Without the price of what is unknown.
    pub(super) outcome: Outcome,
    /// The caller knows that the status is free of charge, or nothing was sent: another attempt is no second charge.
    pub(super) is_unbilled: bool,
    /// Another attempt would be a second charge, because the service billed it or said something that is no amount; or it would fail in the
    /// same way, because the transport sends nothing.
    pub(super) is_final: bool,
}

/// Reads the cost that the body, or the part of it that arrived, reports.
pub(super) fn report(response: &TransportResult, member: Option<&str>) -> ReportedCharge {
    // The body is that of another call, which paid for it.
    if is_not_sent(response) {
        return ReportedCharge::Nothing;
    }
    let body: Option<&Bytes> = match response {
        Ok(response) => Some(response.body()),
        Err(error) => error.partial().map(|partial| partial.body()),
    };
    match (body, member) {
        (Some(body), Some(member)) => ReportedCharge::read(body, member),
        _ => ReportedCharge::Nothing,
    }
}

/// Returns whether the transport has the response, or failed, without the service.
fn is_not_sent(response: &TransportResult) -> bool {
    match response {
        Ok(response) => response.extensions().get::<NotSent>().is_some(),
        Err(error) => error.is_not_sent(),
    }
}

/// Applies the table. `unbilled`: the statuses that the caller knows to be free of charge.
pub(super) fn bill(
    response: &TransportResult,
    retry_after: Option<Duration>,
    report: ReportedCharge,
    unbilled: &[StatusCode],
) -> Bill {
    if is_not_sent(response) {
        return Bill {
            outcome: Outcome::NotSent,
            is_unbilled: true,
            is_final: response.is_err(),
        };
    }
    let by_status = match response {
        Err(error) if error.kind() == TransportErrorKind::Connect => Outcome::NotSent,
        Err(_) => Outcome::Unknown(None),
        Ok(response) => match response.status().as_u16() {
            401 | 403 | 429 => Outcome::Rejected,
            503 if retry_after.is_some() => Outcome::Rejected,
            _ => Outcome::Unknown(None),
        },
    };
    let is_unbilled = response
        .as_ref()
        .is_ok_and(|response| unbilled.contains(&response.status()));
    let (outcome, is_unbilled, is_final) = match report {
        ReportedCharge::Unreadable => (Outcome::Unknown(None), false, true),
        ReportedCharge::Credits(charge) => {
            (Outcome::Charged(charge), false, charge > Credits::ZERO)
        }
        ReportedCharge::Nothing if is_unbilled => (Outcome::Rejected, true, false),
        ReportedCharge::Nothing => (by_status, false, false),
    };
    Bill {
        outcome,
        is_unbilled,
        is_final,
    }
}

#[cfg(test)]
mod tests {
    use crate::error::TransportError;
    use crate::http;

    use super::*;

    const NOTHING: ReportedCharge = ReportedCharge::Nothing;
    const FIVE: ReportedCharge = ReportedCharge::Credits(Credits::from_micros(5));
    const ZERO: ReportedCharge = ReportedCharge::Credits(Credits::ZERO);

    fn failed(kind: TransportErrorKind) -> TransportResult {
        Err(TransportError::new(kind, "on purpose"))
    }

    fn responded(status: u16) -> TransportResult {
        let response = http::Response::builder().status(status);
        Ok(response.body(Bytes::new()).unwrap())
    }

    fn billed(response: &TransportResult, retry_after: bool, report: ReportedCharge) -> Bill {
        let unbilled = [StatusCode::NOT_FOUND, StatusCode::BAD_GATEWAY];
        let retry_after = retry_after.then_some(Duration::ZERO);
        bill(response, retry_after, report, &unbilled)
    }

    /// All ends of an attempt that is sent, with `Retry-After` or without, and how each is billed without a report.
    fn ends() -> Vec<(TransportResult, bool, Outcome)> {
        use Outcome::Rejected;
        const AT_RISK: Outcome = Outcome::Unknown(None);
        use TransportErrorKind::{Body, Other, Timeout, TooLarge};
        let lost = [Timeout, Body, Other, TooLarge].map(|kind| (failed(kind), false, AT_RISK));
        let rejected = [(401, true), (403, false), (429, false), (503, true)];
        let rejected = rejected.map(|(status, after)| (responded(status), after, Rejected));
        let doubtful = [200, 302, 408, 422, 500, 501, 504];
        let doubtful = doubtful.map(|status| (responded(status), true, AT_RISK));
        let unavailable = (responded(503), false, AT_RISK);
        lost.into_iter()
            .chain(rejected)
            .chain(doubtful)
            .chain([unavailable])
            .collect()
    }

    #[test]
    fn a_report_counts_before_the_status() {
        let five = Outcome::Charged(Credits::from_micros(5));
        let zero = Outcome::Charged(Credits::ZERO);
        for (response, after, otherwise) in ends() {
            for (report, outcome, is_final) in [
                (NOTHING, otherwise, false),
                (FIVE, five, true),
                (ZERO, zero, false),
                (ReportedCharge::Unreadable, Outcome::Unknown(None), true),
            ] {
                let expected = Bill {
                    outcome,
                    is_unbilled: false,
                    is_final,
                };
                let is = billed(&response, after, report);
                assert_eq!(is, expected, "{response:?} {report:?}");
            }
        }
        // These statuses are documented as not billed, which a report outweighs.
        for status in [404, 502] {
            let is = billed(&responded(status), true, ReportedCharge::Unreadable);
            assert_eq!(
                (is.outcome, is.is_final),
                (Outcome::Unknown(None), true),
                "{status}"
            );
        }
        let unsent = billed(&failed(TransportErrorKind::Connect), false, NOTHING);
        assert_eq!((unsent.outcome, unsent.is_final), (Outcome::NotSent, false));
    }

    #[test]
    fn what_the_transport_did_not_send_is_not_at_risk() {
        let error = TransportError::new(TransportErrorKind::Other, "no recording").not_sent();
        let is = billed(&Err(error), false, NOTHING);
        assert_eq!((is.outcome, is.is_final), (Outcome::NotSent, true));
        let mut hit = responded(200).unwrap();
        hit.extensions_mut().insert(NotSent);
        let is = billed(&Ok(hit), false, NOTHING);
        assert_eq!((is.outcome, is.is_final), (Outcome::NotSent, false));
    }

    #[test]
    fn an_unbilled_status_code_counts_as_rejected() {
        for status in [404, 502] {
            let is = billed(&responded(status), false, NOTHING);
            assert_eq!((is.outcome, is.is_unbilled), (Outcome::Rejected, true));
            let is = billed(&responded(status), false, FIVE);
            let five = Outcome::Charged(Credits::from_micros(5));
            assert_eq!((is.outcome, is.is_unbilled), (five, false));
        }
    }
}
