//! The admission of an attempt: it waits for the end of a cool-down, for the interceptors, and for a permit.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use crate::call::engine::Engine;
use crate::call::limiter::{Route, Slot};
use crate::error::{DeadlineExceeded, Delay, Error, Refused};
use crate::interceptor::{Admission, Denial, NextAttempt};
use crate::request::request::Request;
use crate::response::history::CallHistory;

/// How often a call checks whether the cool-down of other processes is over.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// Everything that an attempt holds while it runs. The fields are dropped in this order.
pub(super) struct AttemptPermit<'a> {
    /// The admission by the interceptors, if there are any.
    pub(super) admission: Option<Box<dyn Admission>>,
    pub(super) permit: Slot<'a>,
}

impl Engine {
    /// Returns the route whose calls a 429 to this request holds.
    pub(super) fn route(&self, request: &Request) -> Route {
        let is_plain = self.interceptors.is_empty();
        is_plain.then_some(request.operation().id)
    }

    /// Waits for the end of a cool-down, for the interceptors, and for a permit. It holds no permit while it waits for the first two.
    pub(super) async fn admit(
        &self,
        request: &Request,
        deadline: Instant,
        history: &CallHistory,
    ) -> Result<AttemptPermit<'_>, Error> {
        let operation = request.operation();
        let postponed = |delay| DeadlineExceeded::new(operation, history.clone(), delay);
        let route = self.route(request);
        loop {
            match self.interceptors.shared_pause() {
                Some(shared) => {
                    self.limiter.follow(shared.ended, shared.left);
                    // Another process may end the cool-down.
                    let Ok(ready) =
                        timeout(CHECK_INTERVAL, self.limiter.ready(route, deadline)).await
                    else {
                        continue;
                    };
                    ready
                }
                None => self.limiter.ready(route, deadline).await,
            }
            .map_err(postponed)?;
            let next = NextAttempt {
                request,
                number: history.attempts.saturating_add(1),
                deadline,
                idempotency_key: history.idempotency_key.as_deref(),
            };
            let admission = match self.interceptors.admit(next).await {
                Ok(admission) => admission,
                Err(Denial::Pause(pause)) => {
                    self.limiter.cool_down(route, pause);
                    // The pause of this client may be shorter than that of the others.
                    sleep(pause.min(CHECK_INTERVAL)).await;
                    continue;
                }
                Err(Denial::Late(what)) => return Err(postponed(Delay::Admission(what)).into()),
                Err(Denial::Refused {
                    cause,
                    kind,
                    is_retryable,
                }) => {
                    let history = history.clone().with_retry(None, is_retryable);
                    return Err(Refused::new(operation, history, kind, cause).into());
                }
            };
            let permit = self
                .limiter
                .permit(route, deadline)
                .await
                .map_err(postponed)?;
            // In the meantime, another call may have started a cool-down or invalidated this admission: if so, wait again.
            let is_current = admission
                .as_deref()
                .is_none_or(|admission| admission.is_current(request));
            if let Some(permit) = permit
                && is_current
            {
                return Ok(AttemptPermit { admission, permit });
            }
        }
    }
}
