//! The attempt loop: wait, send, classify, settle, and retry after a pause if the policy allows it.

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderMap;
use tokio::time::{Instant, sleep, timeout_at};
use tracing::Instrument;

use crate::call::admission::Admitted;
use crate::call::body::{EarlyBody, Panic, Reader};
use crate::call::drive::Progress;
use crate::call::engine::{DEADLINE, Engine};
use crate::call::limiter::{LONGEST_PAUSE, pauses};
use crate::call::retry::{AttemptResult, RetryClass, rule};
use crate::call::span::{self, AttemptSpan};
use crate::credentials::attempt::{AttemptCredentials, TooLong};
use crate::credentials::store::NoCredentials;
use crate::error::Delay;
use crate::error::{CredentialError, DeadlineExceeded, Error};
use crate::interceptor::{Answered, AttemptEnd, Noticed, Record, Repetition};
use crate::request::options::RetryPolicy;
use crate::request::request::Request;
use crate::response::history::{Attempt, CallHistory, SharedHistory};
use crate::response::request_id::request_id;
use crate::transport::body_stream::BodyStream;
use crate::transport::bounds::whole;
use crate::transport::clock::instant_after;
use crate::transport::redirects::OtherOrigin;
use crate::transport::timeouts::Deadline;
use crate::transport::transport::{TransportResult, Whole};
use crate::transport::upload::Upload;

/// How much of a response is read before its call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    Whole,
    /// Up to the head of a success. Every other response is read completely.
    Head,
}

pub(crate) struct Ended {
    /// Has no body if `body` streams it.
    pub(crate) response: TransportResult,
    /// The body of a success, streamed after its head.
    pub(crate) body: Option<BodyStream>,
    /// The panic of the reader, if it has already read the body.
    pub(crate) panic: Option<Panic>,
    pub(crate) history: CallHistory,
}

impl Ended {
    /// Ends a call with the response of an interceptor.
    fn answered(
        response: http::Response<Bytes>,
        mut history: CallHistory,
        is_idempotent: bool,
    ) -> Self {
        let response = Ok(response);
        let ending = AttemptResult::of(&response);
        let again = rule(ending);
        history.retry_after = ending.retry_after();
        history.is_retryable = RetryPolicy::Standard.allows(again, Repetition::Free, is_idempotent);
        history.record.get_or_insert_with(|| Arc::new(Answered));
        Self {
            response,
            body: None,
            panic: None,
            history,
        }
    }
}

