//! Bodies of tower services and layers, converted to those of this crate. Trailers are dropped.

use std::any::Any;
use std::error::Error;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use futures_core::Stream;
use http_body::{Body, Frame};

use crate::error::TransportError;
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;
use crate::transport::request_body::{Content, RequestBody};

impl RequestBody {
    /// Converts the body of a request behind a layer.
    pub(crate) fn wrap<B>(body: B) -> Self
    where
        B: Body<Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static,
    {
        let mut body = Some(body);
        let same: &mut dyn Any = &mut body;
        if let Some(same) = same.downcast_mut::<Option<Self>>() {
            return same.take().unwrap_or_else(|| Bytes::new().into());
        }
        match body {
            Some(body) if !body.is_end_stream() => {
                let length = body.size_hint().exact();
                let chunks = BodyStream::of_body(body);
                Content::Chunks(Mutex::new(chunks), length).into()
            }
            _ => Bytes::new().into(),
        }
    }

    /// Returns the bytes if they are already in memory.
    pub(crate) fn whole(self) -> Result<Bytes, Self> {
        match self.content {
            Content::Whole(bytes) => Ok(bytes),
            Content::Chunks(..) => Err(self),
        }
    }
}

impl BodyStream {
    /// Converts the body of a service's response.
    pub(crate) fn of_body<B>(body: B) -> Self
    where
        B: Body<Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static,
    {
        Self::new(Data(Box::pin(body)))
    }
}

struct Data<B>(Pin<Box<B>>);

impl<B> Stream for Data<B>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let chunk = match ready!(self.0.as_mut().poll_frame(context)) {
                None => return Poll::Ready(None),
                Some(Err(error)) => Err(broken(error)),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(mut data) => Ok(data.copy_to_bytes(data.remaining())),
                    Err(_trailers) => continue,
                },
            };
            return Poll::Ready(Some(chunk));
        }
    }
}

/// Converts the failure of a body, and passes on that of a transport.
fn broken(error: impl Into<Box<dyn Error + Send + Sync>>) -> TransportError {
    match error.into().downcast::<TransportError>() {
        Ok(error) => *error,
        Err(error) => TransportError::new(TransportErrorKind::Body, error),
    }
}

impl Body for BodyStream {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        self.poll_next(context)
            .map(|next| next.map(|chunk| chunk.map(Frame::data)))
    }
}
