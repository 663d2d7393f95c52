//! A body of items: events, lines or a sequence.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::events::Events;
use super::json_texts::JsonTexts;
use super::parts::Parts;
use super::response_stream::ResponseStream;
use crate::error::Error;
use crate::response::response::Meta;

/// A stream of the items of a body. [`ResponseStream::items`] and [`ResponseStream::json_lines`] make it.
///
/// Blank lines are skipped. An item that is not a valid `T` is yielded as [`Error::Decode`], with its bytes as [`Error::body`], and the stream continues. Any other
/// error ends it; [`TransportError::partial`](crate::error::TransportError::partial) has the bytes of the interrupted item.
#[must_use = "dropping it gives up the rest of the body"]
pub struct Items<T>(Read<T>);

enum Read<T> {
    Events(Events<T>),
    Lines(Parts<JsonTexts, Value>),
}

impl<T: DeserializeOwned> ResponseStream<T> {
    /// Reads the body as the documented items, by its content type: the data of server-sent events, lines of JSON, or a sequence of JSON
    /// texts (`application/json-seq`). Without a documented item type, an item is any JSON.
    ///
    /// An event whose data is `[DONE]` ends the stream, unless its data is a string. [`events`](Self::events) also returns type, id and retry of the events.
    pub fn items(self) -> Items<T> {
        match self.media_type().as_str() {
            "text/event-stream" => Items(Read::Events(self.events().until_end_mark())),
            _ => self.json_lines(),
        }
    }
}

impl<I> ResponseStream<I> {
    /// Reads the body as lines of JSON, each a `T` (`application/x-ndjson`, `application/jsonl`), or as a sequence of JSON texts if that is
    /// its content type (`application/json-seq`). [`items`](Self::items) reads the documented items.
    pub fn json_lines<T: DeserializeOwned>(self) -> Items<T> {
        let is_sequence = self.media_type().ends_with("json-seq");
        let texts = JsonTexts::new(is_sequence, self.origin().limit);
        Items(Read::Lines(Parts::new(self.untyped(), texts)))
    }
}

impl<T: DeserializeOwned> Items<T> {
    /// Returns the response metadata.
    pub fn meta(&self) -> &Meta {
        match &self.0 {
            Read::Events(events) => events.meta(),
            Read::Lines(lines) => &lines.stream.meta,
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
            Read::Lines(lines) => loop {
                match ready!(lines.poll_part(context)) {
                    Some(Ok(line)) if line.trim_ascii().is_empty() => {}
                    Some(Ok(line)) => {
                        let item = lines.stream.origin().decode(Bytes::from(line));
                        return Poll::Ready(Some(item));
                    }
                    Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                    None => return Poll::Ready(None),
                }
            },
        }
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Read::Events(events) => f.debug_tuple("Items").field(events).finish(),
            Read::Lines(lines) => f.debug_tuple("Items").field(&lines.stream).finish(),
        }
    }
}
