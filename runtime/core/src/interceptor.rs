//! Hooks around attempts, by which the meter of an API delays or refuses them, and learns how they ended.
//!
//! ```text
//! wait for a cool-down to end ─▶ Interceptor::before ─▶ wait for a permit ─▶ Guard::sent ─▶ the request ─▶ Guard::ended
//! ```
//!
//! An [`Api`](crate::document::Api) names its interceptor. Without one, attempts have no hooks and nothing is allocated. No request is changed,
//! and no response. Programs wrap the transport instead: [`ClientBuilder::wrap`](crate::ClientBuilder::wrap).

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tracing::Span;

pub use crate::call::span::AttemptSpan;
use crate::future::BoxFuture;
use crate::request::request::Request;
use crate::transport::transport::TransportResult;

/// Hooks around each attempt of each call of a client, whose clones share them.
pub trait Interceptor: Any + Send + Sync {
    /// Waits until an attempt may be made, at most until its deadline, and reserves what it needs. The call holds no permit while it waits. It is asked again for the same
    /// attempt, after the guard was dropped, if a pause has begun in the meantime or a guard is no longer [current](Guard::is_current).
    ///
    /// # Errors
    ///
    /// The attempt is not made.
    fn before<'a>(
        &'a self,
        attempt: NextAttempt<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>>;

    /// Notes that a stored response ended the call, and returns its record. `record` is what was stored with the response.
    fn stored(&self, request: &Request, record: Option<&str>) -> Option<Record>;

    /// Returns the ids of operations that its settings name. [`ClientBuilder::build`](crate::ClientBuilder::build) refuses an id that no
    /// operation of the API has.
    fn named_operations(&self) -> Vec<&str>;

    /// Returns why its settings exclude each other, as a sentence. [`ClientBuilder::build`](crate::ClientBuilder::build) fails with it.
    fn problem(&self) -> Option<String>;
}

#[cfg(feature = "metered")]
impl dyn Interceptor {
    /// Returns the interceptor, if it is of this type.
    pub(crate) fn get<I: Interceptor>(&self) -> Option<&I> {
        let interceptor: &dyn Any = self;
        interceptor.downcast_ref()
    }
}

/// The attempt to be made.
#[derive(Debug, Clone, Copy)]
pub struct NextAttempt<'a> {
    /// The call.
    pub request: &'a Request,
    /// The number of the attempt, from 1.
    pub number: u32,
    /// The time at which the call stops waiting.
    pub deadline: Instant,
    /// The idempotency key that all attempts carry, if the operation has one.
    pub idempotency_key: Option<&'a str>,
}

/// The reason why an attempt is not made.
#[derive(Debug)]
pub enum Denial {
    /// The deadline expired while the call waited for this.
    Late(&'static str),
    /// The call ends with this error.
    Refused {
        /// The reason. [`Refused::cause`](crate::error::Refused::cause) returns it.
        cause: Box<dyn Error + Send + Sync>,
        /// The kind of the refusal, for the attribute `error.type` of a span.
        kind: &'static str,
        /// True if the same call may succeed later.
        is_retryable: bool,
    },
}

/// A guard of an attempt, which lives until the attempt ends.
///
/// A guard that is dropped before [`sent`](Self::sent) gives back what it has reserved. After that, a drop means that the result of the
/// attempt is unknown: the call was dropped, or its runtime has ended.
pub trait Guard: Send {
    /// Returns whether the attempt would still be admitted. It is asked once the call has a permit.
    fn is_current(&self, request: &Request) -> bool;

    /// Opens the span of the attempt, if it has other fields than the usual one.
    fn span(&self, attempt: AttemptSpan<'_>) -> Option<Span>;

    /// Notes that the request is sent now. `before` is the record so far. Returns the one that applies if the attempt never ends.
    fn sent(&mut self, before: Option<&Record>) -> Option<Record>;

    /// Settles the attempt.
    fn ended(self: Box<Self>, end: AttemptEnd<'_>) -> Settled;
}

/// The end of an attempt.
#[derive(Debug, Clone)]
pub struct AttemptEnd<'a> {
    /// The response with the part of its body that was read, or the reason why it is missing. The body of a stream is empty here.
    pub response: &'a TransportResult,
    /// The pause that the service asks for.
    pub retry_after: Option<Duration>,
    /// The request id from the response headers, without secrets.
    pub request_id: Option<String>,
    /// The record before this attempt.
    pub before: Option<&'a Record>,
    /// True if all attempts carry one idempotency key, which the service still remembers when the next one would be sent.
    pub is_keyed: bool,
    /// The span of the attempt.
    pub span: &'a Span,
}

/// The settlement of an attempt. The default has no record, and leaves retries to the [`RetryPolicy`](crate::RetryPolicy).
#[derive(Default)]
pub struct Settled {
    /// The record of the call, including this attempt; with `None` the earlier one stays.
    pub record: Option<Record>,
    /// The effect of a retry.
    pub repetition: Repetition,
    /// True if the service may have processed the attempt although it refused its token: then no other token is tried.
    pub may_be_processed: bool,
    /// A future that completes when others know of the attempt. The call waits for it, but not beyond its deadline.
    pub pending: Option<BoxFuture<'static, ()>>,
}

/// The effect of retrying a call.
///
/// The later of two is the stricter one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repetition {
    /// A retry has no further effect: the [`RetryPolicy`](crate::RetryPolicy) decides.
    #[default]
    Free,
    /// A retry may repeat the effect: it is made only if the service certainly did not process the first attempt.
    Doubtful,
    /// A retry would repeat the effect.
    Never,
}

/// The interceptor's record of a call. Responses, errors and [earlier attempts](crate::response::Attempt) contain it.
pub type Record = Arc<dyn CallRecord>;

/// The contents of a [`Record`].
pub trait CallRecord: Any + fmt::Debug + Send + Sync {
    /// Returns whether repeating the call has no further effect.
    fn is_repeatable(&self) -> bool;

    /// Returns a line for the report of an error.
    fn line(&self) -> String;

    /// Returns what is stored of it with a response.
    fn to_store(&self) -> Option<String>;
}
