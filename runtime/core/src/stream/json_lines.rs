//! A body of JSON values: one on each line, or a sequence of them.

use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use serde::de::DeserializeOwned;

use super::json_texts::JsonTexts;
use super::response_stream::ResponseStream;
use crate::error::Error;
use crate::response::response::Meta;

/// A stream of the JSON values on the lines of a body. [`ResponseStream::json_lines`] makes it.
///
/// Empty lines are skipped. A line that is not a valid `T` is yielded as [`Error::Decode`], with the line as [`Error::body`], and the
/// stream continues. Any other error ends it; [`TransportError::partial`](crate::error::TransportError::partial) has the bytes of the
/// interrupted line.
#[must_use = "dropping it gives up the rest of the body"]
pub struct JsonLines<T> {
    stream: ResponseStream,
    lines: JsonTexts,
    is_over: bool,
    values: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> JsonLines<T> {
    pub(super) fn new(stream: ResponseStream) -> Self {
        let is_sequence = stream.media_type().ends_with("json-seq");
        Self {
            lines: JsonTexts::new(is_sequence, stream.origin().limit),
            stream,
            is_over: false,
            values: PhantomData,
        }
    }

    /// Returns the response metadata.
    pub fn meta(&self) -> &Meta {
        &self.stream.meta
    }

    /// Returns the next value; `None` at the end of the body. Dropping the future loses no value.
    pub async fn next(&mut self) -> Option<Result<T, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// Decodes the value on a line; `None` if the line is empty.
    fn value(&self, line: Vec<u8>) -> Option<Result<T, Error>> {
        let is_empty = line.trim_ascii().is_empty();
        (!is_empty).then(|| self.stream.origin().decode(Bytes::from(line)))
    }
}

impl<T: DeserializeOwned> Stream for JsonLines<T> {
    type Item = Result<T, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        while !this.is_over {
            let error = match this.lines.next() {
                Ok(Some(line)) => match this.value(line) {
                    Some(value) => return Poll::Ready(Some(value)),
                    None => continue,
                },
                Ok(None) => match ready!(Pin::new(&mut this.stream).poll_next(context)) {
                    Some(Ok(chunk)) => {
                        this.lines.push(chunk);
                        continue;
                    }
                    Some(Err(error)) => error,
                    None => {
                        // The last line may lack its end.
                        this.is_over = true;
                        let rest = this.lines.rest();
                        return Poll::Ready(this.value(rest));
                    }
                },
                Err(error) => error.into(),
            };
            this.is_over = true;
            let rest = this.lines.rest();
            let error = this.stream.origin().with_rest(error, rest);
            return Poll::Ready(Some(Err(error)));
        }
        Poll::Ready(None)
    }
}

impl<T> fmt::Debug for JsonLines<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("JsonLines").field(&self.stream).finish()
    }
}
