//! Effect of a failed call on the calls after it.

use generated_client::error::{PagingCause, WaitingCause};
use generated_client::{Error, StatusCode};

use super::line::LostCall;
use crate::ext::{Charged, MeteredError};
use crate::money::outcome::Outcome;

/// Returns whether the next call would fail as this one did: no budget, no balance, no key, no address.
///
/// ```
/// use metered_client::journal::ends_a_batch;
/// # use metered_client::error::ConfigurationError;
///
/// # let error = metered_client::Error::from(ConfigurationError::UserAgent);
/// assert!(ends_a_batch(&error));
/// ```
pub fn ends_a_batch(error: &Error) -> bool {
    let of_call = error.of_call();
    error.budget().is_some()
        || matches!(of_call, Error::Configuration(_) | Error::Credential(_))
        || matches!(
            error.status(),
            Some(StatusCode::UNAUTHORIZED | StatusCode::PAYMENT_REQUIRED | StatusCode::FORBIDDEN)
        )
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
        && !error.is_retryable()
        && !ends_a_batch(error);
    is_refused || matches!(error.of_call(), Error::Argument(_))
}

/// Returns whether a later run may call again without paying twice: the call was not billed, or its data was delivered.
pub(super) fn is_settled(error: &Error) -> bool {
    !error.may_have_been_charged() || has_brought(error)
}

/// Returns what is known of a call that may have been billed, without the amount. One that was charged has no key: the service may do its work
/// again.
pub(super) fn lost_call(error: &Error) -> LostCall {
    let is_charged = matches!(error.outcome(), Outcome::Charged(_));
    let key = error.idempotency_key().filter(|_| !is_charged);
    let is_one = error.earlier_attempts().is_empty();
    LostCall {
        at_risk: None,
        request_id: error.request_id().filter(|_| is_one).map(str::to_owned),
        idempotency_key: key.map(str::to_owned),
    }
}

/// Returns whether the last call was billed, and delivered all data.
fn has_brought(error: &Error) -> bool {
    let is_end = match error {
        Error::Waiting(error) => !matches!(error.cause, WaitingCause::Call(_)),
        Error::Paging(error) => matches!(error.cause, PagingCause::Short { .. }),
        _ => false,
    };
    is_end && matches!(error.outcome(), Outcome::Charged(_))
}
