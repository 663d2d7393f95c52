//! The attempt loop: reserve, send, classify, settle, and retry after a pause if the policy allows it.

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderMap;
use tokio::time::{Instant, sleep, timeout_at};
use tracing::Instrument;

use crate::account::{Aftermath, HeldRisk, Hold, Settlement};
use crate::call::drive::Progress;
use crate::call::engine::{DEADLINE, Engine};
use crate::call::limiter::{ATTEMPTS, LONGEST_PAUSE, pauses};
use crate::call::prices::{KnownPrice, Line};
use crate::call::retry::{AttemptResult, Billing, rule};
use crate::call::span;
use crate::credentials::grant::{Grant, TooLong};
use crate::credentials::wallet::Refusal;
use crate::error::Delay;
use crate::error::{CredentialError, DeadlineExceeded, Error};
use crate::money::credits::Credits;
use crate::money::ledger::Reservation;
use crate::money::outcome::Outcome;
use crate::money::spend::SpendEvent;
use crate::request::options::RetryPolicy;
use crate::request::request::Request;
use crate::response::history::{Attempt, CallHistory, Trail, bound};
use crate::response::request_id::request_id;
use crate::transport::body_stream::BodyStream;
use crate::transport::bounds::whole;
use crate::transport::clock::instant_after;
use crate::transport::redirects::Elsewhere;
use crate::transport::timeouts::Deadline;
use crate::transport::transport::{TransportResult, Whole};
use crate::transport::upload::Upload;

/// How far a response is read before a call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    Whole,
    /// To the head of a success. Every other response is read whole.
    Head,
}

/// How a call ended.
pub(crate) struct Ended {
    /// Without a body if that follows.
    pub(crate) response: TransportResult,
    /// The body of a success that follows its head.
    pub(crate) body: Option<BodyStream>,
    pub(crate) course: CallHistory,
}

