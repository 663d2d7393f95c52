//! From an HTTP response to a typed one or a typed error. The status code decides first, the body second.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, StatusCode};
use tokio::runtime::Handle;

use crate::decode::aside::{SetAside, collecting};
use crate::decode::decode::without_mark;
use crate::document::api::Operation;
use crate::error::{DecodeError, Error, StatusError};
use crate::response::history::CallHistory;
use crate::response::response::{Meta, Response};
use crate::response::undecoded::{Undecoded, Unreadable};
use crate::secret::conceal::concealing;
use crate::secret::key::ApiKey;
use crate::secret::quotation::{POINTER, beginning, escaped, redact, shortened};
use crate::transport::redirects::NotFollowed;
use crate::transport::transport::TransportResult;

/// Maximum characters quoted from a content type.
const BEGINNING: usize = 80;
/// Bodies of at least this many bytes are decoded on a blocking thread. Decoding so many takes about 1 ms: ten times the advised time
/// between two awaits, and a hundred times as long as the thread switch.
const LARGE: usize = 256 * 1024;
/// Replaces a header name that contains the key.
const REDACTED: HeaderName = HeaderName::from_static("redacted");

/// How a body is read. It may run on another thread, and a second time where the runtime ends.
pub(crate) trait Read<T>:
    Fn(&Undecoded) -> Result<T, Unreadable> + Copy + Send + 'static
{
}

impl<T, F: Fn(&Undecoded) -> Result<T, Unreadable> + Copy + Send + 'static> Read<T> for F {}

/// A success: its head, its body as far as it was read, and how the call went.
pub(crate) struct Success {
    status: StatusCode,
    headers: HeaderMap,
    raw: Bytes,
    course: CallHistory,
}

impl Success {
    /// What came with the body.
    pub(crate) fn into_meta(self, key: Option<&Arc<ApiKey>>) -> Meta {
        Meta {
            status: self.status,
            headers: self.headers,
            attempts: self.course.attempts,
            course: self.course.held(None, false),
            key: key.cloned(),
        }
    }
}

/// Turns a transport result into a success or an `Error`. Quoted text has the key removed.
pub(crate) fn success(
    operation: &'static Operation,
    key: Option<&Arc<ApiKey>>,
    response: TransportResult,
    course: CallHistory,
) -> Result<Success, Error> {
    let (parts, raw) = match response {
        Ok(response) => response.into_parts(),
        Err(error) => return Err(error.during(operation, course).into()),
    };
    let (status, mut headers) = (parts.status, parts.headers);
    if let Some(key) = key {
        conceal_headers(&mut headers, key);
    }
    if status.is_success() {
        return Ok(Success {
            status,
            headers,
            raw,
            course,
        });
    }
    let mut advice = match (parts.extensions.get(), hint(status)) {
        (Some(NotFollowed(why)), _) => format!("; the redirect was not followed: {why}"),
        (None, Some(hint)) => format!("; {hint}"),
        (None, None) => String::new(),
    };
    if course.is_token_refused {
        advice.push_str("; the token was refused: the next call asks its provider for another");
    }
    if course.is_body_spent {
        advice.push_str("; its body was sent and cannot be read again");
    }
    Err(Error::Status(Box::new(StatusError {
        operation,
        status,
        headers,
        body: raw,
        advice,
        course,
        key: key.cloned(),
    })))
}

/// Turns a transport result into a `Response` or an `Error`. Quoted text has the key removed.
pub(crate) async fn receive<T: Send + 'static>(
    operation: &'static Operation,
    key: Option<&Arc<ApiKey>>,
    response: TransportResult,
    course: CallHistory,
    read: impl Read<T>,
) -> Result<Response<T>, Error> {
    let success = success(operation, key, response, course)?;
    let raw = success.raw.clone();
    let undecoded = Undecoded::new(success.status, &success.headers, &raw);
    match decode_apart(undecoded, raw.len(), key, read).await {
        Ok((body, set_aside)) => Ok(Response {
            body,
            meta: success.into_meta(key),
            raw,
            set_aside,
            operation,
        }),
        Err(unreadable) => {
            let course = success.course.clone();
            let meta = success.into_meta(key);
            Err(not_as_documented(operation, &meta, course, raw, unreadable))
        }
    }
}

