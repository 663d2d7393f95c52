//! The body of a response as it arrives, chunk by chunk.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;

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
        S: Send + Unpin + 'static,
        F: FnMut(S) -> Next + Send + Unpin + 'static,
        Next: Future<Output = Option<(Result<Bytes, TransportError>, S)>> + Send + 'static,
    {
        Self::new(Unfold {
            state: Some(state),
            next,
            running: None,
        })
    }

    /// Returns the next chunk; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Result<Bytes, TransportError>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

/// Makes a body of bytes in memory, in one chunk.
impl From<Bytes> for BodyStream {
    fn from(body: Bytes) -> Self {
        Self::unfold(body, |body| async move {
            (!body.is_empty()).then(|| (Ok(body), Bytes::new()))
        })
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

struct Unfold<S, F, Next> {
    state: Option<S>,
    next: F,
    running: Option<Pin<Box<Next>>>,
}

impl<S, F, Next> Stream for Unfold<S, F, Next>
where
    S: Unpin,
    F: FnMut(S) -> Next + Unpin,
    Next: Future<Output = Option<(Result<Bytes, TransportError>, S)>>,
{
    type Item = Result<Bytes, TransportError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if let Some(state) = this.state.take() {
            this.running = Some(Box::pin((this.next)(state)));
        }
        let Some(running) = &mut this.running else {
            return Poll::Ready(None);
        };
        let made = ready!(running.as_mut().poll(context));
        this.running = None;
        let (item, state) = made.unzip();
        this.state = state;
        Poll::Ready(item)
    }
}
