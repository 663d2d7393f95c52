//! The body of a request whose chunks are read while they are sent.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use futures_util::StreamExt;
use http_body::{Frame, SizeHint};

use crate::error::TransportError;
use crate::transport::body_stream::BodyStream;

/// The body of a request as it is sent, for [`Transport::send_body`](crate::transport::Transport::send_body).
///
/// It is a stream of chunks and a body of the crate `http-body`. It can be sent once.
///
/// ```
/// use generated_client::Bytes;
/// use generated_client::transport::RequestBody;
///
/// let body = RequestBody::from(Bytes::from_static(b"{}"));
/// assert_eq!(body.length(), Some(2));
/// ```
pub struct RequestBody {
    // Transports may require a body that is `Sync`; only one thread reads it.
    chunks: Mutex<BodyStream>,
    length: Option<u64>,
    /// The number of bytes that were read from it.
    taken: Arc<AtomicU64>,
}

impl RequestBody {
    /// Makes a body of these chunks. With a `length`, it is sent with `Content-Length`, and otherwise chunked.
    pub fn new(
        chunks: impl Stream<Item = Result<Bytes, TransportError>> + Send + 'static,
        length: Option<u64>,
    ) -> Self {
        Self {
            chunks: Mutex::new(BodyStream::new(chunks)),
            length,
            taken: Arc::default(),
        }
    }

    /// Returns the length in bytes, if it is known in advance.
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// Reads it completely into memory.
    ///
    /// # Errors
    ///
    /// A chunk cannot be read.
    pub async fn bytes(mut self) -> Result<Bytes, TransportError> {
        let mut body = BytesMut::new();
        while let Some(chunk) = self.next().await.transpose()? {
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }

    /// Returns the counter of the bytes that are read from it.
    pub(crate) fn taken(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.taken)
    }
}

/// Makes a body of bytes in memory, in one chunk.
impl From<Bytes> for RequestBody {
    fn from(bytes: Bytes) -> Self {
        let length = u64::try_from(bytes.len()).ok();
        Self::new(BodyStream::from(bytes), length)
    }
}

impl Stream for RequestBody {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let chunks = this.chunks.get_mut();
        let chunks = chunks.unwrap_or_else(PoisonError::into_inner);
        let next = Pin::new(chunks).poll_next(context);
        if let Poll::Ready(Some(Ok(chunk))) = &next {
            let length = u64::try_from(chunk.len()).unwrap_or_default();
            this.taken.fetch_add(length, Ordering::Relaxed);
        }
        next
    }
}

impl http_body::Body for RequestBody {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        self.poll_next(context)
            .map(|next| next.map(|chunk| chunk.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        let taken = self.taken.load(Ordering::Relaxed);
        let left = self.length.map(|length| length.saturating_sub(taken));
        left.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

impl fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestBody")
            .field("length", &self.length())
            .finish_non_exhaustive()
    }
}
