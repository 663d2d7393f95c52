//! The faults of the service and the time of its responses: drawn from a seed, so that a run can be repeated.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde_json::json;

use super::Behavior;
use crate::draw::Draw;

/// A fault of one response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// A status code, with `Retry-After` where the service asks for a pause.
    Status(StatusCode),
    /// The body ends in its middle: the request was processed.
    BreaksOff,
}

const FAULTS: [Fault; 4] = [
    Fault::Status(StatusCode::INTERNAL_SERVER_ERROR),
    Fault::Status(StatusCode::SERVICE_UNAVAILABLE),
    Fault::Status(StatusCode::TOO_MANY_REQUESTS),
    Fault::BreaksOff,
];

/// Draws the time that the next response takes, and its fault.
pub(super) fn next(draw: &mut Draw, behavior: &Behavior) -> (Duration, Option<Fault>) {
    let (least, most) = behavior.latency;
    let span = most.saturating_sub(least).saturating_add(1);
    let more = draw.below(usize::try_from(span).unwrap_or(usize::MAX));
    let latency = Duration::from_millis(least.saturating_add(more as u64));
    let is_faulty = draw.below(100) < usize::from(behavior.faults);
    let fault = FAULTS.get(draw.below(FAULTS.len())).copied();
    (latency, fault.filter(|_| is_faulty))
}

/// The response of a fault that is a status code.
pub(super) fn response(status: StatusCode) -> Response {
    let mut response = (status, Json(json!({"fault": status.as_u16()}))).into_response();
    if status != StatusCode::INTERNAL_SERVER_ERROR {
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// Returns a response whose body ends in its middle.
pub(super) async fn broken_off(response: Response) -> Response {
    let (head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await;
    let mut body = body.unwrap_or_default();
    let half = body.split_to(body.len() / 2);
    Response::from_parts(head, Body::from_stream(Broken::Half(half)))
}

/// Half of a body, and an error.
enum Broken {
    Half(Bytes),
    /// The half is sent before the error.
    Sending,
    Over,
}

impl Stream for Broken {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match std::mem::replace(&mut *self, Self::Over) {
            Self::Half(half) => {
                *self = Self::Sending;
                Poll::Ready(Some(Ok(half)))
            }
            Self::Sending => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Self::Over => Poll::Ready(Some(Err(ErrorKind::ConnectionReset.into()))),
        }
    }
}
