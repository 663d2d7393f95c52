//! Hooks around attempts: a program can delay or refuse them, and learn how they ended.
//!
//! ```text
//! wait for a pause to end ─▶ Interceptor::before ─▶ wait for a permit ─▶ Guard::sent ─▶ the request ─▶ Guard::ended
//! ```
//!
//! [`ClientBuilder::intercept`](crate::ClientBuilder::intercept) adds an interceptor, and an [`Api`](crate::document::Api) names its own. Those
//! of the program come first, in the order in which they were added, and that of the API last: a rate limit waits before the API's
//! interceptor reserves anything. They end in reverse order. Without interceptors, attempts have no hooks and nothing is allocated. No request is changed, and no response. This one limits the number of attempts:
//!
//! ```
//! use std::sync::atomic::{AtomicU32, Ordering};
//!
//! use generated_client::interceptor::{NextAttempt, Denial, Guard, Interceptor};
//! use generated_client::transport::BoxFuture;
//! # use generated_client::{ApiClient, ClientBuilder};
//!
//! struct Quota(AtomicU32);
//!
//! impl Interceptor for Quota {
//!     fn before<'a>(&'a self, attempt: NextAttempt<'a>) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>> {
//!         Box::pin(async move {
//!             if self.0.fetch_add(1, Ordering::Relaxed) < 5 {
//!                 return Ok(Box::new(()) as _);
//!             }
//!             Err(Denial::Refused {
//!                 cause: format!("attempt {} is one too many", attempt.number).into(),
//!                 kind: "quota",
//!                 is_retryable: false,
//!             })
//!         })
//!     }
//! }
//!
//! fn limited<C: ApiClient>(builder: ClientBuilder<C>) -> ClientBuilder<C> {
//!     builder.intercept(Quota(AtomicU32::new(0)))
//! }
//! ```

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::Uri;
use tokio::time::Instant;
use tracing::Span;

pub use crate::call::span::AttemptSpan;
use crate::future::BoxFuture;
use crate::request::request::Request;
use crate::transport::transport::TransportResult;

/// Hooks around each attempt of each call of a client. Clones of a client share them.
pub trait Interceptor: Any + Send + Sync {
    /// Waits until an attempt may be made, and reserves what it needs. The call holds no permit while it waits. It is asked again for the same
    /// attempt, after the guard was dropped, if a pause has begun in the meantime or a guard is no longer [current](Guard::is_current).
    ///
    /// # Errors
    ///
    /// The attempt is not made, or not now. The guards of the interceptors before this one are dropped.
    fn before<'a>(
        &'a self,
        attempt: NextAttempt<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>>;

    /// Notes that a stored response ended the call, and returns its record. `record` is what was stored with the response.
    #[doc(hidden)]
    fn stored(&self, _request: &Request, _record: Option<&str>) -> Option<Record> {
        None
    }

    /// Returns the ids of operations that its settings name. [`ClientBuilder::build`](crate::ClientBuilder::build) refuses an id that no
    /// operation of the API has.
    #[doc(hidden)]
    fn named_operations(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Returns why its settings exclude each other, as a sentence. [`ClientBuilder::build`](crate::ClientBuilder::build) fails with it.
    #[doc(hidden)]
    fn problem(&self) -> Option<String> {
        None
    }
}

/// The attempt to be made.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct NextAttempt<'a> {
    /// The call.
    pub request: &'a Request,
    /// The address that the request goes to, without credentials.
    pub uri: &'a Uri,
    /// The number of the attempt, from 1.
    pub number: u32,
    /// The time at which the call stops waiting.
    pub deadline: Instant,
    /// The idempotency key that all attempts carry, if the operation has one.
    #[cfg(feature = "idempotency")]
    pub idempotency_key: Option<&'a str>,
}

