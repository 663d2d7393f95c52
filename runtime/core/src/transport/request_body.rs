//! The body of a request: bytes in memory, or chunks that are read while they are sent.

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
    pub(super) content: Content,
    /// The number of bytes that were read from it.
    taken: Arc<AtomicU64>,
}

pub(super) enum Content {
    Whole(Bytes),
    // Transports may require a body that is `Sync`; only one thread reads it.
    Chunks(Mutex<BodyStream>, Option<u64>),
}

impl RequestBody {
    /// Makes a body of these chunks. With a `length`, it is sent with `Content-Length`, and otherwise chunked.
    pub fn new(
        chunks: impl Stream<Item = Result<Bytes, TransportError>> + Send + 'static,
        length: Option<u64>,
    ) -> Self {
        Content::Chunks(Mutex::new(BodyStream::new(chunks)), length).into()
    }

    /// Returns the length in bytes, if it is known in advance.
    pub fn length(&self) -> Option<u64> {
        match &self.content {
            Content::Whole(bytes) => u64::try_from(bytes.len()).ok(),
            Content::Chunks(_, length) => *length,
        }
    }

    /// Reads it completely into memory.
    ///
    /// # Errors
    ///
    /// A chunk cannot be read.
    pub async fn bytes(self) -> Result<Bytes, TransportError> {
        let mut chunks = match self.content {
            Content::Whole(bytes) => return Ok(bytes),
            Content::Chunks(chunks, _) => {
                chunks.into_inner().unwrap_or_else(PoisonError::into_inner)
            }
        };
        let mut body = BytesMut::new();
        while let Some(chunk) = chunks.next().await.transpose()? {
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }

    /// Returns the counter of the bytes that are read from it.
    pub(crate) fn taken(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.taken)
    }
}

impl From<Content> for RequestBody {
    fn from(content: Content) -> Self {
        Self {
            content,
            taken: Arc::default(),
        }
    }
}

/// Makes a body of bytes in memory, in one chunk.
impl From<Bytes> for RequestBody {
    fn from(bytes: Bytes) -> Self {
        Content::Whole(bytes).into()
    }
}

impl Stream for RequestBody {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let next = match &mut this.content {
            Content::Whole(bytes) => {
                let bytes = std::mem::take(bytes);
                Poll::Ready((!bytes.is_empty()).then_some(Ok(bytes)))
            }
            Content::Chunks(chunks, _) => {
                let chunks = chunks.get_mut().unwrap_or_else(PoisonError::into_inner);
                Pin::new(chunks).poll_next(context)
            }
        };
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

    fn is_end_stream(&self) -> bool {
        matches!(&self.content, Content::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        let taken = self.taken.load(Ordering::Relaxed);
        match (&self.content, self.length()) {
            (Content::Chunks(..), Some(length)) => {
                SizeHint::with_exact(length.saturating_sub(taken))
            }
            (_, Some(left)) => SizeHint::with_exact(left),
            (_, None) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestBody")
            .field("length", &self.length())
            .finish_non_exhaustive()
    }
}
