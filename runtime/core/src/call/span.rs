//! Tracing: one span per call, one child span per attempt, and events. Names follow OpenTelemetry's conventions for HTTP clients.
//!
//! Spans never contain the full URL, an argument or the key. The conventions require `url.full`, which would reveal what the caller looks
//! up.

use std::borrow::Cow;
use std::time::Duration;

use http::StatusCode;
use tracing::Span;
use tracing::field::Empty;

use crate::call::limiter::Route;
use crate::call::retry::AttemptResult;
use crate::document::api::Operation;
use crate::error::Error;
use crate::response::failure::TransportErrorKind;
use crate::transport::base_url::BaseUrl;

/// Opens the span around all attempts of a call and the pauses between them.
pub(crate) fn call(base_url: &BaseUrl, operation: &'static Operation) -> Span {
    tracing::info_span!(
        "call",
        operation = operation.id,
        http.request.method = operation.method.as_str(),
        url.template = operation.template(),
        server.address = base_url.host(),
        server.port = base_url.port(),
        otel.status_code = Empty,
        "error.type" = Empty,
    )
}

/// Notes that a call failed, or its body after its head was returned.
pub(crate) fn end_call(span: &Span, error: &Error) {
    failed(span, &error_type(error));
}

/// Opens the span of an attempt, with more fields.
macro_rules! attempt_span {
    ($attempt:expr $(, $($more:tt)+)?) => {{
        let $crate::interceptor::AttemptSpan {
            operation,
            host,
            port,
            before,
        } = $attempt;
        ::tracing::info_span!(
            "attempt",
            otel.name = format!("{} {}", operation.method, operation.path).trim_end(),
            otel.kind = "client",
            otel.status_code = ::tracing::field::Empty,
            operation = operation.id,
            http.request.method = operation.method.as_str(),
            http.request.resend_count = (before > 0).then_some(before),
            http.response.status_code = ::tracing::field::Empty,
            url.template = operation.template(),
            server.address = host,
            server.port = port,
            "error.type" = ::tracing::field::Empty,
            $($($more)+)?
        )
    }};
}
pub(crate) use attempt_span;

/// The span around one request and its response.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct AttemptSpan<'a> {
    /// The operation that is called.
    pub operation: &'static Operation,
    /// The host that the request goes to.
    pub host: &'a str,
    /// Its port.
    pub port: Option<u16>,
    /// The number of earlier attempts of the call.
    pub before: u32,
}

impl<'a> AttemptSpan<'a> {
    /// `before`: the number of earlier attempts.
    pub(crate) fn new(base_url: &'a BaseUrl, operation: &'static Operation, before: u32) -> Self {
        Self {
            operation,
            host: base_url.host(),
            port: base_url.port(),
            before,
        }
    }

    /// Opens the span.
    pub fn open(self) -> Span {
        crate::call::span::attempt_span!(self)
    }
}

/// Ends the span, so that the pause after the attempt is not part of it.
pub(crate) fn end_attempt(span: Span, ending: AttemptResult) {
    match ending {
        AttemptResult::Failed { kind } => failed(&span, transport_error(kind)),
        AttemptResult::Responded { status, .. } => {
            span.record("http.response.status_code", status.as_u16());
            if !status.is_success() {
                failed(&span, code(status).as_str());
            }
        }
    }
}

/// Logs that a failed attempt is retried.
pub(crate) fn retry(operation: &Operation, ending: AttemptResult, attempts: u32, pause: Duration) {
    let (status, failure) = match ending {
        AttemptResult::Responded { status, .. } => (Some(status.as_u16()), None),
        AttemptResult::Failed { kind } => (None, Some(transport_error(kind))),
    };
    tracing::info!(
        operation = operation.id,
        attempts,
        http.response.status_code = status,
        "error.type" = failure,
        pause_seconds = pause.as_secs_f64(),
        "an attempt failed and is retried"
    );
}

/// Logs that a 429 holds the calls of a route.
pub(crate) fn cool_down(operation: &Operation, route: Route, pause: Duration) {
    let held = match route {
        None => "all calls of this client",
        Some(_) => "calls of this operation",
    };
    tracing::info!(
        operation = operation.id,
        seconds = pause.as_secs_f64(),
        "the service asks for a pause: {held} wait"
    );
}

/// Logs that waiting for a result has ended.
#[cfg(feature = "waiting")]
pub(crate) fn end_wait(operation: &Operation, is_done: bool) {
    tracing::info!(operation = operation.id, is_done, "a wait has ended");
}

fn failed(span: &Span, error_type: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", error_type);
}

fn error_type(error: &Error) -> Cow<'static, str> {
    match error {
        Error::Configuration(_) => "configuration".into(),
        Error::Argument(_) => "argument".into(),
        Error::Credential(_) => "credential".into(),
        Error::Refused(refused) => refused.kind().into(),
        Error::DeadlineExceeded(_) => "deadline_exceeded".into(),
        Error::Transport(error) => transport_error(error.kind()).into(),
        Error::Status(error) => code(error.status).into(),
        Error::Decode(_) => "decode".into(),
        // These errors concern several calls or one record.
        #[cfg(feature = "paging")]
        Error::Paging(_) | Error::Record(_) => "other".into(),
        #[cfg(feature = "waiting")]
        Error::Waiting(_) => "other".into(),
    }
}

fn transport_error(kind: TransportErrorKind) -> &'static str {
    match kind {
        TransportErrorKind::Connect => "connect",
        TransportErrorKind::Timeout => "timeout",
        TransportErrorKind::Body => "body",
        TransportErrorKind::TooLarge => "too_large",
        TransportErrorKind::Other => "other",
    }
}

fn code(status: StatusCode) -> String {
    status.as_str().to_owned()
}