impl Engine {
    /// Makes a call. Nothing else sends requests.
    ///
    /// The head of a success settles the call, even if its body is streamed: a body that is unread or truncated leaves nothing unsettled.
    pub(crate) async fn call(
        self: Arc<Self>,
        request: Request,
        progress: Arc<Progress>,
        shared_history: Arc<SharedHistory>,
        delivery: Delivery,
        reader: Option<Arc<dyn Reader>>,
    ) -> Result<Ended, Error> {
        let operation = request.operation();
        let route = self.route(&request);
        let policy = request.retry.unwrap_or(self.retry);
        let stated = request.deadline.or(self.deadline);
        let deadline = instant_after(stated.unwrap_or(DEADLINE));
        // Only an explicit deadline cancels an attempt. A detached attempt continues without its caller.
        let is_detached = request.is_detached.unwrap_or(self.is_detached);
        let cut = stated.filter(|_| !is_detached).map(|_| Deadline(deadline));
        let address = self.address(&request)?;
        let key = request.key(self.api.auth)?;
        let written = || {
            let mut message = request.to_http(&address, self.api.auth, &self.headers)?;
            if let Some(key) = &key {
                key.apply_to(message.headers_mut());
            }
            Ok::<_, Error>(message)
        };
        let first = Instant::now();
        let is_known = |pause| {
            let key = key.as_ref();
            key.is_some_and(|key| key.holds(first.elapsed().saturating_add(pause)))
        };
        let mut message = written()?;
        let mut pauses = pauses();
        let mut history = CallHistory::start();
        history.idempotency_key = key.as_ref().map(|key| key.as_str().into());
        let mut credentials = self
            .obtain_credentials(&request, deadline, &history)
            .await?;
        let mut is_renewed = false;
        let is_idempotent = operation.is_idempotent();
        // After an attempt that may have been processed, also one of an earlier call with the key, the next one goes out while the service
        // knows the key.
        let stored = key.as_ref().filter(|key| key.is_used());
        let end = stored.and_then(|key| key.end(first));
        let mut latest = end.map_or(deadline, |end| deadline.min(end));
        loop {
            let uri = message.uri();
            let mut admitted = self.admit(&request, uri, latest, &history).await?;
            if credentials.is_stale() && matches!(admitted, Admitted::Permit(_)) {
                // A token expired in the queue. The call holds no permit while it obtains a new one.
                drop(admitted);
                credentials = self.obtain_credentials(&request, latest, &history).await?;
                admitted = self.admit(&request, uri, latest, &history).await?;
            }
            let mut admitted = match admitted {
                Admitted::Permit(permit) => permit,
                Admitted::Answered(response) => {
                    return Ok(Ended::answered(response, history, is_idempotent));
                }
            };
            credentials
                .apply_to(&mut message)
                .map_err(|TooLong| request.no_room())?;
            let span = AttemptSpan::new(&address, operation, history.attempts);
            let own_span = admitted.guard.as_ref().and_then(|guard| guard.span(span));
            let span = own_span.unwrap_or_else(|| span.open());
            let attempt = history.attempts.saturating_add(1);
            let before = history.record.clone();
            let guard = admitted.guard.as_mut();
            let record = guard.and_then(|guard| guard.sent(before.as_ref()));
            shared_history.note(history.in_flight(record));
            progress.set_in_flight(true);
            let sent = self.exchange_until(cut, message, delivery);
            let (mut response, body) = sent.instrument(span.clone()).await;
            if let Err(error) = &mut response {
                if let Some(secrets) = self.credentials.secrets() {
                    error.guard(&secrets);
                }
                if let Some(partial) = error.partial_mut() {
                    self.guard(partial.headers_mut());
                }
            }

            let ending = AttemptResult::of(&response);
            let again = rule(ending);
            let hint = ending.retry_after();
            let pause = pauses
                .next()
                .unwrap_or_default()
                .max(hint.unwrap_or_default());
            // Start the cool-down first: the settlement and the freed permit can each let another call start.
            let is_rate_limited = ending.is_too_many_requests();
            if is_rate_limited {
                self.limiter.cool_down(route, pause);
                span::cool_down(
                    operation,
                    route,
                    self.limiter.cool_down_left(route).unwrap_or(pause),
                );
            }
            let secrets = self.credentials.secrets();
            let guard = admitted.guard.as_deref();
            let early = EarlyBody::read(&response, guard, secrets.as_ref(), reader.as_deref());
            let settled = admitted.guard.map(|guard| {
                guard.ended(AttemptEnd {
                    request: &request,
                    response: &response,
                    noticed: early.as_ref().map_or(Noticed::Unread, EarlyBody::noticed),
                    retry_after: hint,
                    request_id: self.request_id(&response),
                    pause: is_rate_limited
                        .then(|| self.limiter.cool_down_left(route).unwrap_or(pause)),
                    before: before.as_ref(),
                    is_keyed: is_known(pause),
                    span: &span,
                })
            });
            let settled = settled.unwrap_or_default();
            let repetition = settled.repetition;
            // From here on, dropping the call loses nothing. A caller who gives up at the deadline leaves no response behind.
            progress.set_in_flight(false);
            if let Some(pending) = settled.pending {
                _ = timeout_at(deadline, pending).await;
            }
            // Release the permit last, so that the next call already sees the result of this attempt.
            if is_rate_limited {
                drop(admitted.permit)
            } else {
                admitted.permit.finish()
            }
            span::end_attempt(span, ending);

            history.record = settled.record;
            history.attempts = attempt;
            history.retry_after = hint;
            let is_spent = request.is_spent();
            let is_repeatable = RetryPolicy::Standard.allows(again, repetition, is_idempotent);
            history.is_retryable = is_repeatable && !is_spent;
            // A caller who repeats the call has another key: only attempts of this call share one.
            let is_idempotent = is_idempotent || is_known(pause);
            let is_wanted = is_repeatable || policy.allows(again, repetition, is_idempotent);
            history.is_body_spent = is_wanted && is_spent;
            if response
                .as_ref()
                .is_ok_and(|arrived| arrived.status().is_success())
            {
                credentials.accept();
                self.retries.give_back();
            }
            // After a redirect to another origin, no credentials were sent.
            let is_elsewhere = |arrived: &http::Response<Bytes>| {
                arrived.extensions().get::<OtherOrigin>().is_some()
            };
            let is_refused = ending.is_unauthorized() && !response.as_ref().is_ok_and(is_elsewhere);
            if is_refused && credentials.is_renewable() {
                credentials.refuse();
                // Only the token was refused: a request that was certainly rejected may be retried with another one.
                history.is_retryable = !settled.may_be_processed && !is_renewed && !is_spent;
                history.is_body_spent = is_spent;
                let is_wanted = policy != RetryPolicy::Never
                    && attempt < RetryPolicy::MOST_ATTEMPTS
                    && Instant::now() < deadline
                    && !progress.is_abandoned();
                history.is_token_refused = history.is_retryable;
                if history.is_retryable && is_wanted {
                    is_renewed = true;
                    let mut kept = history.clone();
                    if let Ok(arrived) = &response {
                        let record = kept.record.clone();
                        kept.keep(Attempt::of(Ok(arrived.clone()), record, |headers| {
                            self.guard(headers)
                        }));
                    }
                    shared_history.note(kept.clone());
                    let renewed = self.obtain_credentials(&request, deadline, &kept).await?;
                    if renewed.is_same(&credentials) {
                        history.is_token_refused = false;
                        history.is_retryable = false;
                        return Ok(Ended {
                            response,
                            body,
                            panic: None,
                            history,
                        });
                    }
                    credentials = renewed;
                    kept.is_token_refused = false;
                    history = kept;
                    message = written()?;
                    continue;
                }
            }
            if again == RetryClass::IfIdempotent
                && policy != RetryPolicy::Always
                && let Some(end) = key.as_ref().and_then(|key| key.end(first))
            {
                latest = latest.min(end);
            }
            let is_retried = policy.allows(again, repetition, is_idempotent)
                && attempt < RetryPolicy::MOST_ATTEMPTS
                && pause <= LONGEST_PAUSE
                && instant_after(pause) < latest
                && !progress.is_abandoned()
                && !is_spent
                && self.retries.take(ending);
            if !is_retried {
                return Ok(Ended {
                    response,
                    body,
                    panic: early.and_then(|early| early.panic),
                    history,
                });
            }
            let record = history.record.clone();
            history.keep(Attempt::of(response, record, |headers| self.guard(headers)));
            shared_history.note(history.clone());
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

    /// Returns the credentials of an attempt, and refreshes them if due.
    async fn obtain_credentials(
        &self,
        request: &Request,
        deadline: Instant,
        history: &CallHistory,
    ) -> Result<AttemptCredentials, Error> {
        let operation = request.operation();
        let credentials = timeout_at(deadline, self.credentials.obtain(request.security))
            .await
            .map_err(|_| DeadlineExceeded::new(operation, history.clone(), Delay::Token))?;
        credentials.map_err(|refusal| {
            let history = history.clone();
            Error::from(match refusal {
                NoCredentials::Missing(needed) => {
                    CredentialError::missing(operation, history, needed)
                }
                NoCredentials::Provider(scheme, failure) => {
                    CredentialError::provider(operation, history, scheme, failure)
                }
            })
        })
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
    fn of(
        response: TransportResult,
        record: Option<Record>,
        guard: impl Fn(&mut HeaderMap),
    ) -> Self {
        let (failure, arrived) = match response {
            Ok(response) => (None, Some(response)),
            Err(error) => (Some(error.kind()), error.into_partial()),
        };
        let (parts, body) = arrived.map(http::Response::into_parts).unzip();
        let status = parts.as_ref().map(|parts| parts.status);
        let mut headers = parts.map(|parts| parts.headers).unwrap_or_default();
        guard(&mut headers);
        Self {
            record,
            failure,
            status,
            headers,
            body: body.unwrap_or_default(),
        }
    }
}
