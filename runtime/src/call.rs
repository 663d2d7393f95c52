//! The attempt loop: reserve, send, classify, settle, and maybe wait and try again.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::{sleep, timeout_at};

use crate::api::Operation;
use crate::client::Shared;
use crate::credits::Credits;
use crate::decode::reported;
use crate::error::{BudgetExceeded, Error, Postponed, TransportError};
use crate::ledger::{Ask, Reservation};
use crate::outcome::Outcome;
use crate::pace::{ATTEMPTS, LONGEST_PAUSE, instant_after, pauses, retry_after};
use crate::price::Line;
use crate::request::Request;
use crate::retry::{Again, Ending, Money, rule};

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
}

/// What the last attempt brought.
pub(crate) type Answer = Result<http::Response<Bytes>, TransportError>;

impl Shared {
    /// Makes a call. The only place that sends anything.
    pub(crate) async fn call(&self, request: Request) -> Result<(Answer, Course), Error> {
        let operation = request.operation();
        let policy = request.retry.unwrap_or(self.retry);
        let deadline = instant_after(self.deadline);
        let message = request.clone().into_http(&self.base_url, &self.headers)?;
        let mut pauses = pauses();
        let mut outcome = Outcome::NotSent;
        let mut attempts = 0;
        loop {
            let slot = self.pace.slot(deadline).await;
            let slot = slot.map_err(|wait| Postponed::new(operation, outcome, attempts, wait))?;
            let (line, ask) = self.prices.ask(&request);
            let reserved = timeout_at(deadline, self.ledger.reserve(ask)).await;
            let reserved = reserved
                .map_err(|_| Postponed::new(operation, outcome, attempts, Duration::ZERO))?;
            let mut reservation = reserved
                .map_err(|error| BudgetExceeded::new(operation, outcome, attempts, error))?;
            // While this call waited for room, others may have begun a cool-down or seen a new price.
            let ready = self.pace.ready(deadline).await;
            ready.map_err(|wait| Postponed::new(operation, outcome, attempts, wait))?;
            if self.prices.ask(&request) != (line, ask) {
                continue;
            }
            reservation.hand_over();
            let answer = self.transport.send(message.clone()).await;
            attempts += 1;

            let (ending, hint) = self.ending(operation.charge, &answer);
            let (money, again) = rule(ending);
            let pause = pauses
                .next()
                .unwrap_or_default()
                .max(hint.unwrap_or_default());
            // Before the settlement and the place let anybody else go.
            if is_too_many_requests(&answer) {
                self.pace.cool_down(pause);
            }
            let is_price = answer
                .as_ref()
                .is_ok_and(|answer| answer.status().is_success());
            outcome = outcome.then(self.settle(operation, line, reservation, money, is_price));
            drop(slot);

            let is_free = ask == Ask::Exactly(Credits::ZERO) && self.prices.is_free(operation);
            let goes_on = policy.allows(again, is_free)
                && attempts < ATTEMPTS
                && pause <= LONGEST_PAUSE
                && instant_after(pause) < deadline;
            if !goes_on {
                let course = Course {
                    outcome,
                    attempts,
                    retry_after: hint,
                    is_retryable: again == Again::Yes,
                };
                return Ok((answer, course));
            }
            sleep(pause).await;
        }
    }

    /// How an attempt ended, and what the service said about when to come back.
    fn ending(&self, charge: Option<&str>, answer: &Answer) -> (Ending, Option<Duration>) {
        match answer {
            Err(error) => (Ending::Failed(error.kind()), None),
            Ok(answer) => {
                let hint = retry_after(answer.headers());
                let ending = Ending::Answered {
                    status: answer.status(),
                    retry_after: hint.is_some(),
                    reported: charge.and_then(|field| reported(answer.body(), field)),
                };
                (ending, hint)
            }
        }
    }

    /// Moves what was reserved to where it belongs now. `is_price`: a charge is what a call costs that works.
    fn settle(
        &self,
        operation: &'static Operation,
        line: Line,
        reservation: Reservation,
        money: Money,
        is_price: bool,
    ) -> Outcome {
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
                // Before the settlement lets somebody go at the old price.
                let has_risen = self.prices.note(line, operation, credits, is_price);
                reservation.charged(credits);
                if has_risen {
                    tracing::warn!(
                        operation = operation.id,
                        %credits,
                        "a call cost more than its known price"
                    );
                }
                Outcome::Charged(credits)
            }
            Money::AtRisk => {
                let amount = reservation.amount();
                reservation.at_risk();
                Outcome::Unknown(amount)
            }
        }
    }
}

fn is_too_many_requests(answer: &Answer) -> bool {
    answer
        .as_ref()
        .is_ok_and(|answer| answer.status() == http::StatusCode::TOO_MANY_REQUESTS)
}
