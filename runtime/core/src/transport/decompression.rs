//! Decodes gzip, Brotli and Zstandard bodies while they arrive: one chunk and the decoder's window are in memory, regardless of the ratio.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZstdDecoder};
use async_compression::zstd::DParameter;
use bytes::{Buf, Bytes};
use http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, HeaderValue, RANGE,
};
use http::{Method, StatusCode};
use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};

use crate::error::TransportError;
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;

/// The number of bytes that are decoded at once.
const CHUNK: usize = 16 * 1024;
/// The binary logarithm of the largest Zstandard window, 8 MiB: the maximum by RFC 9659.
const WINDOW: u32 = 23;

type Decoder = Pin<Box<dyn AsyncRead + Send>>;

#[derive(Debug, Clone, Copy)]
enum Coding {
    Gzip,
    Brotli,
    Zstd,
}

/// Requests a compressed body, unless the request names its codings or a range of the stored body.
pub(super) fn accept(headers: &mut HeaderMap) {
    if !headers.contains_key(ACCEPT_ENCODING) && !headers.contains_key(RANGE) {
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, br, zstd"));
    }
}

/// Decodes the body of a response by its head, and removes the headers of the compressed body.
pub(super) fn decode(
    method: &Method,
    response: http::Response<BodyStream>,
) -> http::Response<BodyStream> {
    let (mut head, body) = response.into_parts();
    let is_bodiless = method == Method::HEAD
        || [StatusCode::NO_CONTENT, StatusCode::NOT_MODIFIED].contains(&head.status);
    let Some(coding) = Coding::of(&head.headers).filter(|_| !is_bodiless) else {
        return http::Response::from_parts(head, body);
    };
    head.headers.remove(CONTENT_ENCODING);
    head.headers.remove(CONTENT_LENGTH);
    let body = BodyStream::unfold(State::Start(coding, body), |state| async {
        match state.next().await {
            Ok((None, _)) => None,
            Ok((Some(chunk), state)) => Some((Ok(chunk), state)),
            Err(error) => Some((Err(error), State::End)),
        }
    });
    http::Response::from_parts(head, body)
}

enum State {
    Start(Coding, BodyStream),
    Decoding(Decoder, Box<[u8]>),
    End,
}

impl State {
    async fn next(self) -> Result<(Option<Bytes>, Self), TransportError> {
        let (mut decoder, mut buffer) = match self {
            Self::End => return Ok((None, Self::End)),
            Self::Decoding(decoder, buffer) => (decoder, buffer),
            Self::Start(coding, mut body) => {
                // A service may name a coding but send no body.
                let first = loop {
                    match body.next().await.transpose()? {
                        None => return Ok((None, Self::End)),
                        Some(chunk) if chunk.is_empty() => {}
                        Some(chunk) => break chunk,
                    }
                };
                (coding.decoder(first, body)?, vec![0; CHUNK].into())
            }
        };
        let mut read = ReadBuf::new(&mut buffer);
        std::future::poll_fn(|context| decoder.as_mut().poll_read(context, &mut read))
            .await
            .map_err(broken)?;
        let chunk = Bytes::copy_from_slice(read.filled());
        match chunk.len() {
            0 => return Ok((None, Self::End)),
            // Filling the buffer may take long without waiting for the network.
            CHUNK => tokio::task::yield_now().await,
            _ => {}
        }
        Ok((Some(chunk), Self::Decoding(decoder, buffer)))
    }
}

impl Coding {
    /// Returns the coding of a body; `None` if it is not decoded.
    fn of(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(CONTENT_ENCODING).iter();
        let (Some(value), None) = (values.next(), values.next()) else {
            return None;
        };
        match value.to_str().ok()?.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    fn decoder(self, first: Bytes, rest: BodyStream) -> Result<Decoder, TransportError> {
        // These bits begin a large window of up to 1 GiB, which HTTP does not allow: RFC 7932 reserves them.
        let is_large = first.first().is_some_and(|byte| byte & 0x7f == 0x11);
        let body = Compressed {
            current: first,
            rest,
        };
        Ok(match self {
            Self::Gzip => {
                let mut decoder = GzipDecoder::new(body);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
            Self::Brotli if is_large => {
                let why = "the window of its Brotli stream is larger than HTTP allows";
                return Err(TransportError::new(TransportErrorKind::Body, why));
            }
            Self::Brotli => Box::pin(BrotliDecoder::new(body)),
            Self::Zstd => {
                let mut decoder =
                    ZstdDecoder::with_params(body, &[DParameter::window_log_max(WINDOW)]);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
        })
    }
}

/// Passes on connection errors, and reports decoder errors as a truncated body.
fn broken(error: io::Error) -> TransportError {
    match error.downcast::<TransportError>() {
        Ok(error) => error,
        Err(error) => TransportError::new(TransportErrorKind::Body, error),
    }
}

/// A body as it arrives, for a decoder.
struct Compressed {
    current: Bytes,
    rest: BodyStream,
}

impl AsyncBufRead for Compressed {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        while this.current.is_empty() {
            let next = futures_core::Stream::poll_next(Pin::new(&mut this.rest), context);
            match ready!(next) {
                None => break,
                Some(Ok(chunk)) => this.current = chunk,
                Some(Err(error)) => return Poll::Ready(Err(io::Error::other(error))),
            }
        }
        Poll::Ready(Ok(&this.current))
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        let this = self.get_mut();
        this.current.advance(amount.min(this.current.len()));
    }
}

impl AsyncRead for Compressed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let there = ready!(self.as_mut().poll_fill_buf(context))?;
        let amount = there.len().min(buffer.remaining());
        buffer.put_slice(there.get(..amount).unwrap_or_default());
        self.consume(amount);
        Poll::Ready(Ok(()))
    }
}
