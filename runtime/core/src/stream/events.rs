//! A body of server-sent events, event by event.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use serde::de::DeserializeOwned;

use super::origin::Origin;
use super::parser::EventParser;
use super::response_stream::ResponseStream;
use crate::error::Error;
use crate::response::response::Meta;

/// A stream of server-sent events, read as the HTML standard says. [`ResponseStream::events`] makes it.
///
/// It does not reconnect: that would be another call. An event that the body ends in is left out, as the standard says. An error ends the
/// stream; [`TransportError::partial`](crate::error::TransportError::partial) has what arrived of the event that it interrupts.
#[must_use = "dropping it gives up the rest of the body"]
pub struct Events {
    stream: ResponseStream,
    parser: EventParser,
    is_over: bool,
}

/// A server-sent event.
#[derive(Clone)]
#[non_exhaustive]
pub struct Event {
    /// Its type; `message` where the stream names none.
    pub event: String,
    /// Its data, without the line break at its end.
    pub data: String,
    /// The last identifier that the stream set, with this event or before it; empty if none.
    pub id: String,
    /// The last pause before a new connection that the stream asked for.
    pub retry: Option<Duration>,
    origin: Arc<Origin>,
}

impl ResponseStream {
    /// Reads the body as server-sent events (`text/event-stream`).
    pub fn events(self) -> Events {
        Events::new(self)
    }
}

impl Events {
    fn new(stream: ResponseStream) -> Self {
        Self {
            parser: EventParser::new(stream.origin().limit),
            stream,
            is_over: false,
        }
    }

    /// What came with the head.
    pub fn meta(&self) -> &Meta {
        &self.stream.meta
    }

    /// The next event; `None` at the end of the body. Dropping the future loses no event.
    pub async fn next(&mut self) -> Option<Result<Event, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl Event {
    /// Decodes the data, which is JSON, with the tolerance of a response. Empty data is read as `null`.
    ///
    /// # Errors
    ///
    /// [`Error::Decode`] when the data is no `T`. [`Error::body`] has it, and the stream goes on.
    pub fn data_as<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let data = Bytes::copy_from_slice(self.data.as_bytes());
        self.origin.decode(data)
    }
}

impl Stream for Events {
    type Item = Result<Event, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        while !this.is_over {
            let error = match this.parser.next() {
                Ok(Some(parsed)) => {
                    return Poll::Ready(Some(Ok(Event {
                        event: parsed.event,
                        data: parsed.data,
                        id: parsed.id,
                        retry: parsed.retry,
                        origin: Arc::clone(this.stream.origin()),
                    })));
                }
                Ok(None) => match ready!(Pin::new(&mut this.stream).poll_next(context)) {
                    Some(Ok(chunk)) => {
                        this.parser.push(chunk);
                        continue;
                    }
                    Some(Err(error)) => error,
                    None => break,
                },
                Err(error) => error.into(),
            };
            this.is_over = true;
            let rest = this.parser.rest();
            let error = this.stream.origin().with_rest(error, rest);
            return Poll::Ready(Some(Err(error)));
        }
        this.is_over = true;
        Poll::Ready(None)
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Events").field(&self.stream).finish()
    }
}

/// Shows how much data it has, and none of what the service sent.
impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("data", &format_args!("{} bytes", self.data.len()))
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}
