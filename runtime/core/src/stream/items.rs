//! A body of items: events, lines or a sequence.

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
/// An item that is not a valid `T` is yielded as [`Error::Decode`], with its bytes as [`Error::body`], and the stream continues. Any other
/// error ends it.
#[must_use = "dropping it gives up the rest of the body"]
pub struct Items<T>(Read<T>);

enum Read<T> {
    Events(Events<T>),
    Lines(JsonLines<T>),
}

impl<T: DeserializeOwned> ResponseStream<T> {
    /// Reads the body as the documented items, by its content type: the data of server-sent events, lines of JSON, or a sequence of JSON
    /// texts (`application/json-seq`). Without a documented item type, an item is any JSON.
    ///
    /// An event whose data is `[DONE]` ends the stream, unless its data is a string. [`events`](Self::events) also returns type, id and retry of the events.
    pub fn items(self) -> Items<T> {
        Items(match self.media_type().as_str() {
            "text/event-stream" => Read::Events(self.events().until_end_mark()),
            _ => Read::Lines(self.json_lines()),
        })
    }
}

impl<I> ResponseStream<I> {
    /// Reads the body as lines of JSON, each a `T` (`application/x-ndjson`, `application/jsonl`), or as a sequence of JSON texts if that is
    /// its content type (`application/json-seq`). [`items`](Self::items) reads the documented items.
    pub fn json_lines<T: DeserializeOwned>(self) -> JsonLines<T> {
        JsonLines::new(self.untyped())
    }
}

impl<T: DeserializeOwned> Items<T> {
    /// Returns the response metadata.
    pub fn meta(&self) -> &Meta {
        match &self.0 {
            Read::Events(events) => events.meta(),
            Read::Lines(lines) => lines.meta(),
        }
    }

    /// Returns the next item; `None` at the end. Dropping the future loses no item.
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
