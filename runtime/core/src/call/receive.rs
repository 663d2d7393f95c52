//! Converts an HTTP response to a typed response or error. The status code decides first, the body second.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, StatusCode};
use tracing::Span;

use crate::call::span;
use crate::decode::decode::without_mark;
use crate::decode::pointer::Located;
use crate::document::api::Operation;
use crate::error::{DecodeError, Error, StatusError};
use crate::response::history::CallHistory;
use crate::response::response::{Meta, Response};
use crate::response::undecoded::{Undecoded, Unreadable};
use crate::secret::conceal::conceal;
use crate::secret::key::ApiKey;
use crate::secret::quotation::{POINTER, beginning, escaped, redact, shortened};
use crate::transport::redirects::{NotFollowed, is_redirect};
use crate::transport::transport::TransportResult;

/// Maximum characters quoted from a content type.
const BEGINNING: usize = 80;
/// Replaces a header name that contains the key.
const REDACTED: HeaderName = HeaderName::from_static("redacted");

/// A success, and the part of its body that was read.
pub(crate) struct Success {
    pub(crate) operation: &'static Operation,
    pub(crate) meta: Meta,
    pub(crate) raw: Bytes,
    /// The span of the call.
    pub(crate) span: Span,
}

impl Success {
    /// Decodes the body. The key is removed from quoted strings.
    pub(crate) fn decoded<T>(
        self,
        read: fn(&Undecoded) -> Result<T, Unreadable>,
    ) -> Result<Response<T>, Error> {
        let undecoded = Undecoded::new(self.meta.status, &self.meta.headers, &self.raw);
        let concealed = conceal(self.meta.key.as_ref());
        let read = read(&undecoded);
        drop(concealed);
        match read {
            Ok(body) => Ok(Response {
                body,
                meta: self.meta,
                raw: self.raw,
                set_aside: undecoded.take_set_aside(),
                operation: self.operation,
            }),
            Err(unreadable) => Err(self.unreadable(unreadable)),
        }
    }

    fn unreadable(self, Unreadable(located): Unreadable) -> Error {
        let error = not_as_documented(self.operation, &self.meta, self.raw, located);
        span::end_call(&self.span, &error);
        error
    }
}

/// Converts a transport result to a success or an `Error`. The key is removed from quoted strings.
pub(crate) fn success(
    operation: &'static Operation,
    key: Option<&Arc<ApiKey>>,
    response: TransportResult,
    history: CallHistory,
    span: &Span,
) -> Result<Success, Error> {
    let (parts, raw) = match response {
        Ok(response) => response.into_parts(),
        Err(error) => return Err(error.during(operation, history).into()),
    };
    let (status, mut headers) = (parts.status, parts.headers);
    if let Some(key) = key {
        conceal_headers(&mut headers, key);
    }
    if status.is_success() {
        return Ok(Success {
            operation,
            meta: Meta {
                status,
                headers,
                attempts: history.attempts,
                history: history.with_retry(None, false),
                key: key.cloned(),
            },
            raw,
            span: span.clone(),
        });
    }
    let mut advice = match (parts.extensions.get(), hint(status)) {
        (Some(NotFollowed(why)), _) => format!("; the redirect was not followed: {why}"),
        (None, Some(hint)) => format!("; {hint}"),
        (None, None) => String::new(),
    };
    if history.is_token_refused {
        advice.push_str(
            "; the token was refused: the next call requests another one from its provider",
        );
    }
    if history.is_body_spent {
        advice.push_str("; its body was sent and cannot be read again");
    }
    Err(Error::Status(Box::new(StatusError {
        operation,
        status,
        headers,
        body: raw,
        advice,
        history,
        key: key.cloned(),
    })))
}

/// Makes the error for a body, or a part of one, that does not match its document.
pub(crate) fn not_as_documented(
    operation: &'static Operation,
    meta: &Meta,
    body: Bytes,
    located: Located,
) -> Error {
    let key = meta.key.as_deref();
    let message = if is_json(&body) {
        shortened(&located.message, key)
    } else {
        no_json(&meta.headers, &body, key)
    };
    Error::Decode(Box::new(DecodeError {
        operation,
        status: meta.status,
        headers: meta.headers.clone(),
        path: escaped(&redact(&located.pointer, key), POINTER),
        message,
        body,
        history: meta.history.clone(),
    }))
}

/// Marks header values that contain the key as sensitive, which hides them from `Debug`. Renames headers whose name contains it.
pub(crate) fn conceal_headers(headers: &mut HeaderMap, key: &ApiKey) {
    for value in headers.values_mut() {
        if key.is_in(value.as_bytes()) {
            value.set_sensitive(true);
        }
    }
    if headers
        .keys()
        .any(|name| key.is_in(name.as_str().as_bytes()))
    {
        let mut name = None;
        *headers = std::mem::take(headers)
            .into_iter()
            .filter_map(|(next, value)| {
                // `HeaderMap` yields the name only with the first of its values.
                name = next.or(name.take());
                let known = name.clone()?;
                let is_silent = !key.is_in(known.as_str().as_bytes());
                Some((if is_silent { known } else { REDACTED }, value))
            })
            .fold(HeaderMap::new(), |mut headers, (name, value)| {
                headers.append(name, value);
                headers
            });
    }
}

/// Explains a 3xx status code of which the transport says nothing.
fn hint(status: StatusCode) -> Option<&'static str> {
    if is_redirect(status) {
        return Some("the transport did not follow the redirect; check the base URL");
    }
    let is_not_modified = status == StatusCode::NOT_MODIFIED;
    is_not_modified.then_some("it has no body: an earlier response is still valid")
}

/// Returns whether a body starts like JSON; `false` for an empty body.
fn is_json(body: &[u8]) -> bool {
    let start = without_mark(body).trim_ascii_start();
    let literals: [&[u8]; 3] = [b"null", b"true", b"false"];
    start
        .first()
        .is_some_and(|first| b"{[\"-0123456789".contains(first))
        || literals.iter().any(|literal| start.starts_with(literal))
}

/// Returns the beginning of a header. The key is removed before it is shortened.
fn header_text(headers: &HeaderMap, name: &HeaderName, key: Option<&ApiKey>) -> String {
    let value = headers.get(name).map(HeaderValue::as_bytes);
    beginning(value.unwrap_or_default(), BEGINNING, key)
}

/// Describes a body that is not JSON, without quoting it.
fn no_json(headers: &HeaderMap, body: &[u8], key: Option<&ApiKey>) -> String {
    if without_mark(body).trim_ascii().is_empty() {
        return "expected JSON, got an empty body".to_owned();
    }
    let content_type = header_text(headers, &CONTENT_TYPE, key);
    let what = match content_type.split(';').next() {
        None | Some("") => "a body",
        Some(media_type) => media_type.trim_end(),
    };
    let got = format!("expected JSON, got {what} of {} bytes", body.len());
    match &*header_text(headers, &CONTENT_ENCODING, key) {
        "" | "identity" => got,
        encoding => format!(
            "{got} in the encoding `{encoding}`: the feature `compression` and `ClientBuilder::compression(true)` decode gzip, br and zstd"
        ),
    }
}
