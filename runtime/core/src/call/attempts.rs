//! The attempt loop: wait, send, classify, settle, and retry after a pause if the policy allows it.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
#[cfg(feature = "tokens")]
use tokio::time::Instant;
use tokio::time::{sleep, timeout_at};
use tracing::{Instrument, Span};

use crate::call::admission::AttemptPermit;
use crate::call::drive::Ended;
use crate::call::engine::Engine;
use crate::call::limiter::LONGEST_PAUSE;
#[cfg(feature = "tokens")]
use crate::call::renewal;
use crate::call::retry::{AttemptResult, RetryClass, rule};
use crate::call::span::{self, AttemptSpan};
use crate::call::state::{CallState, Caller, Delivery};
use crate::call::trace_context::add_trace_context;
use crate::error::{Error, TransportError};
use crate::interceptor::{AttemptEnd, Repetition};
use crate::request::options::RetryPolicy;
use crate::request::request::Request;
use crate::response::history::Attempt;
use crate::response::request_id::request_id;
use crate::transport::body_stream::BodyStream;
use crate::transport::bounds::{whole, within};
use crate::transport::clock::instant_after;
use crate::transport::timeouts::Deadline;
use crate::transport::transport::TransportResult;
#[cfg(feature = "uploads")]
use crate::transport::transport::Whole;
#[cfg(feature = "uploads")]
use crate::transport::upload::Upload;

/// The result of a request.
struct Sent {
    response: TransportResult,
    body: Option<BodyStream>,
    span: Span,
}

/// A settled attempt.
pub(super) struct Attempted {
    pub(super) response: TransportResult,
    body: Option<BodyStream>,
    pub(super) result: AttemptResult,
    /// The pause before the next attempt.
    pause: Duration,
    repetition: Repetition,
    #[cfg(feature = "tokens")]
    pub(super) may_be_processed: bool,
}

