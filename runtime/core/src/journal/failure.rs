//! Effect of a failed call on the calls after it.

use crate::error::Error;
use crate::error::batch;
use crate::error::{PagingCause, WaitingCause};
use http::StatusCode;

use crate::money::outcome::Outcome;

/// Returns whether the next call would fail as this one did, as the table of [`Called::Stop`](super::Called::Stop) says. `unanswered` counts the calls
/// without a connection since the last response.
pub(super) fn ends_batch(error: &Error, unanswered: &mut u32) -> bool {
    is_refused_for_all(error) || batch::ends_batch(error, unanswered)
}

/// Returns whether the budget or the journal refuses all calls.
fn is_refused_for_all(error: &Error) -> bool {
    let is_unrecorded =
        matches!(error.of_call(), Error::Refused(refused) if refused.kind() == "journal");
    is_unrecorded || error.budget().is_some()
}

/// Returns whether the service would reject the same call again, and might bill it again.
pub(super) fn is_refused_for_good(error: &Error) -> bool {
    // The excluded statuses are not about the call: it timed out, is too early or too frequent, or conflicts with another one.
    let is_about_it = |status: StatusCode| {
        status.is_client_error() && !matches!(status.as_u16(), 408 | 409 | 425 | 429)
    };
    // With an idempotency key, the response may be about an earlier attempt.
    let is_repeated = error.idempotency_key().is_some() && !error.earlier_attempts().is_empty();
    let is_refused = error.status().is_some_and(is_about_it)
        && !is_repeated
        && !error.is_stored()
        && !error.is_retryable()
        && !is_refused_for_all(error)
        && !batch::is_for_all(error);
    is_refused || matches!(error.of_call(), Error::Argument(_))
}

/// Returns whether the last call was billed, and delivered all data.
pub(super) fn has_brought(error: &Error) -> bool {
    let is_end = match error {
        Error::Waiting(error) => !matches!(error.cause, WaitingCause::Call(_)),
        Error::Paging(error) => matches!(error.cause, PagingCause::Short { .. }),
        _ => false,
    };
    is_end && matches!(error.outcome(), Outcome::Charged(_))
}