impl Engine {
    /// Makes a call. The only place that sends anything.
    ///
    /// The head of a success settles the call, also if its body follows: a body that nobody reads or that breaks off then leaves nothing
    /// reserved, and no later part of it reports a charge.
    pub(crate) async fn call(
        self: Arc<Self>,
        request: Request,
        progress: Arc<Progress>,
        trail: Arc<Trail>,
        delivery: Delivery,
    ) -> Result<Ended, Error> {
        let operation = request.operation();
        let policy = request.retry.unwrap_or(self.retry);
        let stated = request.deadline.or(self.deadline);
        let deadline = instant_after(stated.unwrap_or(DEADLINE));
        // What an attempt brings is paid for: only a deadline that the caller states cuts it. A detached one goes on without its caller.
        let is_detached = request.is_detached.unwrap_or(self.is_detached);
        let cut = stated.filter(|_| !is_detached).map(|_| Deadline(deadline));
        let address = self.address(&request)?;
        let line = Line::of(&request);
        let written =
            || request.to_http(&address, self.api.auth, &self.usual_headers, &self.headers);
        let mut message = written()?;
        let mut pauses = pauses();
        let mut course = CallHistory::start(self.api.is_metered);
        let mut grant = self.grant(&request, deadline, &course).await?;
        let mut is_renewed = false;
        let is_idempotent = operation.is_idempotent();
        loop {
            let mut turn = self.turn(&request, &line, deadline, &course).await?;
            if grant.is_stale() {
                // It grew old in the queue. Nothing is held while another one is obtained.
                drop(turn);
                grant = self.grant(&request, deadline, &course).await?;
                turn = self.turn(&request, &line, deadline, &course).await?;
            }
            grant
                .put_on(&mut message)
                .map_err(|TooLong| request.no_room())?;
            let reserved = turn.reservation.amount();
            let shown = reserved.filter(|_| self.api.is_metered);
            let span = span::attempt(&address, operation, course.attempts, shown);
            span::unknown_price(operation, turn.known, reserved);
            let attempt = course.attempts.saturating_add(1);
            turn.reservation.label(operation.id, attempt);
            let lost = turn.reservation.lost();
            let held = turn.hold.as_ref().map(Hold::risk);
            trail.note(
                course.in_flight(turn.known.credits()),
                Some((lost, held.clone())),
            );
            turn.reservation.hand_over();
            if let Some(hold) = &mut turn.hold {
                hold.hand_over();
            }
            progress.set_in_flight(true);
            let sent = self.exchange_until(cut, message, delivery);
            let (mut response, body) = sent.instrument(span.clone()).await;
            if let Err(error) = &mut response {
                if let Some(secrets) = self.wallet.secrets() {
                    error.guard(&secrets);
                }
                if let Some(partial) = error.partial_mut() {
                    self.guard(partial.headers_mut());
                }
            }

            let ending = AttemptResult::of(&response, operation.charge.or(self.api.charge));
            let (money, again) = rule(ending, &self.unbilled);
            let hint = ending.retry_after();
            let pause = pauses
                .next()
                .unwrap_or_default()
                .max(hint.unwrap_or_default());
            // Start the cool-down first: the settlement and the freed permit can each let another call start.
            let is_held = ending.is_too_many_requests();
            if is_held {
                self.pace.cool_down(pause);
                span::cool_down(operation, self.pace.cooling().unwrap_or(pause));
            }
            self.prices.note(&line, &ending);
            let is_free = !self.api.is_metered
                || turn.known.credits() == Some(Credits::ZERO) && self.prices.is_free(&line);
            span::surprise(operation, turn.known, ending.report().credits());
            let request_id = self.request_id(&response);
            turn.reservation.request_id(request_id.clone());
            let ended = self.settle(
                turn.reservation,
                turn.known,
                money,
                is_free,
                held,
                &mut course,
            );
            let (outcome, settlement) = ended;
            let settling = turn.hold.map(|hold| {
                let aftermath = Aftermath {
                    went_through: !is_held,
                    cool_down: is_held.then(|| self.pace.cooling().unwrap_or(pause)),
                    price: self.prices.shown(&line),
                    request_id,
                };
                hold.settle(settlement, aftermath)
            });
            self.observe(operation, SpendEvent::of(outcome));
            // From here on nothing is lost with the call. A caller who leaves at the deadline does not leave a response behind.
            progress.set_in_flight(false);
            if let Some(settling) = settling {
                _ = timeout_at(deadline, settling).await;
            }
            // Release the permit last: the next call then already sees the cost of this attempt.
            match is_held {
                true => drop(turn.permit),
                false => turn.permit.went_through(),
            }
            span::end_attempt(span, ending, self.api.is_metered.then_some(outcome));

            course.outcome = course.outcome.then(outcome);
            course.attempts = attempt;
            course.retry_after = hint;
            let is_spent = request.is_spent();
            let is_repeatable = RetryPolicy::Unbilled.allows(again, is_free, is_idempotent);
            course.is_retryable = is_repeatable && !is_spent;
            let is_wanted = is_repeatable || policy.allows(again, is_free, is_idempotent);
            course.is_body_spent = is_wanted && is_spent;
            course.reported = ending.report().credits();
            if response
                .as_ref()
                .is_ok_and(|arrived| arrived.status().is_success())
            {
                grant.accept();
                self.retries.give_back();
            }
            // After a redirect to another origin, no credentials were sent.
            let is_elsewhere =
                |arrived: &http::Response<Bytes>| arrived.extensions().get::<Elsewhere>().is_some();
            let is_refused = ending.is_unauthorized() && !response.as_ref().is_ok_and(is_elsewhere);
            if is_refused && grant.is_renewable() {
                grant.refuse();
                // A refused token says nothing against the call itself: what was certainly not billed may go again, with another one.
                let is_unbilled =
                    matches!(money, Billing::Rejected | Billing::Charged(Credits::ZERO));
                course.is_retryable = is_unbilled && !is_renewed && !is_spent;
                course.is_body_spent = is_spent;
                let is_wanted = policy != RetryPolicy::Never
                    && attempt < ATTEMPTS
                    && Instant::now() < deadline
                    && !progress.is_abandoned();
                course.is_token_refused = course.is_retryable;
                if course.is_retryable && is_wanted {
                    is_renewed = true;
                    let mut kept = course.clone();
                    if let Ok(arrived) = &response {
                        kept.keep(Attempt::of(Ok(arrived.clone()), outcome, |headers| {
                            self.guard(headers)
                        }));
                    }
                    trail.note(kept.clone(), None);
                    let renewed = self.grant(&request, deadline, &kept).await?;
                    if renewed.is_same(&grant) {
                        course.is_token_refused = false;
                        course.is_retryable = false;
                        return Ok(Ended {
                            response,
                            body,
                            course,
                        });
                    }
                    grant = renewed;
                    kept.is_token_refused = false;
                    course = kept;
                    message = written()?;
                    continue;
                }
            }
            let goes_on = policy.allows(again, is_free, is_idempotent)
                && attempt < ATTEMPTS
                && pause <= LONGEST_PAUSE
                && instant_after(pause) < deadline
                && !progress.is_abandoned()
                && !is_spent
                && self.retries.take(ending);
            if !goes_on {
                return Ok(Ended {
                    response,
                    body,
                    course,
                });
            }
            course.keep(Attempt::of(response, outcome, |headers| {
                self.guard(headers)
            }));
            trail.note(course.clone(), None);
            span::retry(operation, ending, attempt, pause);
            message = written()?;
            sleep(pause).await;
        }
    }

