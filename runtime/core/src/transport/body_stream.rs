//! The body of a response as it arrives, chunk by chunk.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use futures_util::{StreamExt, stream};

use crate::error::TransportError;

type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send>>;

/// The body of a response as it arrives, returned by [`Transport::send_stream`](crate::transport::Transport::send_stream).
///
/// The first error ends it. Dropping it discards the rest of the response.
pub struct BodyStream(Chunks);

impl BodyStream {
    /// Makes a body of a stream of chunks. The stream ends with the body, or with an error if the response is truncated.
    pub fn new(chunks: impl Stream<Item = Result<Bytes, TransportError>> + Send + 'static) -> Self {
        Self(Box::pin(chunks))
    }

    /// Makes a body whose chunks are computed one after the other from a state. `None` ends it.
    pub(crate) fn unfold<S, F, Next>(state: S, next: F) -> Self
    where
        S: Send + 'static,
        F: FnMut(S) -> Next + Send + 'static,
        Next: Future<Output = Option<(Result<Bytes, TransportError>, S)>> + Send + 'static,
    {
        Self::new(stream::unfold(state, next).fuse())
    }
}

/// Makes a body of bytes in memory, in one chunk.
impl From<Bytes> for BodyStream {
    fn from(body: Bytes) -> Self {
        let chunk = Some(body).filter(|body| !body.is_empty());
        Self::new(stream::iter(chunk.map(Ok)))
    }
}

impl Stream for BodyStream {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl fmt::Debug for BodyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BodyStream").finish_non_exhaustive()
    }
}
