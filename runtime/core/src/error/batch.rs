//! Whether the next call of a batch would fail as the last one did.

use http::StatusCode;

use super::{Error, TransportErrorKind};

/// How many calls in a row find no service before a batch ends.
const UNANSWERED: u32 = 5;

/// Returns whether the next call would fail as this one did: its settings or credentials are wrong, or no service is found. `unanswered`
/// counts the calls without a connection since the last response.
pub fn ends_batch(error: &Error, unanswered: &mut u32) -> bool {
    if error.status().is_some() {
        *unanswered = 0;
    }
    match error.of_call() {
        Error::Transport(error) if error.kind() == TransportErrorKind::Connect => {
            *unanswered = unanswered.saturating_add(1);
            *unanswered >= UNANSWERED
        }
        _ => is_for_all(error),
    }
}

/// Returns whether a failure is not about its call alone.
pub(crate) fn is_for_all(error: &Error) -> bool {
    matches!(
        error.of_call(),
        Error::Configuration(_) | Error::Credential(_)
    ) || matches!(
        error.status(),
        Some(StatusCode::UNAUTHORIZED | StatusCode::PAYMENT_REQUIRED | StatusCode::FORBIDDEN)
    )
}
