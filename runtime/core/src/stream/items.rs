//! A body of items, whether these are events, lines or a sequence.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use serde::de::DeserializeOwned;

use super::events::Events;
use super::json_lines::JsonLines;
use super::response_stream::ResponseStream;
use crate::error::Error;
use crate::response::response::Meta;

/// A stream of the items of a body. [`ResponseStream::items`] makes it.
///
/// An item that is no `T` is yielded as [`Error::Decode`], with its bytes as [`Error::body`], and the stream goes on. Any other error ends it.
#[must_use = "dropping it gives up the rest of the body"]
pub struct Items<T>(Read<T>);

enum Read<T> {
    Events(Events<T>),
    Lines(JsonLines<T>),
}

impl<T: DeserializeOwned> ResponseStream<T> {
    /// Reads the body as the items that the document describes, by its content type: the data of server-sent events, lines of JSON, or a
    /// sequence of JSON texts (`application/json-seq`). Where the document describes none, an item is any JSON.
    ///
    /// An event whose data is `[DONE]` is the end. [`events`](Self::events) has what stands beside the data of an event.
    pub fn items(self) -> Items<T> {
        Items(match self.media_type().as_str() {
            "text/event-stream" => Read::Events(self.events().until_end_mark()),
            _ => Read::Lines(self.json_lines()),
        })
    }
}

impl<I> ResponseStream<I> {
    /// Reads the body as lines of JSON, each a `T` (`application/x-ndjson`, `application/jsonl`), or as a sequence of JSON texts where its
    /// content type says it (`application/json-seq`). [`items`](Self::items) reads what the document describes.
    pub fn json_lines<T: DeserializeOwned>(self) -> JsonLines<T> {
        JsonLines::new(self.untyped())
    }
}

impl<T: DeserializeOwned> Items<T> {
    /// What came with the head.
    pub fn meta(&self) -> &Meta {
        match &self.0 {
            Read::Events(events) => events.meta(),
            Read::Lines(lines) => lines.meta(),
        }
    }

    /// The next item; `None` at the end. Dropping the future loses no item.
    pub async fn next(&mut self) -> Option<Result<T, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl<T: DeserializeOwned> Stream for Items<T> {
    type Item = Result<T, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match &mut self.0 {
            Read::Events(events) => {
                let event = ready!(Pin::new(events).poll_next(context));
                Poll::Ready(event.map(|event| event?.item()))
            }
            Read::Lines(lines) => Pin::new(lines).poll_next(context),
        }
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Read::Events(events) => f.debug_tuple("Items").field(events).finish(),
            Read::Lines(lines) => f.debug_tuple("Items").field(lines).finish(),
        }
    }
}
