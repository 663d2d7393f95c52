//! Polls an operation with exponential backoff until it completes.

use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use futures_core::Stream;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep_until};

use crate::call::engine::DEADLINE as DEADLINE_OF_CALL;
use crate::call::span;
use crate::client::client::Client;
use crate::decode::member::raw_member;
use crate::decode::read::Read;
use crate::error::{ConfigurationError, Error};
use crate::error::{WaitingCause, WaitingError};
use crate::future::BoxFuture;
use crate::request::request::Request;
use crate::response::response::Response;
use crate::response::undecoded::Undecoded;
use crate::transport::clock::instant_after;

const DEADLINE: Duration = Duration::from_secs(15 * 60);
/// The pauses between polls, without jitter: the first, how it grows, and the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const PAUSE_FACTOR: f32 = 1.5;
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The time between the last poll and the deadline, so that its response can arrive: twice that of the slowest poll, within these bounds. It is
/// at most half of the total time.
const LEAST_LAST_POLL: Duration = Duration::from_secs(1);
const LAST_POLL: Duration = Duration::from_secs(10);

/// The conditions of completion, as JSON Pointers into a response. For generated code.
///
/// A value is present if it is neither missing nor `null` nor an empty string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiter {
    /// The operation is done once one of these has a value, regardless of the rest of the response.
    pub done: &'static [&'static str],
    /// The operation failed once one of these has a value, the reason.
    pub failed: &'static [&'static str],
}

/// Polls an operation until it is done. Await it for the last response, or use [`polls`](Self::polls) for all of them.
///
/// It polls immediately, then backs off exponentially: 2 s × 1.5 up to 30 s, plus up to 100 % jitter. The deadline of 15 minutes also ends
/// a poll in flight. The last poll begins before it by twice the time of the slowest one, from 1 to 10 seconds, or halfway if that is later.
/// A wait ends with [`Error::Waiting`] if the response reports a failure, after the last poll, or if a poll fails. After a [retryable](Error::is_retryable) failure it polls again, no
/// sooner than `Retry-After`. The error contains the last response.
#[must_use = "nothing is requested before it is awaited"]
pub struct Wait<T> {
    polling: Box<Polling>,
    response: PhantomData<fn() -> T>,
}

/// The responses of a [`Wait`], as a stream that ends with completion or an error.
#[must_use = "nothing is requested before the stream is polled"]
pub struct Polls<T> {
    state: State<T>,
}

enum State<T> {
    /// Between two responses; `None` after the last one.
    Idle(Option<Box<Polling>>),
    Busy(BoxFuture<'static, Step<T>>),
}

/// A response, and the state to continue with; `None` after the last one.
type Step<T> = (Result<Response<T>, Error>, Option<Box<Polling>>);

struct Polling {
    client: Client,
    request: Request,
    waiter: &'static Waiter,
    limit: Duration,
    deadline: Option<Instant>,
    pauses: ExponentialBackoff,
    /// The time of the slowest poll.
    slowest: Duration,
    /// True while a poll is in flight; false during a pause.
    is_asking: Arc<AtomicBool>,
    last: Option<Box<Response<()>>>,
}

impl<T: Read + Send + 'static> Wait<T> {
    /// Waits until the response to this request reports completion. For generated code.
    pub fn new(client: Client, request: Request, waiter: &'static Waiter) -> Self {
        Self {
            polling: Box::new(Polling {
                client,
                request,
                waiter,
                limit: DEADLINE,
                deadline: None,
                pauses: pauses(),
                slowest: Duration::ZERO,
                is_asking: Arc::default(),
                last: None,
            }),
            response: PhantomData,
        }
    }

    /// Sets the time limit from the first poll. Default: 15 minutes. With zero, nothing is sent.
    ///
    /// It ends a poll in flight like the [deadline](crate::ClientBuilder::deadline) of a call.
    pub fn deadline(mut self, limit: Duration) -> Self {
        self.polling.limit = limit;
        self
    }

    /// Returns the same with another response type.
    #[doc(hidden)]
    pub fn untyped<U>(self) -> Wait<U> {
        Wait {
            polling: self.polling,
            response: PhantomData,
        }
    }

    /// Returns a stream of all responses, to display the progress.
    pub fn polls(self) -> Polls<T> {
        Polls {
            state: State::Idle(Some(self.polling)),
        }
    }
}

