//! The one error type of a client. Its variants say who has to act, and whether the service responded.
//!
//! The errors of paging and waiting are here too, because they contain the error of a call.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use crate::document::api::Operation;
use crate::error::argument::ArgumentError;
use crate::error::configuration::ConfigurationError;
use crate::error::credential::CredentialError;
#[cfg(feature = "paging")]
use crate::error::position::Position;
#[cfg(feature = "paging")]
use crate::error::record::RecordError;
use crate::error::refused::{DeadlineExceeded, Refused};
use crate::error::response::{BodyError, DecodeError, StatusError};
use crate::error::transport::TransportError;
use crate::interceptor::Record;
use crate::response::failure::TransportErrorKind;
use crate::response::history::{Attempt, CallHistory};
use crate::response::request_id::request_id;
use crate::response::response::Response;

/// The reason why a client could not be built, or a call returned no body.
///
/// Messages name the operation and its path template, but never the address that was called, which may identify people or companies. They
/// also quote no body of an error response; [`excerpt`](Self::excerpt) does. No message and no `Debug` output contains the API key.
///
/// `Debug` is one line, for `fn main() -> Result<(), Error>`. It shows variant, message, status code, request id, attempts, the
/// interceptor's record, the size of the body, and the resume position. `{:#?}` uses a line for each.
///
/// `Display` never repeats the message of [`source`](std::error::Error::source).
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The settings of the client are invalid.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// An argument is invalid. Nothing was sent.
    #[error(transparent)]
    Argument(#[from] ArgumentError),
    /// The client has no credential for the operation, or its token provider failed. Nothing was sent with another credential.
    #[error(transparent)]
    Credential(#[from] Box<CredentialError>),
    /// The [interceptor](crate::interceptor) of the client refused the call.
    #[error(transparent)]
    Refused(#[from] Box<Refused>),
    /// The deadline expired before the request could be sent.
    #[error(transparent)]
    DeadlineExceeded(#[from] Box<DeadlineExceeded>),
    /// There is no response, or only a part of one.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The status of the response is not 2xx.
    #[error(transparent)]
    Status(Box<StatusError>),
    /// The status of the response is 2xx, but its body does not match the document.
    #[error(transparent)]
    Decode(Box<DecodeError>),
    /// The pages ended early. A new run may continue from [`Error::resume_offset`].
    #[cfg(feature = "paging")]
    #[error(transparent)]
    Paging(Box<PagingError>),
    /// One record of a page does not decode. The stream continues with the next.
    #[cfg(feature = "paging")]
    #[error(transparent)]
    Record(Box<RecordError>),
    /// The awaited operation failed, or did not finish in time.
    #[cfg(feature = "waiting")]
    #[error(transparent)]
    Waiting(Box<WaitingError>),
}

impl Error {
    /// Returns the id of the operation that was called; `None` when no call was made.
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
            #[cfg(feature = "paging")]
            Self::Paging(error) => Some(error.operation.id),
            #[cfg(feature = "paging")]
            Self::Record(error) => Some(error.operation.id),
            #[cfg(feature = "waiting")]
            Self::Waiting(error) => Some(error.operation.id),
        }
    }

    /// Returns the status of the complete or partial response, if there is one.
    pub fn status(&self) -> Option<StatusCode> {
        self.received().map(|(status, _, _)| status)
    }

    /// Returns the headers of the complete or partial response, if there is one.
    pub fn headers(&self) -> Option<&HeaderMap> {
        self.received().map(|(_, headers, _)| headers)
    }

    /// Returns the request id from a common response header such as `x-request-id`; `None` if there is none.
    pub fn request_id(&self) -> Option<&str> {
        request_id(self.headers()?)
    }

    /// Returns the raw body of the response, or the part of it that arrived.
    pub fn body(&self) -> Option<&Bytes> {
        self.received().map(|(_, _, body)| body)
    }

    /// Decodes the body of an error response, with the tolerance of any other response. The documentation of `send` lists the type of each
    /// status. `None` if there is no response with a status other than 2xx.
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

    /// Returns the service's own description of a failure: the beginning of an error body, or the reason of a failed wait. It is one line
    /// of at most 200 characters without the API key. `None` if there is none.
    ///
    /// Services may repeat the arguments there: show it to the caller, but leave it out of logs.
    pub fn excerpt(&self) -> Option<String> {
        let excerpt = match self.of_call() {
            Self::Status(error) => error.excerpt(),
            #[cfg(feature = "waiting")]
            Self::Waiting(error) => error.reason(),
            _ => String::new(),
        };
        (!excerpt.is_empty()).then_some(excerpt)
    }

    /// Returns the JSON Pointer to the value that does not decode, in the body or in the record; empty for all of it.
    pub fn path(&self) -> Option<&str> {
        match self.of_call() {
            Self::Decode(error) => Some(&error.path),
            #[cfg(feature = "paging")]
            Self::Record(error) => Some(&error.reject.path),
            _ => None,
        }
    }

    /// Returns the offset at which a new paging run continues: every record before it was delivered. `None` if paging does not use offsets;
    /// [`position`](Self::position) works for all styles.
    #[cfg(feature = "paging")]
    pub fn resume_offset(&self) -> Option<u64> {
        match self {
            Self::Paging(error) => error.position.offset(),
            Self::Record(error) => error.position.offset(),
            _ => None,
        }
    }

    /// Returns the position at which a new paging run continues, for `resume` of the stream.
    #[cfg(feature = "paging")]
    pub fn position(&self) -> Option<&Position> {
        match self {
            Self::Paging(error) => Some(&error.position),
            Self::Record(error) => Some(&error.position),
            _ => None,
        }
    }

    /// Returns the [interceptor's](crate::interceptor) record of the call; `None` without an interceptor. For paging and waiting errors, it
    /// is that of the last call.
    pub fn record(&self) -> Option<&Record> {
        self.history()?.record.as_ref()
    }

    /// Returns the attempts before the last one, with the bytes that arrived.
    pub fn earlier_attempts(&self) -> &[Attempt] {
        self.history().map_or(&[], |history| &history.earlier)
    }

    /// Returns whether the same call may succeed later, and repeating it has no further effect.
    pub fn is_retryable(&self) -> bool {
        self.history()
            .is_some_and(|history| history.is_retryable && history.is_repeatable())
    }

    /// Returns whether no connection was made, so that nothing was sent; also after a [connect
    /// timeout](crate::ClientBuilder::connect_timeout). It works for calls, streams, paging and waiting.
    pub fn is_connect(&self) -> bool {
        matches!(self.of_call(), Self::Transport(error) if error.kind() == TransportErrorKind::Connect)
    }

    /// Returns whether the time ran out: a transport timeout other than the connect timeout, or a deadline. It works for calls, streams,
    /// paging and waiting.
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
            #[cfg(feature = "waiting")]
            Self::Waiting(error) => matches!(error.cause, WaitingCause::Deadline),
            _ => false,
        }
    }

    /// Returns how long the service asked to wait, by `retry-after-ms` or `Retry-After`; `None` if it did not ask.
    pub fn retry_after(&self) -> Option<Duration> {
        self.history()?.retry_after
    }

    /// Returns the number of attempts; zero if nothing was sent to the transport.
    pub fn attempts(&self) -> u32 {
        self.history().map_or(0, |history| history.attempts)
    }

    /// Returns whether repeating the call has no further effect.
    #[cfg(feature = "cache")]
    pub(crate) fn is_repeatable(&self) -> bool {
        self.history().is_none_or(CallHistory::is_repeatable)
    }

    /// Returns whether the response was stored.
    #[cfg(feature = "journal")]
    pub(crate) fn is_stored(&self) -> bool {
        self.history().is_some_and(CallHistory::is_stored)
    }

    /// Returns the idempotency key that all attempts carried; `None` if the operation has none. A call with the same key and arguments is the
    /// same call for the service, while it remembers the key.
    #[cfg(feature = "idempotency")]
    pub fn idempotency_key(&self) -> Option<&str> {
        self.history()?.idempotency_key.as_deref()
    }

    fn history(&self) -> Option<&CallHistory> {
        match self.of_call() {
            Self::Configuration(_) | Self::Argument(_) => None,
            Self::Credential(error) => Some(&error.history),
            Self::Refused(error) => Some(&error.history),
            Self::DeadlineExceeded(error) => Some(&error.history),
            Self::Transport(error) => error.history(),
            Self::Status(error) => Some(&error.history),
            Self::Decode(error) => Some(&error.history),
            #[cfg(feature = "paging")]
            Self::Record(error) => Some(&error.history),
            other => Some(&other.response()?.meta.history),
        }
    }

    /// Returns the error of the call that ended a paging run or a wait, and otherwise the error itself. Match on it to handle the cause of
    /// all three.
    pub fn of_call(&self) -> &Self {
        let call = match self {
            #[cfg(feature = "paging")]
            Self::Paging(error) => error.call(),
            #[cfg(feature = "waiting")]
            Self::Waiting(error) => error.call(),
            _ => None,
        };
        call.unwrap_or(self)
    }

    /// Returns status, headers and body, as far as they arrived.
    fn received(&self) -> Option<(StatusCode, &HeaderMap, &Bytes)> {
        match self.of_call() {
            Self::Status(error) => Some((error.status, &error.headers, &error.body)),
            Self::Decode(error) => Some((error.status, &error.headers, &error.body)),
            Self::Transport(error) => {
                let partial = error.partial()?;
                Some((partial.status(), partial.headers(), partial.body()))
            }
            other => {
                let Response { meta, raw, .. } = other.response()?;
                Some((meta.status, &meta.headers, raw))
            }
        }
    }

    /// Returns the response of a successful call that ended a paging run or a wait.
    fn response(&self) -> Option<&Response<()>> {
        match self {
            #[cfg(feature = "paging")]
            Self::Paging(error) => error.response(),
            #[cfg(feature = "waiting")]
            Self::Waiting(error) => error.last.as_deref(),
            _ => None,
        }
    }
}

