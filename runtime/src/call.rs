//! The attempt loop: reserve, send, classify, settle, and maybe wait and try again.

use std::time::Duration;

use bytes::Bytes;
use tokio::sync::SemaphorePermit;
use tokio::time::{Instant, sleep, timeout_at};
use tracing::Instrument;

use crate::client::Shared;
use crate::credits::Credits;
use crate::error::{BudgetExceeded, Error, Postponed, TransportError};
use crate::ledger::{Ask, Reservation};
use crate::outcome::Outcome;
use crate::pace::{ATTEMPTS, LONGEST_PAUSE, instant_after, pauses};
use crate::price::Line;
use crate::request::Request;
use crate::retry::{Ending, Money, RetryPolicy, rule};
use crate::span;

/// How a call went, up to and including its last attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Course {
    /// What all attempts together did to the money.
    pub(crate) outcome: Outcome,
    /// How many were made.
    pub(crate) attempts: u32,
    /// What the service said about when to come back.
    pub(crate) retry_after: Option<Duration>,
    /// Whether the same call could be made again without a second charge, and might work.
    pub(crate) is_retryable: bool,
    /// What the last answer said the call cost.
    pub(crate) reported: Option<Credits>,
}

impl Course {
    const START: Self = Self {
        outcome: Outcome::NotSent,
        attempts: 0,
        retry_after: None,
        is_retryable: true,
        reported: None,
    };

    /// The course of a call whose next attempt is not made, for now.
    pub(crate) fn held(self, retry_after: Option<Duration>) -> Self {
        Self {
            retry_after,
            is_retryable: true,
            ..self
        }
    }
}

/// What the last attempt brought.
pub(crate) type Answer = Result<http::Response<Bytes>, TransportError>;

/// What an attempt holds while it runs; let go in this order.
struct Turn<'a> {
    reservation: Reservation,
    place: Option<SemaphorePermit<'a>>,
    line: Line,
    ask: Ask,
}

impl Shared {
    /// Makes a call. The only place that sends anything.
    pub(crate) async fn call(&self, request: Request) -> Result<(Answer, Course), Error> {
        let operation = request.operation();
        let policy = request.retry.unwrap_or(self.retry);
        let deadline = instant_after(self.deadline);
        let message = request.clone().into_http(&self.base_url, &self.headers)?;
        let mut pauses = pauses();
        let mut course = Course::START;
        loop {
            let mut turn = self.turn(&request, deadline, course).await?;
            let reserved = turn.reservation.amount();
            let span = span::attempt(&self.base_url, operation, course.attempts, reserved);
            turn.reservation.hand_over();
            let sent = self.transport.send(message.clone());
            let answer = sent.instrument(span.clone()).await;

            let ending = Ending::of(&answer, operation.charge.or(self.api.charge));
            let (money, again) = rule(ending);
            let hint = ending.retry_after();
            let pause = pauses
                .next()
                .unwrap_or_default()
                .max(hint.unwrap_or_default());
            // Before the settlement and the place let anybody else go.
            if ending.is_too_many_requests() {
                self.pace.cool_down(pause);
            }
            let surprise = self.prices.note(&turn.line, ending);
            let is_free = turn.ask == Ask::Exactly(Credits::ZERO) && self.prices.is_free(operation);
            let outcome = settle(turn.reservation, money, is_free);
            drop(turn.place);
            span::end_attempt(span, ending, outcome);
            span::surprise(operation, surprise);

            course = Course {
                outcome: course.outcome.then(outcome),
                attempts: course.attempts + 1,
                retry_after: hint,
                is_retryable: RetryPolicy::Unbilled.allows(again, is_free),
                reported: ending.reported(),
            };
            let goes_on = policy.allows(again, is_free)
                && course.attempts < ATTEMPTS
                && pause <= LONGEST_PAUSE
                && instant_after(pause) < deadline;
            if !goes_on {
                return Ok((answer, course));
            }
            sleep(pause).await;
        }
    }

    /// Waits until an attempt may be made: for a place, for the budget, and for the end of a cool-down.
    async fn turn(
        &self,
        request: &Request,
        deadline: Instant,
        course: Course,
    ) -> Result<Turn<'_>, Error> {
        let operation = request.operation();
        let postponed = |wait| Postponed::new(operation, course, wait);
        loop {
            let place = self.pace.slot(deadline).await.map_err(postponed)?;
            let (line, ask) = self.prices.ask(request);
            let reservation = timeout_at(deadline, self.ledger.reserve(ask))
                .await
                .map_err(|_| postponed(Duration::ZERO))?
                .map_err(|error| BudgetExceeded::new(operation, course, error))?;
            // While this call waited for room, others may have begun a cool-down or seen a new price.
            self.pace.ready(deadline).await.map_err(postponed)?;
            if self.prices.ask(request).1 == ask {
                return Ok(Turn {
                    reservation,
                    place,
                    line,
                    ask,
                });
            }
        }
    }
}

/// Moves what was reserved to where it belongs now.
fn settle(reservation: Reservation, money: Money, is_free: bool) -> Outcome {
    match money {
        Money::NotSent => {
            reservation.refund();
            Outcome::NotSent
        }
        Money::Rejected => {
            reservation.refund();
            Outcome::Rejected
        }
        Money::Charged(credits) => {
            reservation.charged(credits);
            Outcome::Charged(credits)
        }
        Money::AtRisk => {
            let amount = reservation.amount();
            reservation.at_risk();
            // Nothing set aside is no bound, unless there is nothing to pay.
            Outcome::Unknown(amount.filter(|amount| is_free || *amount > Credits::ZERO))
        }
    }
}