/// The reason why an attempt is not made.
#[derive(Debug)]
#[non_exhaustive]
pub enum Denial {
    /// All calls pause for this long. The call waits and asks again.
    Pause(Duration),
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

/// A guard of an attempt, which lives until the attempt ends. `()` is one that needs no hooks.
///
/// A guard that is dropped before [`sent`](Self::sent) gives back what it has reserved. After that, a drop means that the result of the
/// attempt is unknown: the call was dropped, or its runtime has ended.
///
/// ```
/// use std::sync::Arc;
///
/// use generated_client::Error;
/// use generated_client::interceptor::{AttemptEnd, AttemptSpan, CallRecord, Guard, Record, Repetition, Settled};
///
/// struct Watching;
///
/// #[derive(Debug)]
/// struct Left(String);
///
/// impl Guard for Watching {
///     fn span(&self, attempt: AttemptSpan<'_>) -> Option<tracing::Span> {
///         Some(tracing::info_span!("watched", host = attempt.host))
///     }
///
///     fn ended(self: Box<Self>, end: AttemptEnd<'_>) -> Settled {
///         let response = end.response.as_ref().ok();
///         let Some(left) = response.and_then(|response| response.headers().get("x-quota-left")) else {
///             return Settled::default();
///         };
///         let record: Record = Arc::new(Left(format!("{left:?}")));
///         Settled { record: Some(record), repetition: Repetition::Free, ..Settled::default() }
///     }
/// }
///
/// impl CallRecord for Left {
///     fn line(&self) -> String {
///         format!("quota left: {}", self.0)
///     }
/// }
///
/// fn left(error: &Error) -> Option<&str> {
///     Some(&error.record()?.get::<Left>()?.0)
/// }
/// ```
pub trait Guard: Send {
    /// Returns whether the attempt would still be admitted. It is asked once the call has a permit.
    fn is_current(&self, _request: &Request) -> bool {
        true
    }

    /// Opens the span of the attempt, if it has other fields than the usual one. Of several interceptors, the last one that opens a span
    /// decides.
    fn span(&self, _attempt: AttemptSpan<'_>) -> Option<Span> {
        None
    }

    /// Notes that the request is sent now. `before` is the record of this interceptor so far. Returns the one that applies if the attempt never ends.
    fn sent(&mut self, _before: Option<&Record>) -> Option<Record> {
        None
    }

    /// Settles the attempt.
    fn ended(self: Box<Self>, _end: AttemptEnd<'_>) -> Settled {
        Settled::default()
    }
}

impl Guard for () {}

/// The end of an attempt.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AttemptEnd<'a> {
    /// The response with the part of its body that was read, or the reason why it is missing. The body of a stream is empty here.
    pub response: &'a TransportResult,
    /// The pause that the service asks for.
    pub retry_after: Option<Duration>,
    /// The request id from the response headers, without secrets.
    pub request_id: Option<String>,
    /// The pause of all calls that this response starts.
    pub pause: Option<Duration>,
    /// The record of this interceptor before this attempt.
    pub before: Option<&'a Record>,
    /// True if all attempts carry one idempotency key, which the service still remembers when the next one would be sent.
    #[cfg(feature = "idempotency")]
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

/// The interceptor's record of a call. Responses, errors and [earlier attempts](crate::response::Attempt) contain it. Those of several
/// interceptors are one, in which [`get`](trait.CallRecord.html#method.get) finds each.
pub type Record = Arc<dyn CallRecord>;

/// The contents of a [`Record`].
pub trait CallRecord: Any + fmt::Debug + Send + Sync {
    /// Returns whether repeating the call has no further effect.
    fn is_repeatable(&self) -> bool {
        true
    }

    /// Returns a line for the report of an error, such as `quota: 2 of 5`.
    fn line(&self) -> String;

    /// Returns what is stored of it with a response.
    #[doc(hidden)]
    fn to_store(&self) -> Option<String> {
        None
    }
}

impl dyn CallRecord {
    /// Returns the record of this type, also among those of several interceptors.
    pub fn get<R: CallRecord>(&self) -> Option<&R> {
        let record: &dyn Any = self;
        match record.downcast_ref::<Records>() {
            Some(Records(all)) => all.iter().flatten().find_map(|one| one.get()),
            None => record.downcast_ref(),
        }
    }
}

/// The records of several interceptors, each at the place of its interceptor.
pub(crate) struct Records(Vec<Option<Record>>);

impl Records {
    /// Joins the records of several interceptors; `None` if there is none.
    pub(crate) fn join(records: Vec<Option<Record>>) -> Option<Record> {
        let is_empty = records.iter().all(Option::is_none);
        (!is_empty).then(|| Arc::new(Self(records)) as _)
    }

    /// Returns the record of one of several interceptors.
    pub(crate) fn at(records: Option<&Record>, place: usize) -> Option<&Record> {
        let records: &dyn Any = records?.as_ref();
        records.downcast_ref::<Self>()?.0.get(place)?.as_ref()
    }
}

impl CallRecord for Records {
    fn is_repeatable(&self) -> bool {
        self.0.iter().flatten().all(|one| one.is_repeatable())
    }

    fn line(&self) -> String {
        let lines: Vec<String> = self.0.iter().flatten().map(|one| one.line()).collect();
        lines.join("; ")
    }

    /// Stored responses have the record of the API's interceptor, which is the last.
    fn to_store(&self) -> Option<String> {
        self.0.last()?.as_ref()?.to_store()
    }
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().flatten()).finish()
    }
}
