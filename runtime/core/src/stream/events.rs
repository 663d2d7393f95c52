//! A body of server-sent events, event by event.

use std::fmt::{self, Write};
use std::future::poll_fn;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::form::{END, EventForm};
use super::origin::Origin;
use super::parser::{EventParser, Parsed};
use super::parts::Parts;
use super::response_stream::ResponseStream;
use crate::error::Error;
use crate::response::response::Meta;

/// A stream of server-sent events, parsed as the HTML standard defines. [`ResponseStream::events`] makes it.
///
/// If the document describes the data of an event as JSON, `[DONE]` as its data ends the stream, and is not yielded. Where the data is a
/// string, it is a string like any other.
///
/// It does not reconnect: that would be another call. An incomplete event at the end of the body is dropped, as the standard requires. An
/// error ends the stream; [`TransportError::partial`](crate::error::TransportError::partial) has the bytes of the interrupted event.
#[must_use = "dropping it gives up the rest of the body"]
pub struct Events<T = Value> {
    parts: Parts<EventParser, T>,
    /// The form of items whose end `[DONE]` marks; `None` if nothing is known of them.
    marked: Option<EventForm>,
}

/// A server-sent event.
#[non_exhaustive]
pub struct Event<T = Value> {
    /// The type of the event; `message` if the stream names none.
    pub event: String,
    /// The data, without the line break at its end.
    pub data: String,
    /// The last id that the stream set, in this event or an earlier one; empty if none.
    pub id: String,
    /// The last reconnection time that the stream set.
    pub retry: Option<Duration>,
    form: EventForm,
    origin: Arc<Origin>,
    item: PhantomData<fn() -> T>,
}

impl<T> ResponseStream<T> {
    /// Reads the body as server-sent events (`text/event-stream`).
    pub fn events(self) -> Events<T> {
        Events::new(self)
    }
}

impl<T> Events<T> {
    fn new(stream: ResponseStream<T>) -> Self {
        let parser = EventParser::new(stream.origin().limit);
        Self {
            marked: stream.form(),
            parts: Parts::new(stream, parser),
        }
    }

    /// Reads undescribed data as JSON, which ends at the end mark.
    pub(super) fn until_end_mark(mut self) -> Self {
        self.marked = self.marked.or(Some(EventForm::Data));
        self
    }

    /// Returns whether an event marks the end: its data would be JSON, and is the mark.
    fn is_end(&self, parsed: &Parsed) -> bool {
        parsed.data.trim() == END && self.marked.is_some_and(|form| !form.is_text(&parsed.event))
    }

    /// Returns the response metadata.
    pub fn meta(&self) -> &Meta {
        &self.parts.stream.meta
    }

    /// Returns the next event; `None` at the end of the body. Dropping the future loses no event.
    pub async fn next(&mut self) -> Option<Result<Event<T>, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl<T> Event<T> {
    /// Decodes the JSON data with the tolerance of a response. Empty data is read as `null`.
    ///
    /// # Errors
    ///
    /// [`Error::Decode`] if the data is not a valid `D`. [`Error::body`] has it, and the stream continues.
    pub fn data_as<D: DeserializeOwned>(&self) -> Result<D, Error> {
        let data = Bytes::copy_from_slice(self.data.as_bytes());
        self.origin.decode(data)
    }
}

impl<T: DeserializeOwned> Event<T> {
    /// Decodes the documented item, with the tolerance of a response: the data, or the event including its data.
    ///
    /// # Errors
    ///
    /// [`Error::Decode`] if it is not a valid `T`. The stream continues.
    pub fn item(&self) -> Result<T, Error> {
        match self.form {
            EventForm::Data => self.data_as(),
            EventForm::TextData => {
                let data = Value::from(self.data.as_str()).to_string();
                self.origin.decode(data.into())
            }
            EventForm::Event { .. } | EventForm::Text => self.origin.decode(self.whole()),
        }
    }

    /// Returns the event as JSON. Data that should be JSON but is invalid becomes a string.
    fn whole(&self) -> Bytes {
        let is_text = self.form.is_text(&self.event);
        let json = (!is_text).then(|| serde_json::from_str::<&RawValue>(&self.data));
        let data = match json {
            Some(Ok(json)) => json.get().to_owned(),
            _ => Value::from(self.data.as_str()).to_string(),
        };
        let event = Value::from(self.event.as_str());
        let mut whole = format!("{{\"event\":{event},\"data\":{data}");
        // Writing to a `String` cannot fail.
        if !self.id.is_empty() {
            let _ = write!(whole, ",\"id\":{}", Value::from(self.id.as_str()));
        }
        if let Some(retry) = self.retry {
            let _ = write!(whole, ",\"retry\":{}", retry.as_millis());
        }
        whole.push('}');
        whole.into()
    }
}

impl<T> Clone for Event<T> {
    fn clone(&self) -> Self {
        Self {
            event: self.event.clone(),
            data: self.data.clone(),
            id: self.id.clone(),
            retry: self.retry,
            form: self.form,
            origin: Arc::clone(&self.origin),
            item: PhantomData,
        }
    }
}

impl<T> Stream for Events<T> {
    type Item = Result<Event<T>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let parsed = match ready!(self.parts.poll_part(context)) {
            None => return Poll::Ready(None),
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            Some(Ok(parsed)) => parsed,
        };
        if self.is_end(&parsed) {
            self.parts.end();
            return Poll::Ready(None);
        }
        let stream = &self.parts.stream;
        Poll::Ready(Some(Ok(Event {
            event: parsed.event,
            data: parsed.data,
            id: parsed.id,
            retry: parsed.retry,
            form: stream.form().unwrap_or(EventForm::Data),
            origin: Arc::clone(stream.origin()),
            item: PhantomData,
        })))
    }
}

impl<T> fmt::Debug for Events<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Events").field(&self.parts.stream).finish()
    }
}

/// Shows the size of the data, but none of the content.
impl<T> fmt::Debug for Event<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("data", &format_args!("{} bytes", self.data.len()))
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}
