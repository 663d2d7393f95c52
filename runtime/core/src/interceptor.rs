//! Hooks around attempts: another crate can admit them, learn how they ended, and keep a record of each call.
//!
//! ```text
//! wait for a pause to end ─▶ Interceptor::admit ─▶ wait for a place ─▶ Admission::start ─▶ the request ─▶ Admission::end
//! ```
//!
//! An [`Api`](crate::document::Api) names its interceptor, and [`ClientBuilder::intercept`](crate::ClientBuilder::intercept) adds others.
//! Without one, attempts have no hooks and nothing is allocated. Several admit an attempt one after the other, that of the API first, and end
//! it in reverse order: an attempt that one of them refuses is not made. An interceptor never changes a request or a response. This one
//! limits the number of attempts:
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicU32, Ordering};
//!
//! use generated_client::interceptor::{
//!     Admission, AttemptEnd, AttemptSpan, CallRecord, Denial, Interceptor, NextAttempt, Noticed, Record, Repetition, Settled, SharedPause,
//! };
//! use generated_client::request::Request;
//! use generated_client::transport::{BoxFuture, TransportResult};
//!
//! #[derive(Clone)]
//! struct Quota(Arc<AtomicU32>);
//!
//! struct Admitted;
//!
//! #[derive(Debug)]
//! struct Noted;
//!
//! impl Interceptor for Quota {
//!     fn admit<'a>(&'a self, next: NextAttempt<'a>) -> BoxFuture<'a, Result<Box<dyn Admission>, Denial>> {
//!         let left = |left: u32| left.checked_sub(1);
//!         let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
//!         Box::pin(async move {
//!             taken.map(|_| Box::new(Admitted) as _).map_err(|_| Denial::Refused {
//!                 cause: format!("attempt {} is one too many", next.number).into(),
//!                 kind: "quota",
//!                 is_retryable: false,
//!             })
//!         })
//!     }
//!
//!     fn shared_pause(&self) -> Option<SharedPause> {
//!         None // no other process is asked
//!     }
//! }
//!
//! impl Admission for Admitted {
//!     fn is_current(&self, _: &Request) -> bool {
//!         true
//!     }
//!
//!     fn span(&self, attempt: AttemptSpan<'_>) -> Option<tracing::Span> {
//!         Some(attempt.open())
//!     }
//!
//!     fn start(&mut self, _: Option<&Record>) -> Record {
//!         Arc::new(Noted)
//!     }
//!
//!     fn watches(&self) -> Option<&'static str> {
//!         Some("quota_left")
//!     }
//!
//!     fn end(self: Box<Self>, end: AttemptEnd<'_>) -> Settled {
//!         let response: &TransportResult = end.response;
//!         if let Noticed::Value(left) = end.noticed {
//!             println!("{left} left");
//!         }
//!         Settled::new(Arc::new(Noted), Repetition::Free, response.is_err())
//!     }
//! }
//!
//! impl CallRecord for Noted {
//!     fn is_repeatable(&self) -> bool {
//!         true
//!     }
//!
//!     fn line(&self) -> String {
//!         "quota: one attempt".to_owned()
//!     }
//! }
//!
//! # use generated_client::{ApiClient, ClientBuilder, Error};
//! fn limited<C: ApiClient>(builder: ClientBuilder<C>) -> ClientBuilder<C> {
//!     builder.intercept(|_| Quota(Arc::new(AtomicU32::new(5))), |_| ())
//! }
//!
//! fn is_noted(error: &Error) -> bool {
//!     error.record().is_some_and(|record| record.get::<Noted>().is_some())
//! }
//! ```

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

/// Hooks around each attempt of each call of a client. Clones of a client share them.
pub trait Interceptor: Any + Send + Sync {
    /// Waits until an attempt may be made, and reserves what it needs. The call holds no permit while it waits.
    ///
    /// # Errors
    ///
    /// The attempt is refused, or not possible now.
    fn admit<'a>(
        &'a self,
        next: NextAttempt<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn Admission>, Denial>>;

    /// Returns a pause that other processes asked for; `None` if no other process can.
    fn shared_pause(&self) -> Option<SharedPause> {
        None
    }

    /// Ends the pause that other processes asked for.
    fn end_shared_pause(&self) {}

    /// Returns the ids of operations that its settings name. [`ClientBuilder::build`](crate::ClientBuilder::build) refuses an id that no
    /// operation of the API has.
    fn named_operations(&self) -> Vec<&str> {
        Vec::new()
    }
}

