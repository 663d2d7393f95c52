//! Another token, after the service refused one.

use crate::call::attempts::Attempted;
use crate::call::state::CallState;
use crate::error::Error;
use crate::response::history::CallHistory;
use crate::transport::redirects::OtherOrigin;

impl CallState<'_> {
    /// Returns whether the service refused a token of a provider.
    pub(super) fn is_token_refused(&self, attempted: &Attempted) -> bool {
        let arrived = attempted.response.as_ref().ok();
        // After a redirect to another origin, no credentials were sent.
        let is_elsewhere =
            arrived.is_some_and(|arrived| arrived.extensions().get::<OtherOrigin>().is_some());
        attempted.result.is_unauthorized() && !is_elsewhere && self.credentials.is_renewable()
    }

    /// Notes the refusal of the token. Returns whether the call may be attempted with another one: only the token was refused, so a request
    /// that was certainly rejected may be.
    pub(super) fn refuse_token(&mut self, attempted: &Attempted, is_spent: bool) -> bool {
        self.credentials.refuse();
        let is_retryable = !attempted.may_be_processed && !self.is_renewed && !is_spent;
        self.history.is_retryable = is_retryable;
        self.history.is_body_spent = is_spent;
        self.history.is_token_refused = is_retryable;
        is_retryable
    }

    /// Replaces a refused token. Returns the attempt if its provider has no other one.
    pub(super) async fn renew(&mut self, attempted: Attempted) -> Result<Option<Attempted>, Error> {
        self.is_renewed = true;
        let last = self.history.clone();
        if let Ok(arrived) = &attempted.response {
            self.keep(Ok(arrived.clone()));
        }
        let renewed = self.obtain_credentials(self.deadline).await?;
        if renewed.is_same(&self.credentials) {
            self.history = CallHistory {
                is_retryable: false,
                is_token_refused: false,
                ..last
            };
            return Ok(Some(attempted));
        }
        self.credentials = renewed;
        self.history.is_token_refused = false;
        self.write()?;
        Ok(None)
    }
}
