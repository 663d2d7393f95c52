//! The admission of an attempt: it waits for the end of a cool-down, for the interceptors, and for a permit.

use std::time::Duration;

use tokio::sync::SemaphorePermit;
use tokio::time::{sleep, timeout_at};

use crate::call::limiter::Route;
use crate::call::state::CallState;
use crate::error::{DeadlineExceeded, Delay, Error, Refused};
use crate::interceptor::{Denial, Guard, NextAttempt};
use crate::transport::base_url::TooLong;

/// How often an interceptor that asks for a pause is asked again at most.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// Everything that an attempt holds while it runs. The fields are dropped in this order.
pub(super) struct AttemptPermit<'a> {
    /// The guard of the interceptors, if there are any.
    pub(super) guard: Option<Box<dyn Guard>>,
    _permit: SemaphorePermit<'a>,
}

impl<'e> CallState<'e> {
    /// Returns the route whose calls a 429 to this call holds.
    pub(super) fn route(&self) -> Route {
        let is_plain = self.engine.interceptors.is_empty();
        is_plain.then_some(self.request.operation().id)
    }

    /// Waits until the next attempt may be made, and adds the credentials to its request.
    pub(super) async fn admit(&mut self) -> Result<AttemptPermit<'e>, Error> {
        let admitted = self.wait().await?;
        #[cfg(feature = "tokens")]
        let admitted = if self.credentials.is_stale() {
            // A token expired in the queue. The call holds no permit while it obtains a new one.
            drop(admitted);
            self.credentials = self.obtain_credentials(self.latest).await?;
            self.wait().await?
        } else {
            admitted
        };
        let applied = self.credentials.apply_to(&mut self.message);
        applied.map_err(|TooLong| self.request.too_long())?;
        Ok(admitted)
    }

    /// Waits for the end of a cool-down, for the interceptors, and for a permit. It holds no permit while it waits for the first two.
    async fn wait(&self) -> Result<AttemptPermit<'e>, Error> {
        let (engine, request, history) = (self.engine, &self.request, &self.history);
        let (operation, deadline) = (request.operation(), self.latest);
        let postponed = |delay| DeadlineExceeded::new(operation, history.clone(), delay);
        let route = self.route();
        loop {
            let ready = engine.limiter.ready(route, deadline).await;
            ready.map_err(postponed)?;
            let attempt = NextAttempt {
                request,
                uri: self.message.uri(),
                number: history.attempts.saturating_add(1),
                deadline,
                #[cfg(feature = "idempotency")]
                idempotency_key: history.idempotency_key.as_deref(),
            };
            let before = timeout_at(deadline, engine.interceptors.before(attempt)).await;
            let guard = match before.unwrap_or(Err(Denial::Late("an interceptor"))) {
                Ok(guard) => guard,
                Err(Denial::Pause(pause)) => {
                    engine.limiter.cool_down(route, pause);
                    // The longest cool-down of this client may be shorter than the pause.
                    sleep(pause.min(CHECK_INTERVAL)).await;
                    continue;
                }
                Err(Denial::Late(what)) => return Err(postponed(Delay::Waiting(what)).into()),
                Err(Denial::Refused {
                    cause,
                    kind,
                    is_retryable,
                }) => {
                    let history = history.clone().with_retry(None, is_retryable);
                    return Err(Refused::new(operation, history, kind, cause).into());
                }
            };
            let permit = engine
                .limiter
                .permit(route, deadline)
                .await
                .map_err(postponed)?;
            // In the meantime, another call may have started a cool-down or invalidated this guard: if so, wait again.
            let is_current = guard
                .as_deref()
                .is_none_or(|guard| guard.is_current(request));
            if let Some(permit) = permit
                && is_current
            {
                return Ok(AttemptPermit {
                    guard,
                    _permit: permit,
                });
            }
        }
    }
}