/// A pause of all calls, requested by other processes.
#[derive(Debug, Clone, Copy, Default)]
pub struct SharedPause {
    /// When a person ended the last pause.
    pub ended: Option<Instant>,
    /// The rest of the current pause.
    pub left: Option<Duration>,
}

/// The attempt to be made.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
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

/// The admission of an attempt. Dropping it before the end releases the reservation, or keeps it at risk after [`start`](Self::start).
pub trait Admission: Send {
    /// Returns whether the attempt would still be admitted. It is asked once the call has a permit.
    fn is_current(&self, request: &Request) -> bool;

    /// Opens the span of the attempt, if it has other fields than the usual one. Of several interceptors, the first span counts.
    fn span(&self, _attempt: AttemptSpan<'_>) -> Option<Span> {
        None
    }

    /// Notes that the request is sent now. Returns the record that applies if the attempt never ends.
    fn start(&mut self, before: Option<&Record>) -> Record;

    /// Names a member of the body's object on success. If it is named, the body is decoded before [`end`](Self::end), which then need not
    /// search for the member. Bodies of 256 KiB or more are decoded afterwards. Of several interceptors, the first one that names a member
    /// decides which.
    fn watches(&self) -> Option<&'static str> {
        None
    }

    /// Settles the attempt.
    fn end(self: Box<Self>, end: AttemptEnd<'_>) -> Settled;
}

/// The end of an attempt.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AttemptEnd<'a> {
    /// The call.
    pub request: &'a Request,
    /// The response with the part of its body that was read, or the reason why it is missing.
    pub response: &'a TransportResult,
    /// The value of the member that the interceptor [watches](Admission::watches), if decoding the body has found it.
    pub noticed: Noticed<'a>,
    /// The pause that the service asks for.
    pub retry_after: Option<Duration>,
    /// The request id from the response headers, without secrets.
    pub request_id: Option<String>,
    /// The pause of all calls that this response starts.
    pub pause: Option<Duration>,
    /// The record of the call before this attempt.
    pub before: Option<&'a Record>,
    /// True if all attempts carry one idempotency key, which the service still remembers when the next one would be sent.
    pub is_keyed: bool,
    /// The span of the attempt.
    pub span: &'a Span,
}

/// The observation of a body's member during decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noticed<'a> {
    /// Nothing certain: the body was not decoded, or not as an object.
    Unread,
    /// The body is an object without the member.
    Absent,
    /// The body is an object that has the member once, with this JSON value.
    Value(&'a str),
}

/// The settlement of an attempt.
#[non_exhaustive]
pub struct Settled {
    /// The record of the call, including this attempt.
    pub record: Record,
    /// The effect of a retry.
    pub repetition: Repetition,
    /// True if the service certainly did not process the attempt, so that it may be retried with another token.
    pub is_rejected: bool,
    /// A future that completes when others know of the attempt. The call waits for it, but not beyond its deadline.
    pub pending: Option<BoxFuture<'static, ()>>,
}

impl Settled {
    /// Settles an attempt without a pending future.
    pub fn new(record: Record, repetition: Repetition, is_rejected: bool) -> Self {
        Self {
            record,
            repetition,
            is_rejected,
            pending: None,
        }
    }
}

/// The effect of retrying a call.
///
/// The later of two is the stricter one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repetition {
    /// A retry has no further effect: the [`RetryPolicy`](crate::RetryPolicy) decides.
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
    fn is_repeatable(&self) -> bool;

    /// Returns a line for the report of an error, such as `quota: 2 of 5`.
    fn line(&self) -> String;
}

impl dyn CallRecord {
    /// Returns the record of this type, also among those of several interceptors.
    pub fn get<R: CallRecord>(&self) -> Option<&R> {
        let record: &dyn Any = self;
        match record.downcast_ref::<Records>() {
            Some(Records(all)) => all.iter().find_map(|one| one.get()),
            None => record.downcast_ref(),
        }
    }
}

/// The records of several interceptors, in their order.
pub(crate) struct Records(pub(crate) Vec<Record>);

impl Records {
    /// Returns one of the records of a call.
    pub(crate) fn at(record: Option<&Record>, index: usize) -> Option<&Record> {
        let record: &dyn Any = record?.as_ref();
        record.downcast_ref::<Self>()?.0.get(index)
    }
}

impl CallRecord for Records {
    fn is_repeatable(&self) -> bool {
        self.0.iter().all(|one| one.is_repeatable())
    }

    fn line(&self) -> String {
        let lines: Vec<String> = self.0.iter().map(|one| one.line()).collect();
        lines.join("; ")
    }
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}
