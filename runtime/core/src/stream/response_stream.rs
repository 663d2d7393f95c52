//! A success whose body is read while it arrives.

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::marker::PhantomData;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use futures_core::Stream;
use http::header::CONTENT_TYPE;
use serde_json::Value;
use tokio::io::AsyncWrite;
use tracing::Span;

use super::form::EventForm;
use super::origin::Origin;
use super::pump::Pump;
use crate::call::span;
use crate::document::api::Operation;
use crate::error::Error;
use crate::response::response::Meta;
use crate::transport::body_stream::BodyStream;

/// A response whose body arrives in chunks, as `send_stream` returns it: for what is large, and for what has no end.
///
/// It is a [`Stream`] of chunks. An error ends it; what arrived before it was delivered. [`copy_to`](Self::copy_to) writes the body.
/// [`items`](Self::items) reads it as the items of type `T` that the document describes, or as any JSON where it describes none;
/// [`events`](Self::events) and [`json_lines`](Self::json_lines) read it as what it holds.
///
/// # Time and memory
///
/// The attempt timeout bounds the time to the head. After it, the read timeout bounds the time between two chunks, in which only waiting for
/// the service counts. The stream as a whole has no bound but that of [`deadline`](Self::deadline). A transport of your own has its own.
///
/// A task reads at most two chunks ahead of you; the service waits while you do not read. There is no bound on the size.
/// [`ClientBuilder::max_response_bytes`](crate::ClientBuilder::max_response_bytes) is that of each event or line.
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
    /// What came with the head.
    pub meta: Meta,
    origin: Arc<Origin>,
    chunks: Pump,
    span: Span,
    /// What an item is made of, where the document says it.
    form: Option<EventForm>,
    items: PhantomData<fn() -> T>,
}

impl ResponseStream {
    pub(crate) fn new(
        operation: &'static Operation,
        meta: Meta,
        body: BodyStream,
        limit: usize,
        span: Span,
    ) -> Self {
        Self {
            origin: Arc::new(Origin {
                operation,
                meta: meta.clone(),
                limit,
            }),
            meta,
            chunks: Pump::start(body, None),
            span,
            form: None,
            items: PhantomData,
        }
    }
}

impl<T> ResponseStream<T> {
    /// Says what the items of the body are. For generated code.
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

    /// The media type of the body, without parameters and in lower case; empty where the response has none.
    pub(super) fn media_type(&self) -> String {
        let content_type = self.meta.headers.get(CONTENT_TYPE);
        let text = content_type.and_then(|value| value.to_str().ok());
        let essence = text.and_then(|text| text.split(';').next());
        essence.unwrap_or_default().trim().to_ascii_lowercase()
    }

    pub(super) fn form(&self) -> Option<EventForm> {
        self.form
    }

    /// Bounds how long the rest of the body may take, read or not. After it, the stream ends with a timeout, and its connection is closed.
    pub fn deadline(mut self, bound: Duration) -> Self {
        let rest = BodyStream::new(self.chunks);
        self.chunks = Pump::start(rest, Some(bound));
        self
    }

    /// The next chunk, which is not empty; `None` at the end of the body. Dropping the future loses no chunk.
    pub async fn next(&mut self) -> Option<Result<Bytes, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// Writes the rest of the body, such as into a file, and flushes it. Returns how many bytes these were.
    ///
    /// # Errors
    ///
    /// Writing fails, or the body breaks off: then the error wraps an [`Error`], which
    /// [`get_ref`](std::io::Error::get_ref) returns. What arrived before is written.
    pub async fn copy_to(&mut self, writer: impl AsyncWrite) -> io::Result<u64> {
        let mut writer = pin!(writer);
        let mut written: u64 = 0;
        while let Some(chunk) = self.next().await {
            let mut chunk = chunk.map_err(io::Error::other)?;
            while chunk.has_remaining() {
                let size = poll_fn(|context| writer.as_mut().poll_write(context, &chunk)).await?;
                if size == 0 {
                    return Err(io::ErrorKind::WriteZero.into());
                }
                chunk.advance(size.min(chunk.len()));
                written = written.saturating_add(size as u64);
            }
        }
        poll_fn(|context| writer.as_mut().poll_flush(context)).await?;
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
                    span::end_stream(&self.span, &error);
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
