//! Another token, after the service refused one.

use crate::call::retry::AttemptResult;
use crate::call::state::CallState;
use crate::error::Error;
use crate::response::history::CallHistory;
use crate::transport::redirects::OtherOrigin;
use crate::transport::transport::TransportResult;

/// Returns whether the service refused a token of a provider.
pub(super) fn is_token_refused(
    call: &CallState<'_>,
    result: AttemptResult,
    response: &TransportResult,
) -> bool {
    let arrived = response.as_ref().ok();
    // After a redirect to another origin, no credentials were sent.
    let is_elsewhere =
        arrived.is_some_and(|arrived| arrived.extensions().get::<OtherOrigin>().is_some());
    result.is_unauthorized() && !is_elsewhere && call.credentials.is_renewable()
}

/// Notes the refusal of the token. Returns whether the call may be attempted with another one: only the token was refused, so a request
/// that was certainly rejected may be.
pub(super) fn refuse_token(
    call: &mut CallState<'_>,
    may_be_processed: bool,
    is_spent: bool,
) -> bool {
    call.credentials.refuse();
    let is_retryable = !may_be_processed && !call.is_renewed && !is_spent;
    call.history.is_retryable = is_retryable;
    call.history.is_body_spent = is_spent;
    call.history.is_token_refused = is_retryable;
    is_retryable
}

/// Replaces a refused token, and prepares the next attempt. Returns `false` if its provider has no other one.
pub(super) async fn renew(
    call: &mut CallState<'_>,
    response: &TransportResult,
) -> Result<bool, Error> {
    call.is_renewed = true;
    let last = call.history.clone();
    if let Ok(arrived) = response {
        call.keep(Ok(arrived.clone()));
    }
    let renewed = call.obtain_credentials(call.deadline).await?;
    if renewed.is_same(&call.credentials) {
        call.history = CallHistory {
            is_retryable: false,
            is_token_refused: false,
            ..last
        };
        return Ok(false);
    }
    call.credentials = renewed;
    call.history.is_token_refused = false;
    call.write()?;
    Ok(true)
}