/// A paging run that ended before the last page, or with fewer records than promised. All records before [`offset`](Self::offset) were
/// delivered.
#[cfg(feature = "paging")]
#[non_exhaustive]
pub struct PagingError {
    /// The operation that was called.
    pub operation: &'static Operation,
    /// The offset for a new run, or the number of delivered records if paging does not use offsets. It is never before a delivered record,
    /// unless a page has several lists: then it is the end of the list with the least progress.
    pub offset: u64,
    /// The offset of the first missing record that a total or a later record promised; `None` if none is missing up to
    /// [`offset`](Self::offset). It is lower than the offset only if one of several lists ended early: a new run from here delivers records
    /// of the others again.
    pub missing: Option<u64>,
    /// The position for a new run, for all paging styles.
    pub position: Position,
    /// Why the run ended.
    pub cause: PagingCause,
}

/// The reason why a paging run ended early.
#[derive(Debug)]
#[cfg(feature = "paging")]
#[non_exhaustive]
pub enum PagingCause {
    /// The call of the page failed.
    Call(Error),
    /// The page is not the requested one: continuing would deliver the same records again. `take_refused` of the stream returns its
    /// records.
    #[non_exhaustive]
    Stalled {
        /// The offset that the page echoes, if it is wrong.
        echoed: Option<u64>,
        /// The offset of the earlier page with identical records, if there is one.
        repeats: Option<u64>,
        /// The offset after the records of this page, for callers who use them.
        after: u64,
        /// The position after them, for all paging styles; `None` if the page names no new page.
        position_after: Option<Box<Position>>,
        /// The response metadata of the page, and its bytes.
        page: Box<Response<()>>,
    },
    /// There is another page, but it cannot be requested. All records before it were delivered.
    #[non_exhaustive]
    Unknown {
        /// The problem with the last page's reference to the next one, as a fragment of a sentence.
        problem: String,
        /// The response metadata of the last page, and its bytes.
        page: Box<Response<()>>,
    },
    /// The pages ended, by the last total or an empty page, with fewer records than the highest total of the run. All received records were
    /// delivered.
    #[non_exhaustive]
    Short {
        /// The number of promised records from the start of the run, by the highest total of each list.
        promised: u64,
        /// The number of received records.
        received: u64,
        /// The response metadata of the last page, and its bytes. `take_refused` of the stream returns the page if it has no records.
        page: Box<Response<()>>,
    },
}

/// The error of a wait that ended without success.
#[cfg(feature = "waiting")]
#[non_exhaustive]
pub struct WaitingError {
    /// The operation that was polled.
    pub operation: &'static Operation,
    /// The reason why polling ended.
    pub cause: WaitingCause,
    /// The response metadata and bytes of the last poll; `None` if there was no response.
    pub last: Option<Box<Response<()>>>,
}

/// The reason why a wait ended without success.
#[derive(Debug)]
#[cfg(feature = "waiting")]
#[non_exhaustive]
pub enum WaitingCause {
    /// The service reports a failure.
    Failed {
        /// The reason given by the service.
        reason: String,
    },
    /// The operation was not done at the last poll before the deadline. It may still finish.
    Deadline,
    /// The poll failed. The operation may still finish.
    Call(Error),
}
