//! Decodes gzip, Brotli and Zstandard bodies while they arrive: one chunk and the decoder's window are in memory, regardless of the ratio.

use std::io;
use std::pin::Pin;

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZstdDecoder};
use async_compression::zstd::DParameter;
use bytes::Bytes;
use futures_util::StreamExt;
use http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, HeaderValue, RANGE,
};
use http::{Method, StatusCode};
use tokio::io::{AsyncBufReadExt, AsyncRead};
use tokio_util::io::{ReaderStream, StreamReader};

use crate::error::TransportError;
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;

/// The number of bytes that are decoded at once.
const CHUNK: usize = 16 * 1024;
/// The binary logarithm of the largest Zstandard window, 8 MiB: the maximum by RFC 9659.
const WINDOW: u32 = 23;

type Compressed = StreamReader<BodyStream, Bytes>;
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
    let body = BodyStream::unfold(
        State::Start(coding, StreamReader::new(body)),
        |state| async {
            let mut decoded = match state {
                State::End => return None,
                State::Decoding(decoded) => decoded,
                State::Start(coding, body) => match coding.decoder(body).await {
                    // A service may name a coding but send no body.
                    Ok(None) => return None,
                    Ok(Some(decoder)) => ReaderStream::with_capacity(decoder, CHUNK),
                    Err(error) => return Some((Err(broken(error)), State::End)),
                },
            };
            let chunk = decoded.next().await?;
            if chunk.as_ref().is_ok_and(|chunk| chunk.len() == CHUNK) {
                // Filling the buffer may take long without waiting for the network.
                tokio::task::yield_now().await;
            }
            Some((chunk.map_err(broken), State::Decoding(decoded)))
        },
    );
    http::Response::from_parts(head, body)
}

enum State {
    Start(Coding, Compressed),
    Decoding(ReaderStream<Decoder>),
    End,
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

    /// Returns the decoder of a body; `None` if the body is empty.
    async fn decoder(self, mut body: Compressed) -> io::Result<Option<Decoder>> {
        let Some(first) = body.fill_buf().await?.first().copied() else {
            return Ok(None);
        };
        Ok(Some(match self {
            Self::Gzip => {
                let mut decoder = GzipDecoder::new(body);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
            // These bits begin a large window of up to 1 GiB, which HTTP does not allow: RFC 7932 reserves them.
            Self::Brotli if first & 0x7f == 0x11 => {
                let why = "the window of its Brotli stream is larger than HTTP allows";
                return Err(io::Error::other(why));
            }
            Self::Brotli => Box::pin(BrotliDecoder::new(body)),
            Self::Zstd => {
                let mut decoder =
                    ZstdDecoder::with_params(body, &[DParameter::window_log_max(WINDOW)]);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
        }))
    }
}

impl From<TransportError> for io::Error {
    fn from(error: TransportError) -> Self {
        Self::other(error)
    }
}

/// Passes on connection errors, and reports decoder errors as a truncated body.
fn broken(error: io::Error) -> TransportError {
    match error.downcast::<TransportError>() {
        Ok(error) => error,
        Err(error) => TransportError::new(TransportErrorKind::Body, error),
    }
}