/// The error for a body, or a part of one, that is not what its document says.
pub(crate) fn not_as_documented(
    operation: &'static Operation,
    meta: &Meta,
    course: CallHistory,
    body: Bytes,
    Unreadable(located): Unreadable,
) -> Error {
    let key = meta.key.as_deref();
    let message = match is_json(&body) {
        true => shortened(&located.message, key),
        false => no_json(&meta.headers, &body, key),
    };
    Error::Decode(Box::new(DecodeError {
        operation,
        status: meta.status,
        headers: meta.headers.clone(),
        path: escaped(&redact(&located.pointer, key), POINTER),
        message,
        body,
        course,
    }))
}

/// Decodes a body, and returns what was set aside. A large body is decoded on a blocking thread, if a runtime exists; a call may be polled outside of one.
async fn decode_apart<T: Send + 'static>(
    undecoded: Undecoded,
    size: usize,
    key: Option<&Arc<ApiKey>>,
    read: impl Read<T>,
) -> Result<(T, Vec<SetAside>), Unreadable> {
    let read = move |undecoded: &Undecoded| {
        let (read, set_aside) = collecting(|| read(undecoded));
        read.map(|body| (body, set_aside))
    };
    let runtime = Handle::try_current().ok().filter(|_| size >= LARGE);
    let Some(runtime) = runtime else {
        return concealing(key, || read(&undecoded));
    };
    let (apart, apart_key) = (undecoded.clone(), key.cloned());
    let decoding = runtime.spawn_blocking(move || concealing(apart_key.as_ref(), || read(&apart)));
    match decoding.await {
        Ok(decoded) => decoded,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime was shut down.
        Err(_) => concealing(key, || read(&undecoded)),
    }
}

/// Marks header values that contain the key as sensitive, which hides them from `Debug`. Renames headers whose name contains it.
pub(crate) fn conceal_headers(headers: &mut HeaderMap, key: &ApiKey) {
    for value in headers.values_mut() {
        if key.is_in(value.as_bytes()) {
            value.set_sensitive(true);
        }
    }
    if headers.keys().any(|name| key.is_in_name(name.as_str())) {
        let mut name = None;
        *headers = std::mem::take(headers)
            .into_iter()
            .filter_map(|(next, value)| {
                // `HeaderMap` yields the name only with the first of its values.
                name = next.or(name.take());
                let known = name.clone()?;
                let is_silent = !key.is_in_name(known.as_str());
                Some((if is_silent { known } else { REDACTED }, value))
            })
            .fold(HeaderMap::new(), |mut headers, (name, value)| {
                headers.append(name, value);
                headers
            });
    }
}

/// Explains a redirect, or another 3xx status code.
fn hint(status: StatusCode) -> Option<&'static str> {
    match status.as_u16() {
        301 | 302 | 303 | 307 | 308 => Some("redirects are never followed, check the base URL"),
        304 => Some("unexpected 304: the request was not conditional"),
        _ => None,
    }
}

/// Whether a body starts like JSON; `false` for an empty body.
fn is_json(body: &[u8]) -> bool {
    let start = without_mark(body).trim_ascii_start();
    let literals: [&[u8]; 3] = [b"null", b"true", b"false"];
    start
        .first()
        .is_some_and(|first| b"{[\"-0123456789".contains(first))
        || literals.iter().any(|literal| start.starts_with(literal))
}

/// What came instead of JSON, without any of it.
fn no_json(headers: &HeaderMap, body: &[u8], key: Option<&ApiKey>) -> String {
    let content_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    // The key is removed before the text is shortened.
    let content_type = beginning(content_type.unwrap_or_default(), BEGINNING, key);
    let what = match content_type.split(';').next() {
        None | Some("") => "a body",
        Some(media_type) => media_type.trim_end(),
    };
    match without_mark(body).trim_ascii() {
        [] => "expected JSON, got an empty body".to_owned(),
        _ => format!("expected JSON, got {what} of {} bytes", body.len()),
    }
}
