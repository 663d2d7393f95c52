//! The seam around attempts: another crate can admit them, learn how they ended, and keep a record of each call.
//!
//! ```text
//! wait for a pause to end ─▶ Interceptor::admit ─▶ wait for a place ─▶ Admission::start ─▶ the request ─▶ Admission::end
//! ```
//!
//! An [`Api`](crate::document::Api) names its interceptor, or none: then nothing stands around attempts, and nothing is allocated for it.
//! It never changes a request or a response. This one allows a number of attempts:
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
//! struct Quota(AtomicU32);
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
//!     fn span(&self, attempt: AttemptSpan<'_>) -> tracing::Span {
//!         attempt.open()
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
//! # let _: Arc<dyn Interceptor> = Arc::new(Quota(AtomicU32::new(5)));
//! ```

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tracing::Span;

pub use crate::call::span::AttemptSpan;
use crate::request::request::Request;
use crate::transport::transport::{BoxFuture, TransportResult};

/// Stands around each attempt of each call of a client. Clones of a client share it.
pub trait Interceptor: Any + Send + Sync {
    /// Waits until an attempt may be made, and sets aside what it needs. No place among the calls in flight is held meanwhile.
    ///
    /// # Errors
    ///
    /// The reason why the attempt is not made, or not now.
    fn admit<'a>(
        &'a self,
        next: NextAttempt<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn Admission>, Denial>>;

    /// Returns a pause that others asked for; `None` when nobody else can.
    fn shared_pause(&self) -> Option<SharedPause> {
        None
    }

    /// Ends the pause that others asked for.
    fn end_shared_pause(&self) {}
}

/// A pause of all calls that other processes asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct SharedPause {
    /// When a person ended the last one.
    pub ended: Option<Instant>,
    /// How long the present one still lasts.
    pub left: Option<Duration>,
}

/// The attempt that is to be made.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct NextAttempt<'a> {
    /// The call.
    pub request: &'a Request,
    /// The number of the attempt, from 1.
    pub number: u32,
    /// When the call gives up waiting.
    pub deadline: Instant,
}

/// The reason why an attempt is not made.
#[derive(Debug)]
#[non_exhaustive]
pub enum Denial {
    /// All calls pause for so long. The call waits, and asks again.
    Pause(Duration),
    /// The deadline passed while the call waited for this.
    Late(&'static str),
    /// The call ends with this error.
    Refused {
        /// The reason. [`Refused::cause`](crate::error::Refused::cause) returns it.
        cause: Box<dyn Error + Send + Sync>,
        /// The kind of the refusal, for the attribute `error.type` of a span.
        kind: &'static str,
        /// The same call may work later.
        is_retryable: bool,
    },
}

/// What an attempt has been admitted with. Dropped before its end, it gives back what was set aside, or keeps it in doubt after
/// [`start`](Self::start).
pub trait Admission: Send {
    /// Tells whether the attempt would still be admitted like this. It is asked when the call has its place.
    fn is_current(&self, request: &Request) -> bool;

    /// Opens the span of the attempt.
    fn span(&self, attempt: AttemptSpan<'_>) -> Span {
        attempt.open()
    }

    /// Notes that the request goes out now. Returns the record that stands if the attempt never reports back.
    fn start(&mut self, before: Option<&Record>) -> Record;

    /// Names a member of the object that the body of a success is. If it is named, the body is decoded before [`end`](Self::end), which then
    /// need not search for the member. A body of 256 KiB or more is decoded after it.
    fn watches(&self) -> Option<&'static str> {
        None
    }

    /// Settles the attempt.
    fn end(self: Box<Self>, end: AttemptEnd<'_>) -> Settled;
}

/// How an attempt ended.
#[derive(Debug)]
#[non_exhaustive]
pub struct AttemptEnd<'a> {
    /// The call.
    pub request: &'a Request,
    /// The response, with its body as far as it was read; or the reason why there is none.
    pub response: &'a TransportResult,
    /// What decoding the body has shown of the member that the interceptor [watches](Admission::watches).
    pub noticed: Noticed<'a>,
    /// How long the service asks to wait.
    pub retry_after: Option<Duration>,
    /// The id of the request in the headers of the response, without secrets.
    pub request_id: Option<String>,
    /// The pause of all calls that the response begins.
    pub pause: Option<Duration>,
    /// The record of the call before this attempt.
    pub before: Option<&'a Record>,
    /// The span of the attempt.
    pub span: &'a Span,
}

/// What decoding a body has shown of one of its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noticed<'a> {
    /// Nothing that is certain: the body was not decoded as an object, or it was not decoded at all.
    Unread,
    /// The body is an object without the member.
    Absent,
    /// The body is an object that has the member once, with this JSON value.
    Value(&'a str),
}

/// What became of an attempt.
#[non_exhaustive]
pub struct Settled {
    /// The record of the call, this attempt included.
    pub record: Record,
    /// Whether the call may be attempted again.
    pub repetition: Repetition,
    /// The service certainly did nothing for the attempt: with another token, the call may go out again.
    pub is_rejected: bool,
    /// A moment to wait, until others know of the attempt. The call waits for it at most until its deadline.
    pub pending: Option<BoxFuture<'static, ()>>,
}

impl Settled {
    /// Settles an attempt without a moment to wait.
    pub fn new(record: Record, repetition: Repetition, is_rejected: bool) -> Self {
        Self {
            record,
            repetition,
            is_rejected,
            pending: None,
        }
    }
}

/// What another attempt of a call would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// Nothing that the first one did not do: the [`RetryPolicy`](crate::RetryPolicy) decides.
    Free,
    /// It may do something twice: it is made only if the service certainly did not take on the first one.
    Doubtful,
    /// It would do something twice.
    Never,
}

/// What an interceptor keeps of a call. Responses, errors and [earlier attempts](crate::response::Attempt) hold it.
pub type Record = Arc<dyn CallRecord>;

/// The contents of a [`Record`].
pub trait CallRecord: Any + fmt::Debug + Send + Sync {
    /// Tells whether the same call can be made again without doing something twice.
    fn is_repeatable(&self) -> bool;

    /// Returns a line for the report of an error, such as `quota: 2 of 5`.
    fn line(&self) -> String;
}

impl<'a> NextAttempt<'a> {
    pub(crate) fn new(request: &'a Request, before: u32, deadline: Instant) -> Self {
        Self {
            request,
            number: before.saturating_add(1),
            deadline,
        }
    }
}