    /// Sends one request, and gives up at the deadline.
    async fn exchange_until(
        &self,
        cut: Option<Deadline>,
        mut message: http::Request<Bytes>,
        delivery: Delivery,
    ) -> (TransportResult, Option<BodyStream>) {
        let Some(deadline) = cut else {
            return self.exchange(message, delivery).await;
        };
        message.extensions_mut().insert(deadline);
        let sent = timeout_at(deadline.0, self.exchange(message, delivery)).await;
        sent.unwrap_or_else(|_| (Err(Deadline::passed()), None))
    }

    /// Sends one request.
    async fn exchange(
        &self,
        mut message: http::Request<Bytes>,
        delivery: Delivery,
    ) -> (TransportResult, Option<BodyStream>) {
        let sent = match (message.extensions_mut().remove::<Upload>(), delivery) {
            (None, Delivery::Whole) => return (self.transport.send(message).await, None),
            (None, Delivery::Head) => self.transport.send_stream(message).await,
            (Some(upload), delivery) => {
                if delivery == Delivery::Whole {
                    message.extensions_mut().insert(Whole);
                }
                let message = message.map(|_| upload.open());
                self.transport.send_body(message).await
            }
        };
        match sent {
            Ok(response) if delivery == Delivery::Head && response.status().is_success() => {
                let (head, body) = response.into_parts();
                let head = http::Response::from_parts(head, Bytes::new());
                (Ok(head), Some(body))
            }
            Ok(response) => {
                let limit = self.bounds.of(response.status());
                (whole(response, limit).await, None)
            }
            Err(error) => (Err(error), None),
        }
    }

    /// The credentials of an attempt, refreshed where that is due.
    async fn grant(
        &self,
        request: &Request,
        deadline: Instant,
        course: &CallHistory,
    ) -> Result<Grant, Error> {
        let operation = request.operation();
        let grant = timeout_at(deadline, self.wallet.grant(request.security))
            .await
            .map_err(|_| DeadlineExceeded::new(operation, course.clone(), Delay::Token))?;
        grant.map_err(|refusal| {
            let course = course.clone();
            Error::from(match refusal {
                Refusal::Missing(needed) => CredentialError::missing(operation, course, needed),
                Refusal::Provider(scheme, failure) => {
                    CredentialError::provider(operation, course, scheme, failure)
                }
            })
        })
    }

    /// Settles the reservation as a refund, a charge or at risk.
    fn settle(
        &self,
        reservation: Reservation,
        known: KnownPrice,
        money: Billing,
        is_free: bool,
        held: Option<HeldRisk>,
        course: &mut CallHistory,
    ) -> (Outcome, Settlement) {
        match money {
            Billing::NotSent => {
                reservation.refund();
                (Outcome::NotSent, Settlement::Refund)
            }
            Billing::Rejected => {
                reservation.refund();
                (Outcome::Rejected, Settlement::Refund)
            }
            Billing::Charged(credits) => {
                reservation.charged(credits);
                (Outcome::Charged(credits), Settlement::Charge(credits))
            }
            Billing::AtRisk if is_free => {
                reservation.charged(Credits::ZERO);
                let outcome = Outcome::Unknown(Some(Credits::ZERO));
                (outcome, Settlement::Charge(Credits::ZERO))
            }
            Billing::AtRisk => {
                course.at_risk(&self.ledger, reservation.at_risk(), held);
                (Outcome::Unknown(bound(known.credits())), Settlement::Risk)
            }
        }
    }

    /// Returns the request id in the headers of a full or partial response, redacted.
    fn request_id(&self, response: &TransportResult) -> Option<String> {
        let headers = match response {
            Ok(response) => response.headers(),
            Err(error) => error.partial()?.headers(),
        };
        Some(self.redact(request_id(headers)?))
    }
}

impl Attempt {
    fn of(response: TransportResult, outcome: Outcome, guard: impl Fn(&mut HeaderMap)) -> Self {
        let (failure, arrived) = match response {
            Ok(response) => (None, Some(response)),
            Err(error) => (Some(error.kind()), error.into_partial()),
        };
        let (parts, body) = arrived.map(http::Response::into_parts).unzip();
        let status = parts.as_ref().map(|parts| parts.status);
        let mut headers = parts.map(|parts| parts.headers).unwrap_or_default();
        guard(&mut headers);
        Self {
            outcome,
            failure,
            status,
            headers,
            body: body.unwrap_or_default(),
        }
    }
}
