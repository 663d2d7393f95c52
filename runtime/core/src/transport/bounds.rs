//! Size limits of response bodies. They apply to complete responses of any transport; the built-in transport stops reading there.

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use http::StatusCode;
use http::header::CONTENT_LENGTH;

use crate::error::TransportError;
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;
use crate::transport::transport::TransportResult;

/// The default for statuses 2xx, in bytes.
const MAX_RESPONSE: usize = 64 * 1024 * 1024;
/// The maximum for other statuses, in bytes: error bodies are not worth more memory.
const MAX_ERROR: usize = 1024 * 1024;
/// The maximum buffer allocated before the bytes arrive. A service may announce any length.
const MOST_AT_ONCE: usize = 1 << 20;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    max_response_bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::new(MAX_RESPONSE)
    }
}

impl Bounds {
    pub(crate) fn new(max_response_bytes: usize) -> Self {
        Self { max_response_bytes }
    }

    /// Returns the size limit of a body with this status, in bytes.
    pub(crate) fn of(self, status: StatusCode) -> usize {
        if status.is_success() {
            self.max_response_bytes
        } else {
            self.max_response_bytes.min(MAX_ERROR)
        }
    }
}

/// Refuses a response whose body exceeds its limit. The error keeps the bytes up to the limit.
pub(crate) fn within(
    response: http::Response<Bytes>,
    bounds: Bounds,
) -> Result<http::Response<Bytes>, TransportError> {
    let limit = bounds.of(response.status());
    match response.body().get(..limit) {
        Some(start) if response.body().len() > limit => {
            // Copies, because a slice would keep the complete oversized body alive.
            let start = Bytes::copy_from_slice(start);
            Err(too_large(limit).with_partial(response.map(|_| start)))
        }
        _ => Ok(response),
    }
}

/// Makes the error of a body that exceeds its limit.
fn too_large(limit: usize) -> TransportError {
    let why = format!("the body has more than {limit} bytes");
    TransportError::new(TransportErrorKind::TooLarge, why)
}

/// Reads a response to its end or its limit. An error keeps the bytes that arrived.
pub(crate) async fn whole(response: http::Response<BodyStream>, limit: usize) -> TransportResult {
    let (head, mut chunks) = response.into_parts();
    let announced = head.headers.get(CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse().ok());
    let room = announced.unwrap_or(0).min(limit).min(MOST_AT_ONCE);
    let mut body = BytesMut::with_capacity(room);
    let failure = loop {
        match chunks.next().await {
            None => break None,
            Some(Err(error)) => break Some(error),
            Some(Ok(chunk)) => {
                let room = limit.saturating_sub(body.len());
                body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
                if chunk.len() > room {
                    break Some(too_large(limit));
                }
            }
        }
    };
    let arrived = http::Response::from_parts(head, body.freeze());
    match failure {
        None => Ok(arrived),
        Some(error) => Err(error.with_partial(arrived)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, size: usize) -> http::Response<Bytes> {
        let mut response = http::Response::new(Bytes::from(vec![7; size]));
        *response.status_mut() = StatusCode::from_u16(status).unwrap();
        response
    }

    #[test]
    fn error_bodies_have_a_separate_limit() {
        let bounds = Bounds::default();
        for (status, limit) in [
            (200, MAX_RESPONSE),
            (299, MAX_RESPONSE),
            (300, MAX_ERROR),
            (503, MAX_ERROR),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(bounds.of(status), limit, "{status}");
        }
        let small = Bounds::new(10);
        assert_eq!(small.of(StatusCode::NOT_FOUND), 10);
    }

    #[test]
    fn a_body_may_reach_its_limit_but_not_exceed_it() {
        let bounds = Bounds::new(3);
        assert_eq!(within(response(200, 3), bounds).unwrap().body().len(), 3);
        for status in [200, 500] {
            let error = within(response(status, 4), bounds).unwrap_err();
            assert_eq!(error.kind(), TransportErrorKind::TooLarge);
            let partial = error.partial().unwrap();
            assert_eq!(partial.status(), status);
            assert_eq!(partial.body(), &[7, 7, 7][..]);
        }
        assert!(within(response(200, 9), Bounds::new(usize::MAX)).is_ok());
        let nothing = Bounds::new(0);
        assert!(within(response(204, 0), nothing).is_ok());
        assert!(within(response(200, 1), nothing).is_err());
    }
}
