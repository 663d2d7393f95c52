//! A stored response.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue, SET_COOKIE};
use http::{Response, StatusCode};
use serde::{Deserialize, Serialize};

/// A stored response, as [`Call::stored`](crate::Call::stored) returns it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Stored {
    /// When it arrived.
    pub at: SystemTime,
    /// Its raw body.
    pub body: Bytes,
    /// True if the call would be answered with it.
    pub is_fresh: bool,
}

/// Leaves out the body, which may be personal.
impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stored")
            .field("at", &self.at)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .field("is_fresh", &self.is_fresh)
            .finish()
    }
}

/// A response, with the time at which it arrived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Milliseconds since 1970.
    pub(super) stored_at: u64,
    pub(super) status: u16,
    /// Names and values; those that are no text are left out.
    pub(super) headers: Vec<(String, String)>,
    /// The interceptor's record of the call, as it is stored.
    pub(super) record: Option<String>,
    /// Stores keep it beside the rest.
    #[serde(skip)]
    pub(super) body: Bytes,
}

impl Entry {
    pub(super) fn new(response: &Response<Bytes>, record: Option<String>) -> Self {
        let headers = response.headers().iter();
        let headers = headers.filter(|(name, value)| *name != SET_COOKIE && !value.is_sensitive());
        let text = |(name, value): (&HeaderName, &HeaderValue)| {
            Some((name.to_string(), value.to_str().ok()?.to_owned()))
        };
        Self {
            stored_at: now(),
            status: response.status().as_u16(),
            headers: headers.filter_map(text).collect(),
            record,
            body: response.body().clone(),
        }
    }

    /// Returns the response; `None` if the store was changed, and it is none.
    pub(super) fn response(&self) -> Option<Response<Bytes>> {
        let mut headers = HeaderMap::new();
        for (name, value) in &self.headers {
            headers.append(name.parse::<HeaderName>().ok()?, value.parse().ok()?);
        }
        let mut response = Response::new(self.body.clone());
        *response.status_mut() = StatusCode::from_u16(self.status).ok()?;
        *response.headers_mut() = headers;
        Some(response)
    }

    pub(super) fn time(&self) -> SystemTime {
        UNIX_EPOCH
            .checked_add(Duration::from_millis(self.stored_at))
            .unwrap_or(UNIX_EPOCH)
    }
}

/// Milliseconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    millis(since.unwrap_or_default())
}

pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