impl Engine {
    /// Makes a call. Nothing else sends requests.
    ///
    /// The head of a success settles the call, even if its body is streamed: a body that is unread or truncated leaves nothing unsettled.
    pub(crate) async fn call(
        self: Arc<Self>,
        request: Request,
        caller: Caller,
    ) -> Result<Ended, Error> {
        let mut call = CallState::start(&self, request, caller).await?;
        loop {
            let mut permit = call.admit().await?;
            if let Some(arrivals) = &call.caller.arrivals {
                arrivals.confirm(&call.history).await?;
            }
            let sent = call.send(&mut permit).await;
            let attempted = call.settle(permit, sent).await;
            if let Some(last) = call.next(attempted).await? {
                return Ok(Ended {
                    response: last.response,
                    body: last.body,
                    history: call.history,
                });
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

impl CallState<'_> {
    /// Sends the request. The attempt is in flight until it is settled.
    async fn send(&mut self, permit: &mut AttemptPermit<'_>) -> Sent {
        let operation = self.request.operation();
        let span = AttemptSpan::new(&self.address, operation, self.history.attempts);
        let guard = permit.guard.as_mut();
        let own_span = guard.as_ref().and_then(|guard| guard.span(span));
        let span = own_span.unwrap_or_else(|| span.open());
        // Before the attempt is in flight: the program writes these headers, and may panic.
        let mut message = mem::take(&mut self.message);
        if let Some(context) = &self.engine.trace_context {
            span.in_scope(|| add_trace_context(context, message.headers_mut()));
        }
        let record = guard.and_then(|guard| guard.sent(self.history.record.as_ref()));
        self.caller.progress.note(self.history.in_flight(record));
        self.caller.progress.set_in_flight(true);
        let sent = self.exchange_until(message);
        let (mut response, body) = sent.instrument(span.clone()).await;
        if let Err(error) = &mut response {
            if let Some(secrets) = self.engine.credentials.secrets() {
                error.guard(&secrets);
            }
            if let Some(partial) = error.partial_mut() {
                self.engine.guard(partial.headers_mut());
            }
        }
        Sent {
            response,
            body,
            span,
        }
    }

    /// Sends one request, and gives up at the deadline.
    async fn exchange_until(
        &self,
        mut message: http::Request<Bytes>,
    ) -> (TransportResult, Option<BodyStream>) {
        let Some(deadline) = self.cut else {
            return self.exchange(message).await;
        };
        message.extensions_mut().insert(deadline);
        let sent = timeout_at(deadline.0, self.exchange(message)).await;
        sent.unwrap_or_else(|_| (Err(Deadline::passed()), None))
    }

    async fn exchange(
        &self,
        message: http::Request<Bytes>,
    ) -> (TransportResult, Option<BodyStream>) {
        let transport = &self.engine.transport;
        let is_whole = self.caller.delivery == Delivery::Whole;
        #[cfg(feature = "uploads")]
        let mut message = message;
        #[cfg(feature = "uploads")]
        if let Some(upload) = message.extensions_mut().remove::<Upload>() {
            if is_whole {
                message.extensions_mut().insert(Whole);
            }
            let message = message.map(|_| upload.open());
            return self.arrive(transport.send_body(message).await).await;
        }
        if is_whole {
            let response = transport.send(message).await;
            let bounds = self.engine.bounds;
            return (response.and_then(|response| within(response, bounds)), None);
        }
        self.arrive(transport.send_stream(message).await).await
    }

    /// Reads a response, unless its body is to be streamed.
    async fn arrive(
        &self,
        sent: Result<http::Response<BodyStream>, TransportError>,
    ) -> (TransportResult, Option<BodyStream>) {
        let is_streamed = self.caller.delivery == Delivery::Head;
        match sent {
            Ok(response) if is_streamed && response.status().is_success() => {
                let (head, body) = response.into_parts();
                let head = http::Response::from_parts(head, Bytes::new());
                (Ok(head), Some(body))
            }
            Ok(response) => {
                let limit = self.engine.bounds.of(response.status());
                (whole(response, limit).await, None)
            }
            Err(error) => (Err(error), None),
        }
    }

    /// Settles an attempt, and releases its permit.
    async fn settle(&mut self, mut permit: AttemptPermit<'_>, sent: Sent) -> Attempted {
        let response = sent.response;
        let result = AttemptResult::of(&response);
        let hint = result.retry_after();
        let backoff = self.pauses.next().unwrap_or_default();
        let pause = backoff.max(hint.unwrap_or_default());
        // Start the cool-down first: the settlement and the freed permit can each let another call start.
        let cool_down = result.is_too_many_requests().then(|| self.cool_down(pause));
        let settled = permit.guard.take().map(|guard| {
            guard.ended(AttemptEnd {
                response: &response,
                retry_after: hint,
                request_id: self.engine.request_id(&response),
                pause: cool_down,
                before: self.history.record.as_ref(),
                #[cfg(feature = "idempotency")]
                is_keyed: self.is_keyed(pause),
                span: &sent.span,
            })
        });
        let settled = settled.unwrap_or_default();
        if let (Some(arrivals), Ok(response)) = (&self.caller.arrivals, &response) {
            let record = settled.record.as_ref();
            arrivals.arrived(response, record.or(self.history.record.as_ref()));
        }
        // From here on, dropping the call loses nothing. A caller who gives up at the deadline leaves no response behind.
        self.caller.progress.set_in_flight(false);
        if let Some(pending) = settled.pending {
            _ = timeout_at(self.deadline, pending).await;
        }
        // Release the permit last, so that the next call already sees the result of this attempt.
        drop(permit);
        span::end_attempt(sent.span, result);
        self.history.record = settled.record.or(self.history.record.take());
        self.history.attempts = self.history.attempts.saturating_add(1);
        self.history.retry_after = hint;
        Attempted {
            response,
            body: sent.body,
            result,
            pause,
            repetition: settled.repetition,
            #[cfg(feature = "tokens")]
            may_be_processed: settled.may_be_processed,
        }
    }

    /// Starts the cool-down after a 429, and returns its length.
    fn cool_down(&self, pause: Duration) -> Duration {
        let (limiter, route) = (&self.engine.limiter, self.route());
        limiter.cool_down(route, pause);
        let left = limiter.cool_down_left(route).unwrap_or(pause);
        span::cool_down(self.request.operation(), route, left);
        left
    }

    /// Prepares the next attempt. Returns the attempt if it is the last one.
    async fn next(&mut self, attempted: Attempted) -> Result<Option<Attempted>, Error> {
        let again = rule(attempted.result);
        let repetition = attempted.repetition;
        let policy = self.request.options.retry.unwrap_or(self.engine.retry);
        let is_spent = self.request.is_spent();
        let is_idempotent = self.request.operation().is_idempotent();
        let is_repeatable = RetryPolicy::Standard.allows(again, repetition, is_idempotent);
        // A caller who repeats the call has another key: only attempts of this call share one.
        #[cfg(feature = "idempotency")]
        let is_idempotent = is_idempotent || self.is_keyed(attempted.pause);
        let is_allowed = policy.allows(again, repetition, is_idempotent);
        self.history.is_retryable = is_repeatable && !is_spent;
        self.history.is_body_spent = (is_repeatable || is_allowed) && is_spent;
        let arrived = attempted.response.as_ref().ok();
        if arrived.is_some_and(|arrived| arrived.status().is_success()) {
            #[cfg(feature = "tokens")]
            self.credentials.accept();
            self.engine.retries.give_back();
        }
        let may_continue = self.history.attempts < RetryPolicy::MOST_ATTEMPTS
            && !self.caller.progress.is_abandoned();
        #[cfg(feature = "tokens")]
        if renewal::is_token_refused(self, &attempted) {
            let is_retryable = renewal::refuse_token(self, &attempted, is_spent);
            let is_wanted = policy != RetryPolicy::Never && Instant::now() < self.deadline;
            if is_retryable && is_wanted && may_continue {
                return renewal::renew(self, attempted).await;
            }
        }
        #[cfg(feature = "idempotency")]
        if again == RetryClass::IfIdempotent && policy != RetryPolicy::Always {
            self.end_with_key();
        }
        let is_retried = is_allowed
            && may_continue
            && attempted.pause <= LONGEST_PAUSE
            && instant_after(attempted.pause) < self.latest
            && !is_spent
            && self.engine.retries.take(attempted.result);
        if !is_retried {
            return Ok(Some(attempted));
        }
        self.keep(attempted.response);
        let (operation, attempts) = (self.request.operation(), self.history.attempts);
        span::retry(operation, attempted.result, attempts, attempted.pause);
        self.write()?;
        sleep(attempted.pause).await;
        Ok(None)
    }

    /// Keeps an attempt that is followed by another one.
    pub(super) fn keep(&mut self, response: TransportResult) {
        let (failure, arrived) = match response {
            Ok(response) => (None, Some(response)),
            Err(error) => (Some(error.kind()), error.into_partial()),
        };
        let (parts, body) = arrived.map(http::Response::into_parts).unzip();
        let status = parts.as_ref().map(|parts| parts.status);
        let mut headers = parts.map(|parts| parts.headers).unwrap_or_default();
        self.engine.guard(&mut headers);
        self.history.keep(Attempt {
            record: self.history.record.clone(),
            failure,
            status,
            headers,
            body: body.unwrap_or_default(),
        });
        self.caller.progress.note(self.history.clone());
    }
}
