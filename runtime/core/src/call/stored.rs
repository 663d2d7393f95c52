//! Decodes stored response bytes as a call does. Nothing is sent.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use tracing::Span;

use crate::call::receive::Success;
use crate::decode::read::Read;
use crate::document::api::Documented;
use crate::error::Error;
use crate::response::history::CallHistory;
use crate::response::response::{Meta, Response};
use crate::response::undecoded::Undecoded;

impl<T: Documented + Read> Response<T> {
    /// Decodes a stored response body, such as an earlier [`raw`](Self::raw), as a call does: with rejects and [`drift`](Self::drift). It
    /// also makes test fixtures.
    ///
    /// As no call was made, the status code is 200 and there are no headers.
    ///
    /// # Errors
    ///
    /// [`Error::Decode`] if the bytes are not a valid `T`.
    ///
    /// ```
    /// use generated_client::document::Documented;
    /// use generated_client::wire::Read;
    /// use generated_client::{Error, Response};
    ///
    /// /// Decodes the pages that an earlier run stored.
    /// fn replay<T: Documented + Read>(kept: Vec<Vec<u8>>) -> Result<Vec<Response<T>>, Error> {
    ///     kept.into_iter().map(Response::from_bytes).collect()
    /// }
    /// ```
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self, Error> {
        let operation = T::operation();
        let history = CallHistory::start().with_retry(None, false);
        let meta = Meta {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            attempts: history.attempts,
            history,
            key: None,
        };
        let stored = Success {
            operation,
            meta,
            raw: bytes.into(),
            span: Span::none(),
        };
        stored.decoded(Undecoded::json)
    }
}
