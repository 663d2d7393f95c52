//! A success whose body is streamed.

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::marker::PhantomData;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use http::header::CONTENT_TYPE;
use serde_json::Value;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tracing::Span;

use super::form::EventForm;
use super::origin::Origin;
use super::pump::Pump;
use crate::call::receive::Success;
use crate::call::span;
use crate::error::Error;
use crate::response::response::Meta;
use crate::transport::body_stream::BodyStream;

/// A response whose body arrives in chunks, returned by `send_stream`: for large or endless bodies.
///
/// It is a [`Stream`] of chunks. An error ends it, after everything that arrived before. [`copy_to`](Self::copy_to) writes the body.
/// [`items`](Self::items) reads it as documented items of type `T`, or as any JSON if they are undocumented; [`events`](Self::events) and
/// [`json_lines`](Self::json_lines) read these formats.
///
/// # Time and memory
///
/// The attempt timeout limits the time to the head. Then the read timeout limits the time between two chunks, counting only the wait
/// for the service. The complete stream is limited only by its [`deadline`](Self::deadline). A custom transport has its own timeouts.
///
/// A task reads at most two chunks ahead; then the service waits for the reader. The size is unlimited.
/// [`ClientBuilder::max_response_bytes`](crate::ClientBuilder::max_response_bytes) limits each event or line.
///
/// Dropping the stream closes its connection. The span of the call lasts until then. A stream does not count as a call in flight.
///
/// ```
/// # use generated_client::{Client, Method};
/// # async fn example(client: Client) -> Result<(), Box<dyn std::error::Error>> {
/// let mut stream = client.raw(Method::GET, "/v2/export").send_stream().await?;
/// let mut size = 0;
/// while let Some(chunk) = stream.next().await {
///     size += chunk?.len();
/// }
/// println!("{size} bytes, {}", stream.meta.status);
/// # Ok(()) }
/// ```
#[must_use = "dropping it gives up the rest of the body"]
pub struct ResponseStream<T = Value> {
    /// The response metadata.
    pub meta: Meta,
    origin: Arc<Origin>,
    chunks: Pump,
    span: Span,
    /// The documented form of an item, if any.
    form: Option<EventForm>,
    items: PhantomData<fn() -> T>,
}

impl ResponseStream {
    pub(crate) fn new(head: Success, body: BodyStream, limit: usize) -> Self {
        Self {
            origin: Arc::new(Origin {
                operation: head.operation,
                meta: head.meta.clone(),
                limit,
            }),
            meta: head.meta,
            chunks: Pump::start(body, None),
            span: head.span,
            form: None,
            items: PhantomData,
        }
    }
}

impl<T> ResponseStream<T> {
    /// Sets the item type of the body. For generated code.
    #[doc(hidden)]
    pub fn of<I>(self, form: EventForm) -> ResponseStream<I> {
        self.with_form(Some(form))
    }

    pub(super) fn untyped(self) -> ResponseStream {
        self.with_form(None)
    }

    fn with_form<I>(self, form: Option<EventForm>) -> ResponseStream<I> {
        ResponseStream {
            meta: self.meta,
            origin: self.origin,
            chunks: self.chunks,
            span: self.span,
            form,
            items: PhantomData,
        }
    }

    /// Returns the media type of the body, without parameters and in lower case; empty if the response has none.
    pub(super) fn media_type(&self) -> String {
        let content_type = self.meta.headers.get(CONTENT_TYPE);
        let text = content_type.and_then(|value| value.to_str().ok());
        let essence = text.and_then(|text| text.split(';').next());
        essence.unwrap_or_default().trim().to_ascii_lowercase()
    }

    pub(super) fn form(&self) -> Option<EventForm> {
        self.form
    }

    /// Limits the time for the rest of the body, even if it is not read. When it expires, the stream ends with a timeout, and its
    /// connection is closed.
    pub fn deadline(mut self, bound: Duration) -> Self {
        let rest = BodyStream::new(self.chunks);
        self.chunks = Pump::start(rest, Some(bound));
        self
    }

    /// Returns the next chunk, which is not empty; `None` at the end of the body. Dropping the future loses no chunk.
    pub async fn next(&mut self) -> Option<Result<Bytes, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// Writes the rest of the body, for example into a file, and flushes it. Returns the number of bytes.
    ///
    /// # Errors
    ///
    /// Writing fails, or the body is truncated: then the error wraps an [`Error`], which [`get_ref`](std::io::Error::get_ref) returns.
    /// Everything that arrived before is written.
    pub async fn copy_to(&mut self, writer: impl AsyncWrite) -> io::Result<u64> {
        let mut writer = pin!(writer);
        let mut written: u64 = 0;
        while let Some(chunk) = self.next().await {
            let chunk = chunk.map_err(io::Error::other)?;
            writer.write_all(&chunk).await?;
            written = written.saturating_add(chunk.len() as u64);
        }
        writer.flush().await?;
        Ok(written)
    }

    pub(super) fn origin(&self) -> &Arc<Origin> {
        &self.origin
    }
}

impl<T> Stream for ResponseStream<T> {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(Pin::new(&mut self.chunks).poll_next(context)) {
                Some(Ok(chunk)) if chunk.is_empty() => {}
                Some(Ok(chunk)) => return Poll::Ready(Some(Ok(chunk))),
                Some(Err(error)) => {
                    let error = self.origin.broken_off(error, Vec::new());
                    span::end_call(&self.span, &error);
                    return Poll::Ready(Some(Err(error)));
                }
                None => return Poll::Ready(None),
            }
        }
    }
}

impl<T> fmt::Debug for ResponseStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseStream")
            .field("operation", &self.origin.operation.id)
            .field("meta", &self.meta)
            .finish_non_exhaustive()
    }
}
