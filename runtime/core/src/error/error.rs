//! The one error type of a client. Variants are what a caller branches on: whose mistake it is, and whether the service responded.
//!
//! The errors of pages and of waits stand here too, because they hold the error of a call.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use crate::document::api::Operation;
use crate::error::argument::ArgumentError;
use crate::error::configuration::ConfigurationError;
use crate::error::credential::CredentialError;
use crate::error::held::{DeadlineExceeded, Refused};
use crate::error::position::Position;
use crate::error::record::RecordError;
use crate::error::response::{BodyError, DecodeError, StatusError};
use crate::error::transport::TransportError;
use crate::interceptor::Record;
use crate::response::failure::TransportErrorKind;
use crate::response::history::{Attempt, CallHistory};
use crate::response::request_id::request_id;
use crate::response::response::Response;

/// Why a client could not be built, or a call gave no body.
///
/// Messages name the operation and its path template, never the address that was called: it says whom the caller looks at. For the same
/// reason they quote no body of an error response; [`excerpt`](Self::excerpt) does. No message, and no `Debug` output, holds the API key.
///
/// `Debug` is one line, for a terminal where `fn main() -> Result<(), Error>` prints it: the variant, the message, status code, request id,
/// attempts, the record of the interceptor, size of the body, and where to resume. `{:#?}` has a line for each.
///
/// `Display` never repeats what [`source`](std::error::Error::source) says.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The client cannot be built like this.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// An argument cannot be sent. Nothing was.
    #[error(transparent)]
    Argument(#[from] ArgumentError),
    /// The client has no credential for the operation, or its token provider gave none. Nothing was sent with another one.
    #[error(transparent)]
    Credential(#[from] Box<CredentialError>),
    /// The [interceptor](crate::interceptor) of the client does not admit the call.
    #[error(transparent)]
    Refused(#[from] Box<Refused>),
    /// The call's turn would come after its deadline.
    #[error(transparent)]
    DeadlineExceeded(#[from] Box<DeadlineExceeded>),
    /// There is no response, or only part of one.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The response's status is not 2xx, whatever its body.
    #[error(transparent)]
    Status(Box<StatusError>),
    /// The response's status is 2xx, and its body is not what the document says.
    #[error(transparent)]
    Decode(Box<DecodeError>),
    /// The pages end early, and may go on from [`Error::resume_offset`].
    #[error(transparent)]
    Paging(Box<PagingError>),
    /// One record of a page does not decode. The stream goes on with the next.
    #[error(transparent)]
    Record(Box<RecordError>),
    /// What was waited for failed, or did not come in time.
    #[error(transparent)]
    Waiting(Box<WaitingError>),
}

impl Error {
    /// The id of the operation that was called; `None` when no call was made.
    pub fn operation(&self) -> Option<&'static str> {
        match self {
            Self::Configuration(_) => None,
            Self::Argument(error) => Some(error.operation().id),
            Self::Credential(error) => Some(error.operation().id),
            Self::Refused(error) => Some(error.operation().id),
            Self::DeadlineExceeded(error) => Some(error.operation().id),
            Self::Transport(error) => error.operation().map(|operation| operation.id),
            Self::Status(error) => Some(error.operation.id),
            Self::Decode(error) => Some(error.operation.id),
            Self::Paging(error) => Some(error.operation.id),
            Self::Record(error) => Some(error.operation.id),
            Self::Waiting(error) => Some(error.operation.id),
        }
    }

    /// The status of the response, when there is one or a part of one.
    pub fn status(&self) -> Option<StatusCode> {
        match self.of_call() {
            Self::Status(error) => Some(error.status),
            Self::Decode(error) => Some(error.status),
            Self::Transport(error) => Some(error.partial()?.status()),
            other => Some(other.response()?.meta.status),
        }
    }

    /// The headers of the response, when there is one or a part of one.
    pub fn headers(&self) -> Option<&HeaderMap> {
        match self.of_call() {
            Self::Status(error) => Some(&error.headers),
            Self::Decode(error) => Some(&error.headers),
            Self::Transport(error) => Some(error.partial()?.headers()),
            other => Some(&other.response()?.meta.headers),
        }
    }

    /// The request id in the headers of the response, under a name that is common for it, such as `x-request-id`. `None` when there is none.
    pub fn request_id(&self) -> Option<&str> {
        request_id(self.headers()?)
    }

    /// The body of the response as the service sent it, or the part of it that arrived.
    pub fn body(&self) -> Option<&Bytes> {
        match self.of_call() {
            Self::Status(error) => Some(&error.body),
            Self::Decode(error) => Some(&error.body),
            Self::Transport(error) => Some(error.partial()?.body()),
            other => Some(&other.response()?.raw),
        }
    }

    /// Decodes the body of an error response, with the tolerance of any other response. The documentation of `send` says which type
    /// belongs to which status. `None` when there is no response with a status other than 2xx.
    ///
    /// ```
    /// # use generated_client::error::BodyError;
    /// # use generated_client::Error;
    /// #[derive(serde::Deserialize)]
    /// struct Problem {
    ///     title: String,
    /// }
    ///
    /// fn title(error: &Error) -> Option<String> {
    ///     let problem: Result<Problem, BodyError> = error.body_as()?;
    ///     Some(problem.ok()?.title)
    /// }
    /// ```
    pub fn body_as<T: DeserializeOwned>(&self) -> Option<Result<T, BodyError>> {
        match self.of_call() {
            Self::Status(error) => Some(error.body_as()),
            _ => None,
        }
    }

    /// What the service itself says of a failure, in one line of at most 200 characters without the API key: the beginning of the body of an
    /// error response, or the reason for which a wait failed. `None` where it says nothing.
    ///
    /// Services repeat there what they were asked for: show it to whoever made the call, and log the error without it.
    pub fn excerpt(&self) -> Option<String> {
        let excerpt = match self.of_call() {
            Self::Status(error) => error.excerpt(),
            Self::Waiting(error) => error.reason(),
            _ => String::new(),
        };
        (!excerpt.is_empty()).then_some(excerpt)
    }

    /// JSON Pointer to what does not decode, in the body or in the record; empty for all of it.
    pub fn path(&self) -> Option<&str> {
        match self.of_call() {
            Self::Decode(error) => Some(&error.path),
            Self::Record(error) => Some(&error.reject.path),
            _ => None,
        }
    }

    /// The offset of a new run through pages that goes on where this one ended: every record before it was delivered. `None` where pages
    /// are asked for by something else: [`position`](Self::position) is there for all of them.
    pub fn resume_offset(&self) -> Option<u64> {
        match self {
            Self::Paging(error) => error.position.offset(),
            Self::Record(error) => error.position.offset(),
            _ => None,
        }
    }

    /// The position of a new run through pages that goes on where this one ended, by `resume` of the stream.
    pub fn position(&self) -> Option<&Position> {
        match self {
            Self::Paging(error) => Some(&error.position),
            Self::Record(error) => Some(&error.position),
            _ => None,
        }
    }

    /// What the [interceptor](crate::interceptor) keeps of the call; `None` without one. Of a run through pages or of a wait, it is the last
    /// call that counts.
    pub fn record(&self) -> Option<&Record> {
        self.course()?.record.as_ref()
    }

    /// What came of the attempts before the last one, with the bytes that arrived.
    pub fn earlier_attempts(&self) -> &[Attempt] {
        self.course().map_or(&[], |course| &course.earlier)
    }

    /// Tells whether the same call may work later, and does nothing twice.
    pub fn is_retryable(&self) -> bool {
        self.course()
            .is_some_and(|course| course.is_retryable && course.is_repeatable())
    }

    /// Tells whether there was no connection, so that nothing was sent; also after a [timeout to
    /// connect](crate::ClientBuilder::connect_timeout). The same for a call, a stream, a run through pages and a wait.
    pub fn is_connect(&self) -> bool {
        matches!(self.of_call(), Self::Transport(error) if error.kind() == TransportErrorKind::Connect)
    }

    /// Tells whether the time was up: a timeout of the transport other than to connect, or the deadline of the call or of the wait. The same
    /// for a call, a stream, a run through pages and a wait.
    ///
    /// ```
    /// # use generated_client::Error;
    /// # use generated_client::error::{TransportError, TransportErrorKind};
    /// fn advice(error: &Error) -> &'static str {
    ///     match (error.is_connect(), error.is_timeout()) {
    ///         (true, _) => "check the network: nothing was sent",
    ///         (_, true) => "allow more time",
    ///         _ => "read the message",
    ///     }
    /// }
    ///
    /// let late = TransportError::new(TransportErrorKind::Timeout, "nothing arrived for 60s");
    /// assert_eq!(advice(&late.into()), "allow more time");
    /// ```
    pub fn is_timeout(&self) -> bool {
        match self.of_call() {
            Self::Transport(error) => error.kind() == TransportErrorKind::Timeout,
            Self::DeadlineExceeded(_) => true,
            Self::Waiting(error) => matches!(error.cause, WaitingCause::Deadline),
            _ => false,
        }
    }

    /// How long the service asked to wait: by `retry-after-ms` or `Retry-After`, and after a 429 also by the time at which its `RateLimit`
    /// starts again. `None` when it did not ask.
    pub fn retry_after(&self) -> Option<Duration> {
        self.course()?.retry_after
    }

    /// How many attempts were made; zero when nothing was sent to the transport.
    pub fn attempts(&self) -> u32 {
        self.course().map_or(0, |course| course.attempts)
    }

    fn course(&self) -> Option<&CallHistory> {
        match self.of_call() {
            Self::Configuration(_) | Self::Argument(_) => None,
            Self::Credential(error) => Some(&error.course),
            Self::Refused(error) => Some(&error.course),
            Self::DeadlineExceeded(error) => Some(&error.course),
            Self::Transport(error) => error.course(),
            Self::Status(error) => Some(&error.course),
            Self::Decode(error) => Some(&error.course),
            Self::Record(error) => Some(&error.course),
            other => Some(&other.response()?.meta.course),
        }
    }

    /// The error of the call that ended a run through pages or a wait; otherwise the error itself. What one matches on for the cause,
    /// whoever made the call.
    pub fn of_call(&self) -> &Self {
        let call = match self {
            Self::Paging(error) => error.call(),
            Self::Waiting(error) => error.call(),
            _ => None,
        };
        call.unwrap_or(self)
    }

    /// The response of a call that worked, and ended a run through pages or a wait.
    fn response(&self) -> Option<&Response<()>> {
        match self {
            Self::Paging(error) => error.response(),
            Self::Waiting(error) => error.last.as_deref(),
            _ => None,
        }
    }
}

/// A run through pages that ended before the last one, or with fewer records than were promised. All records that came before
/// [`offset`](Self::offset) were delivered.
#[non_exhaustive]
pub struct PagingError {
    /// The operation that was called.
    pub operation: &'static Operation,
    /// Where to go on: the offset for a new run, or how many records came where pages have no offsets. It never lies before a record that was delivered, except in a page of
    /// several lists, where it is the end of the list that lags behind.
    pub offset: u64,
    /// Where the first record stands that did not come although a total, or a record behind it, promised it; `None` when none is missing
    /// before [`offset`](Self::offset) or at it. It lies before the offset only when a page has several lists and one ended short while others
    /// went on: a run from here brings the records of these again.
    pub missing: Option<u64>,
    /// Where to go on, for pages of every kind.
    pub position: Position,
    /// Why the run ended.
    pub cause: PagingCause,
}

/// Why a run through pages ended early.
#[derive(Debug)]
#[non_exhaustive]
pub enum PagingCause {
    /// The call of the page failed.
    Call(Error),
    /// The page is not the one that was asked for. Going on would bring the same records again. `take_refused` of the
    /// stream gives its records.
    #[non_exhaustive]
    Stalled {
        /// The offset that the page says it has; `None` when it says none or the right one.
        echoed: Option<u64>,
        /// The offset of the earlier page of the run whose records came again, byte for byte; `None` when they did not.
        repeats: Option<u64>,
        /// Where to go on instead for a caller who uses the records of this page: the offset after them.
        after: u64,
        /// The same as a position, for a list of any style; `None` when the page has no way to another one that is new.
        position_after: Option<Box<Position>>,
        /// What came with the page, and its bytes.
        page: Box<Response<()>>,
    },
    /// There is another page, and it cannot be asked for. All records before it were delivered.
    #[non_exhaustive]
    Unknown {
        /// What is wrong with what the last page says of the next one, as a fragment of a sentence.
        problem: String,
        /// What came with the last page, and its bytes.
        page: Box<Response<()>>,
    },
    /// The pages ended, by the last total or by a page without records, and fewer records came than the highest total of the run promised.
    /// All that came were delivered.
    #[non_exhaustive]
    Short {
        /// How many records were promised from the start of the run on, by the highest total of each list.
        promised: u64,
        /// How many of them came.
        received: u64,
        /// What came with the last page, and its bytes. `take_refused` of the stream gives it when it has no records.
        page: Box<Response<()>>,
    },
}

/// What was waited for did not come.
#[non_exhaustive]
pub struct WaitingError {
    /// The operation that was asked how far it is.
    pub operation: &'static Operation,
    /// Why there is no point in asking again now.
    pub cause: WaitingCause,
    /// What came with the last response to it, and its bytes; `None` when there was no response.
    pub last: Option<Box<Response<()>>>,
}

/// Why a wait ended without what was waited for.
#[derive(Debug)]
#[non_exhaustive]
pub enum WaitingCause {
    /// The service says that it failed, and why.
    Failed {
        /// The reason, in the service's words.
        reason: String,
    },
    /// It was not done by the deadline. It may still come.
    Deadline,
    /// The service could not be asked. It may still come.
    Call(Error),
}
