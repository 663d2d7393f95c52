//! Refusals of a call: the budget has no room, or the account is unavailable.

use crate::account::StoreError;

/// The store of the client's [account](crate::account) failed. The attempt was not made; earlier ones of the same call may have been.
#[derive(Debug, thiserror::Error)]
#[error("the store of the account failed: {cause}")]
pub struct AccountUnavailable {
    cause: StoreError,
}

impl AccountUnavailable {
    pub(crate) fn new(cause: StoreError) -> Self {
        Self { cause }
    }

    /// Returns why the store failed.
    pub fn store_error(&self) -> &StoreError {
        &self.cause
    }
}
