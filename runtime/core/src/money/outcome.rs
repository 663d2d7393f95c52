//! The outcome of a call: whether, and how much, it was charged.

use serde::{Deserialize, Serialize};

use crate::money::credits::Credits;

/// Billing status of a call, or of one attempt.
///
/// How each result of an attempt counts for the money, and whether the attempt is made again by default:
///
/// | result | money | attempted again |
/// |---|---|---|
/// | no connection, DNS or TLS failure | [not sent](Self::NotSent) | yes |
/// | a response that the transport marks as [`NotSent`](crate::transport::NotSent) | not sent | as with `unbilled`, below |
/// | an error that it marks as [`not_sent`](crate::error::TransportError::not_sent) | not sent | no |
/// | 429, or 503 with `Retry-After` | [rejected](Self::Rejected) | yes |
/// | 401 to a token of a [`TokenProvider`](crate::credentials::TokenProvider) | rejected | once, with another token |
/// | timeout, reset, response broke off | [unknown](Self::Unknown) | if idempotent and free |
/// | 408, 500, 502, 503, 504 | unknown | if idempotent and free |
/// | these with a status that [`unbilled`](crate::ClientBuilder::unbilled) names, without a report | rejected | if idempotent |
/// | any other status that it names, without a report | rejected | no |
/// | 401, 403 | rejected | no |
/// | any other status | unknown | no |
/// | a body above the bound on its size | unknown | no |
/// | a body that reports credits, also in the part of it that arrived | [charged](Self::Charged) | no |
/// | a body whose report is not an amount, or that is not JSON and contains the report's name | unknown | no |
/// | 2xx without a report, or with a [stream](crate::stream::ResponseStream) | unknown | – |
///
/// A reported charge counts before the status code; a report of zero credits leaves the last column to the status code. A free call reserves
/// nothing: its operation has only prices of zero and has not charged. [`RetryPolicy`](crate::RetryPolicy) says which methods are idempotent. Under
/// [`RetryPolicy::Always`](crate::RetryPolicy::Always) a call **may be billed more than once**; each attempt reserves its own price. Otherwise no header
/// causes a retry of a call that may have been billed.
///
/// A [stream](crate::stream::ResponseStream) is settled when its head arrives. A charge that the body reports is not read, so the price of
/// the call becomes at risk. [`Error::settle`](crate::Error::settle) books what it really cost.
///
/// As JSON: `"not_sent"`, `"stored"`, `"rejected"`, `{"charged": 2.5}`, `{"unknown": 4}`, `{"unknown": null}`.
///
/// ```
/// use generated_client::{Credits, Error, Outcome};
///
/// /// What a failed call costs at least, for the bill of a customer.
/// fn cost(error: &Error) -> Credits {
///     match error.outcome() {
///         Outcome::NotSent | Outcome::Rejected => Credits::ZERO,
///         Outcome::Charged(credits) => credits,
///         _ => Credits::ZERO, // at risk until it is settled
///     }
/// }
/// # let error = Error::from(generated_client::error::ConfigurationError::NoRuntime);
/// # assert_eq!(cost(&error), Credits::ZERO);
/// ```
///
/// # Idempotency keys
///
/// An operation with an idempotency key, by the document or by `x-idempotency` of an override, counts as idempotent. A paid call of it is attempted
/// again too: all attempts carry one key, and the service charges one of them. A later attempt needs room for its price beside that
/// of the first: without it, the call ends.
///
/// | the service | the budget |
/// |---|---|
/// | charges the work once, and reports it with the last attempt | has that charge, and nothing at risk |
/// | loses all attempts | has one price at risk, not one per attempt |
/// | refuses the key, used for other arguments or in use (409, 422) | has one price at risk |
/// | rejects the repetition (429, 403), or reports that it was free | has the first attempt at risk |
/// | forgets the key before the next attempt could be sent (`window`) | has the first attempt at risk, and makes no other |
/// | ignores the key, against its document | has the last charge only |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The request did not reach the service: there was no connection, or the transport [sent nothing](crate::transport::NotSent).
    NotSent,
    /// A [stored response](crate::ClientBuilder), or that of an equal call in flight: nothing was sent for this call.
    Stored,
    /// The service rejected the request. Rejections are assumed to be unbilled.
    Rejected,
    /// The service reported this charge.
    Charged(Credits),
    /// It is unknown whether the call was charged. The value is its price, or the one that is expected of it, and is now at risk. Zero for a
    /// free call; `None` if nothing is known of the price.
    Unknown(Option<Credits>),
}