impl<T: Read + Send + 'static> Polls<T> {
    /// Returns a flag that is true while a poll is in flight.
    #[doc(hidden)]
    pub fn is_asking(&self) -> Arc<AtomicBool> {
        match &self.state {
            State::Idle(Some(polling)) => Arc::clone(&polling.is_asking),
            State::Idle(None) | State::Busy(_) => Arc::default(),
        }
    }

    /// Returns whether there is no further response.
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Idle(None))
    }

    /// Returns the next response; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<Response<T>, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl Polling {
    async fn poll_once<T: Read + Send + 'static>(mut self: Box<Self>) -> Step<T> {
        // The first poll is made immediately.
        let mut pause = self.deadline.and_then(|_| self.pauses.next());
        let deadline = *self
            .deadline
            .get_or_insert_with(|| instant_after(self.limit));
        let mut failure = None;
        loop {
            let look = self
                .slowest
                .saturating_mul(2)
                .clamp(LEAST_LAST_POLL, LAST_POLL);
            let look = look.min(self.limit / 2);
            let last = deadline.checked_sub(look).unwrap_or(deadline);
            if let Some(pause) = pause {
                let hint = failure.as_ref().and_then(Error::retry_after);
                let is_late = hint.is_some_and(|hint| instant_after(hint) > last);
                if is_late || Instant::now() >= last {
                    let cause = failure.map_or(WaitingCause::Deadline, WaitingCause::Call);
                    return (Err(self.ended(cause)), None);
                }
                // Sleeping without a runtime would panic.
                if Handle::try_current().is_err() {
                    let cause = WaitingCause::Call(ConfigurationError::NoRuntime.into());
                    return (Err(self.ended(cause)), None);
                }
                sleep_until(instant_after(pause).min(last)).await;
            }
            let mut request = self.request.clone();
            request.bypass_cache();
            let stated = request.options.deadline.or(self.client.shared.deadline);
            let left = deadline.saturating_duration_since(Instant::now());
            request.options.deadline = Some(left.min(stated.unwrap_or(DEADLINE_OF_CALL)));
            self.is_asking.store(true, Ordering::SeqCst);
            let start = Instant::now();
            let response = self.client.send_with(request, Undecoded::json).await;
            self.slowest = self.slowest.max(start.elapsed());
            self.is_asking.store(false, Ordering::SeqCst);
            match response {
                Ok(response) => return self.judge(response),
                Err(error) if error.is_retryable() => {
                    pause = self.pauses.next().max(error.retry_after());
                    failure = Some(error);
                }
                // It can never be sent.
                Err(error @ Error::Argument(_)) => return (Err(error), None),
                Err(error) => return (Err(self.ended(WaitingCause::Call(error))), None),
            }
        }
    }

    fn judge<T>(mut self: Box<Self>, response: Response<T>) -> Step<T> {
        self.last = Some(response.without_body());
        if found(&response.raw, self.waiter.done).is_some() {
            span::end_wait(self.request.operation(), true);
            (Ok(response), None)
        } else if let Some(reason) = found(&response.raw, self.waiter.failed) {
            let reason = self.client.redact(&reason);
            (Err(self.ended(WaitingCause::Failed { reason })), None)
        } else {
            (Ok(response), Some(self))
        }
    }

    fn ended(self, cause: WaitingCause) -> Error {
        span::end_wait(self.request.operation(), false);
        Error::Waiting(Box::new(WaitingError {
            operation: self.request.operation(),
            cause,
            last: self.last,
        }))
    }
}

/// Returns the value at the first of these places that has one.
fn found(body: &[u8], places: &[&str]) -> Option<String> {
    let mut values = places.iter().filter_map(|place| raw_member(body, place));
    values.find_map(text)
}

/// Returns a value as a string, unless it is empty.
fn text(value: &str) -> Option<String> {
    match serde_json::from_str(value) {
        Ok(Value::Null) => None,
        Ok(Value::String(text)) => (!text.is_empty()).then_some(text),
        _ => Some(value.to_owned()),
    }
}

fn pauses() -> ExponentialBackoff {
    ExponentialBuilder::default()
        .with_min_delay(FIRST_PAUSE)
        .with_max_delay(LONGEST_PAUSE)
        .with_factor(PAUSE_FACTOR)
        .with_jitter()
        .without_max_times()
        .build()
}

/// No field is structurally pinned.
impl<T> Unpin for Polls<T> {}

impl<T: Read + Send + 'static> Stream for Polls<T> {
    type Item = Result<Response<T>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let State::Idle(polling) = &mut self.state {
            let Some(polling) = polling.take() else {
                return Poll::Ready(None);
            };
            self.state = State::Busy(Box::pin(polling.poll_once()));
        }
        let State::Busy(polling) = &mut self.state else {
            return Poll::Ready(None);
        };
        let (response, polling) = ready!(polling.as_mut().poll(context));
        self.state = State::Idle(polling);
        Poll::Ready(Some(response))
    }
}

impl<T: Read + Send + 'static> IntoFuture for Wait<T> {
    type Output = Result<Response<T>, Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let mut polling = self.polling;
        Box::pin(async move {
            loop {
                match polling.poll_once().await {
                    (response, None) => return response,
                    (response, Some(next)) => {
                        response?;
                        polling = next;
                    }
                }
            }
        })
    }
}

impl<T> fmt::Debug for Wait<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wait").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Polls<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Polls").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_of_a_wait_has_the_numbers_of_the_code() {
        let lines = include_str!("wait.rs").lines();
        let docs: String = lines
            .map(|line| line.trim_start_matches("/// ").to_owned() + " ")
            .collect();
        let [first, longest, least, last] =
            [FIRST_PAUSE, LONGEST_PAUSE, LEAST_LAST_POLL, LAST_POLL].map(|one| one.as_secs());
        let minutes = DEADLINE.as_secs() / 60;
        for sentence in [
            format!("{first} s × {PAUSE_FACTOR} up to {longest} s, plus up to 100 % jitter"),
            format!("The deadline of {minutes} minutes"),
            format!("Default: {minutes} minutes."),
            format!("twice the time of the slowest one, from {least} to {last} seconds"),
        ] {
            assert!(docs.contains(&sentence), "it has to say: {sentence}");
        }
    }
}
