//! The admission of an attempt: it waits for the end of a cool-down, for the interceptor, and for a permit.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use crate::call::engine::Engine;
use crate::call::limiter::{Route, Slot};
use crate::error::{DeadlineExceeded, Delay, Error, Refused};
use crate::interceptor::{Admission, Denial, NextAttempt};
use crate::request::request::Request;
use crate::response::history::CallHistory;

/// How often a call checks whether the cool-down of other processes is over.
const LOOK: Duration = Duration::from_millis(250);

/// Everything that an attempt holds while it runs. The fields are dropped in this order.
pub(super) struct AttemptPermit<'a> {
    /// The admission by the interceptor, if there is one.
    pub(super) admission: Option<Box<dyn Admission>>,
    pub(super) permit: Slot<'a>,
}

impl Engine {
    /// Returns the route whose calls a 429 to this request holds.
    pub(super) fn route(&self, request: &Request) -> Route {
        let is_plain = self.interceptor.is_none();
        is_plain.then_some(request.operation().id)
    }

    /// Waits for the end of a cool-down, for the interceptor, and for a permit. It holds no permit while it waits for the first two.
    pub(super) async fn turn(
        &self,
        request: &Request,
        deadline: Instant,
        course: &CallHistory,
    ) -> Result<AttemptPermit<'_>, Error> {
        let operation = request.operation();
        let postponed = |delay| DeadlineExceeded::new(operation, course.clone(), delay);
        let interceptor = self.interceptor.as_deref();
        let route = self.route(request);
        loop {
            match interceptor.and_then(|interceptor| interceptor.shared_pause()) {
                Some(shared) => {
                    self.pace.follow(shared.ended, shared.left);
                    // Another process may end the cool-down.
                    let Ok(ready) = timeout(LOOK, self.pace.ready(route, deadline)).await else {
                        continue;
                    };
                    ready
                }
                None => self.pace.ready(route, deadline).await,
            }
            .map_err(postponed)?;
            let admission = match interceptor {
                None => None,
                Some(interceptor) => {
                    let next = NextAttempt::new(request, course.attempts, deadline);
                    match interceptor.admit(next).await {
                        Ok(admission) => Some(admission),
                        Err(Denial::Pause(pause)) => {
                            self.pace.cool_down(route, pause);
                            // The pause of this client may be shorter than that of the others.
                            sleep(pause.min(LOOK)).await;
                            continue;
                        }
                        Err(Denial::Late(what)) => {
                            return Err(postponed(Delay::Admission(what)).into());
                        }
                        Err(Denial::Refused {
                            cause,
                            kind,
                            is_retryable,
                        }) => {
                            let course = course.clone().held(None, is_retryable);
                            return Err(Refused::new(operation, course, kind, cause).into());
                        }
                    }
                }
            };
            let permit = self.pace.permit(route, deadline).await.map_err(postponed)?;
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