impl Outcome {
    /// Returns whether sending the same call again could be a second charge.
    #[must_use]
    pub fn may_have_been_charged(self) -> bool {
        match self {
            Self::NotSent | Self::Stored | Self::Rejected => false,
            Self::Charged(credits) | Self::Unknown(Some(credits)) => credits > Credits::ZERO,
            Self::Unknown(None) => true,
        }
    }

    /// Returns the outcome of this attempt and a later one together.
    pub(crate) fn then(self, later: Self) -> Self {
        match (self, later) {
            (Self::NotSent | Self::Stored | Self::Rejected, later) => later,
            (earlier, Self::NotSent | Self::Stored | Self::Rejected) => earlier,
            (Self::Charged(a), Self::Charged(b)) => Self::Charged(a + b),
            (a, b) => Self::Unknown(a.at_most().zip(b.at_most()).map(|(a, b)| a + b)),
        }
    }

    /// Returns the maximum charge; `None`: no maximum.
    fn at_most(self) -> Option<Credits> {
        match self {
            Self::NotSent | Self::Stored | Self::Rejected => Some(Credits::ZERO),
            Self::Charged(credits) => Some(credits),
            Self::Unknown(credits) => credits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Charged, NotSent, Rejected, Stored, Unknown};
    use super::*;

    #[test]
    fn attempts_add_up_and_an_unknown_attempt_makes_the_sum_unknown() {
        let charged = |micros| Charged(Credits::from_micros(micros));
        let unknown = |micros| Unknown(Some(Credits::from_micros(micros)));
        for (earlier, later, both) in [
            (NotSent, Rejected, Rejected),
            (unknown(2), NotSent, unknown(2)),
            (unknown(2), Rejected, unknown(2)),
            (unknown(2), charged(1), unknown(3)),
            (unknown(2), unknown(1), unknown(3)),
            (charged(2), charged(1), charged(3)),
            (Rejected, charged(1), charged(1)),
            (Unknown(None), charged(1), Unknown(None)),
            (unknown(2), Unknown(None), Unknown(None)),
            (Unknown(None), Rejected, Unknown(None)),
            (unknown(2), unknown(u64::MAX), unknown(u64::MAX)),
        ] {
            assert_eq!(earlier.then(later), both, "{earlier:?} then {later:?}");
        }
    }

    #[test]
    fn an_outcome_reads_back_what_it_writes() {
        let credits = Credits::from_micros(2_500_000);
        for (outcome, json) in [
            (NotSent, r#""not_sent""#),
            (Stored, r#""stored""#),
            (Rejected, r#""rejected""#),
            (Charged(credits), r#"{"charged":2.5}"#),
            (Unknown(Some(credits)), r#"{"unknown":2.5}"#),
            (Unknown(None), r#"{"unknown":null}"#),
        ] {
            assert_eq!(serde_json::to_string(&outcome).unwrap(), json);
            assert_eq!(serde_json::from_str::<Outcome>(json).unwrap(), outcome);
        }
    }

    #[test]
    fn every_outcome_except_a_known_zero_may_have_been_charged() {
        for (outcome, expected) in [
            (NotSent, false),
            (Stored, false),
            (Rejected, false),
            (Charged(Credits::ZERO), false),
            (Charged(Credits::from_micros(1)), true),
            (Unknown(Some(Credits::ZERO)), false),
            (Unknown(Some(Credits::from_micros(1))), true),
            (Unknown(None), true),
        ] {
            assert_eq!(outcome.may_have_been_charged(), expected, "{outcome:?}");
        }
    }
}
