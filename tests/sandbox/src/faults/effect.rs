//! Effects of a fault on a response.

use std::io::{self, Write};

use axum::Json;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::StatusCode;
use axum::http::header::{
    CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER,
};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream::{self, StreamExt};
use serde_json::json;
use tokio::task::yield_now;
use tokio::time::sleep;

use super::connection::Connection;
use super::fault::{Fault, Kind};

/// Number of parts of a dripping body.
const PARTS: usize = 10;
const PAGE: &str = "<!doctype html><title>Welcome</title><p>The sandbox plays a gateway.";

impl Fault {
    /// Returns the damaged response, or the one that replaces it.
    pub(crate) async fn on(&self, response: Response, connection: &Connection) -> Response {
        let (mut head, body) = response.into_parts();
        // Bodies of the sandbox are in memory.
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        if let Some(seconds) = self.retry_after {
            head.headers.insert(RETRY_AFTER, seconds.into());
        }
        let half = body.slice(..body.len() / 2);
        let body = match self.kind {
            Kind::Slow => Body::from(body),
            Kind::Status(status) => {
                let message =
                    json!({"error": {"message": "a fault that the sandbox was asked for"}});
                let mut response = (status, Json(message)).into_response();
                response.headers_mut().extend(
                    head.headers
                        .remove(RETRY_AFTER)
                        .map(|value| (RETRY_AFTER, value)),
                );
                return response;
            }
            Kind::Redirect => {
                head.status = StatusCode::TEMPORARY_REDIRECT;
                head.headers
                    .insert(LOCATION, HeaderValue::from_static("/moved"));
                Body::empty()
            }
            Kind::Reset => {
                connection.close();
                Body::empty()
            }
            Kind::Truncated => {
                head.headers.insert(CONTENT_LENGTH, body.len().into());
                let broken = stream::once(async {
                    // The first half is sent before the connection breaks off.
                    yield_now().await;
                    Err(io::Error::from(io::ErrorKind::ConnectionReset))
                });
                Body::from_stream(stream::iter([Ok(half)]).chain(broken))
            }
            Kind::Invalid => Body::from(half),
            Kind::Html => {
                head.headers
                    .insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
                Body::from(PAGE)
            }
            Kind::Gzip => {
                head.headers
                    .insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                Body::from(zipped(&body).unwrap_or_default())
            }
            Kind::Drip => dripping(body, self.delay),
        };
        if !matches!(self.kind, Kind::Truncated) {
            head.headers.remove(CONTENT_LENGTH);
        }
        Response::from_parts(head, body)
    }
}

fn zipped(body: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body)?;
    encoder.finish()
}

fn dripping(body: Bytes, pause: std::time::Duration) -> Body {
    let size = body.len().div_ceil(PARTS).max(1);
    let parts: Vec<Bytes> = (0..body.len())
        .step_by(size)
        .map(|start| body.slice(start..body.len().min(start + size)))
        .collect();
    Body::from_stream(stream::iter(parts).then(move |part| async move {
        sleep(pause).await;
        Ok::<_, io::Error>(part)
    }))
}
