//! The parts of a body: its events, or its JSON texts.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;

use super::response_stream::ResponseStream;
use crate::error::{Error, TransportError};

/// Splits chunks into parts.
pub(super) trait Splitter: Unpin {
    type Part;

    /// Adds a chunk, once [`next`](Self::next) has returned `None`.
    fn push(&mut self, chunk: Bytes);

    /// Returns the next part; `None` if another chunk is needed.
    fn next(&mut self) -> Result<Option<Self::Part>, TransportError>;

    /// Returns the beginning of an incomplete part.
    fn rest(&mut self) -> Vec<u8>;

    /// Returns the part that ends with the body; `None` if it is dropped.
    fn last(&mut self) -> Option<Self::Part>;
}

/// The parts of a body as they arrive.
pub(super) struct Parts<S, T> {
    pub(super) stream: ResponseStream<T>,
    splitter: S,
    is_over: bool,
}

impl<S: Splitter, T> Parts<S, T> {
    pub(super) fn new(stream: ResponseStream<T>, splitter: S) -> Self {
        Self {
            stream,
            splitter,
            is_over: false,
        }
    }

    /// Ends the parts before the body does.
    pub(super) fn end(&mut self) {
        self.is_over = true;
    }

    pub(super) fn poll_part(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<S::Part, Error>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        loop {
            let error = match self.splitter.next() {
                Ok(Some(part)) => return Poll::Ready(Some(Ok(part))),
                Ok(None) => match ready!(Pin::new(&mut self.stream).poll_next(context)) {
                    Some(Ok(chunk)) => {
                        self.splitter.push(chunk);
                        continue;
                    }
                    Some(Err(error)) => error,
                    None => {
                        self.is_over = true;
                        return Poll::Ready(self.splitter.last().map(Ok));
                    }
                },
                Err(error) => error.into(),
            };
            self.is_over = true;
            let rest = self.splitter.rest();
            let error = self.stream.origin().with_rest(error, rest);
            return Poll::Ready(Some(Err(error)));
        }
    }
}
