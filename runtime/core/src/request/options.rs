//! Options of one call, apart from its arguments.

use std::time::Duration;
#[cfg(feature = "cache")]
use std::time::SystemTime;

use http::Extensions;

#[cfg(feature = "metered")]
use crate::money::credits::Credits;
#[cfg(feature = "metered")]
use crate::money::quote::OwnPrice;
use crate::request::extras::Extras;
#[cfg(feature = "idempotency")]
use crate::request::idempotency::StoredKey;

/// The options of one call. [`Call`](crate::Call) sets them.
#[non_exhaustive]
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// The retry policy; `None` for that of the client.
    pub retry: Option<RetryPolicy>,
    /// True if an in-flight call finishes after its future is dropped; `None` for the setting of the client.
    pub detached: Option<bool>,
    /// The deadline of the call; `None` for that of the client.
    pub deadline: Option<Duration>,
    /// The idempotency key, if the operation has one and its builder was given none. Further pages have other keys.
    #[cfg(feature = "idempotency")]
    pub idempotency_key: Option<StoredKey>,
    /// Undocumented parameters and headers.
    pub extras: Extras,
    /// How the call uses stored responses.
    #[cfg(feature = "cache")]
    pub cache: CacheControl,
    /// Data for the [interceptor](crate::interceptor).
    pub extensions: Extensions,
}

/// How a call uses stored responses. The directives are those of `Cache-Control` in a request (RFC 9111, section 5.2.1).
///
/// ```
/// use generated_client::request::{CacheControl, CallOptions};
///
/// let mut options = CallOptions::default();
/// options.cache.is_refreshed = true;
/// assert_ne!(options.cache, CacheControl::default());
/// ```
#[cfg(feature = "cache")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheControl {
    /// For how long a response is fresh; `None` for what the document or the cache says.
    pub max_age: Option<Duration>,
    /// True if the call is made, and its response replaces a stored one.
    pub is_refreshed: bool,
    /// True if nothing is sent.
    pub is_only: bool,
    /// Responses from before this time are not used: those of later pages are no older than the first one.
    #[doc(hidden)]
    pub since: Option<SystemTime>,
}

#[cfg(feature = "metered")]
impl CallOptions {
    /// Sets [`Call::price`](crate::Call::price).
    #[must_use]
    pub fn price(mut self, credits: Credits) -> Self {
        self.set_price(credits);
        self
    }

    /// Sets [`Call::assume_price`](crate::Call::assume_price).
    #[must_use]
    pub fn assume_price(mut self, credits: Credits) -> Self {
        self.set_assumed_price(credits);
        self
    }

    /// Sets the price in place, for generated code.
    #[doc(hidden)]
    pub fn set_price(&mut self, credits: Credits) {
        let own: &mut OwnPrice = self.extensions.get_or_insert_default();
        own.given = Some(credits);
    }

    /// Sets the highest price in place, for generated code.
    #[doc(hidden)]
    pub fn set_assumed_price(&mut self, credits: Credits) {
        let own: &mut OwnPrice = self.extensions.get_or_insert_default();
        own.assumed = Some(credits);
    }
}

/// Decides which failed calls are retried.
///
/// | result | retried |
/// |---|---|
/// | no connection, DNS or TLS failure | yes |
/// | 429, or 503 with `Retry-After` | yes |
/// | 401 to a token of a token provider | once, with another token |
/// | timeout, reset, response broke off | if idempotent |
/// | 408, 500, 502, 503, 504 | if idempotent |
/// | any other 4xx or 5xx but 401 and 403, with `x-should-retry: true` | if idempotent |
/// | any other status | no |
/// | a body above the size limit | no |
/// | 2xx, also with a [stream](crate::stream::ResponseStream) | no |
/// | any of these, with `Retry-After` above 60 s | no |
/// | any of these, with `x-should-retry: false` | no |
/// | any of these, while the retry bucket is empty | no |
/// | any of these, after a body that cannot be read again | no |
///
/// GET, HEAD, OPTIONS, TRACE, QUERY, PUT and DELETE are idempotent (RFC 9110, section 9.2.2): repeating a request has no further effect. An
/// [interceptor](crate::interceptor) may forbid more retries.
///
/// At most three attempts are made. Backoff: 0.5 s × 2 up to 8 s, plus up to 100 % jitter, and at least `Retry-After`, or `retry-after-ms`
/// in its place. A pause above 60 s ends the call. All calls of a client share a bucket of 500 tokens: a retry takes 5, after a timeout 10, and
/// a success returns 1. While the bucket is empty, no call is retried.
///
/// ```
/// use generated_client::testing::{Reply, Script};
/// use generated_client::{Client, ClientBuilder, Method, RetryPolicy};
/// # use generated_client::document::Api;
/// # static API: Api = Api::new("example", "1.2.3", "EXAMPLE");
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), generated_client::Error> {
/// let script = Script::new([Reply::new(429, ""), Reply::new(200, "{}")]);
/// let client: Client = ClientBuilder::new(&API, "https://api.example.com").transport(script).build()?;
/// let call = client.raw(Method::GET, "/v1/things");
/// let error = call.clone().retry(RetryPolicy::Never).send_bytes().await.unwrap_err();
/// assert!(error.is_retryable());
/// call.send_bytes().await?;
/// # Ok(())
/// # }
/// ```
///
/// Next: [paging](crate::paging).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryPolicy {
    /// Retries according to the table.
    #[default]
    Standard,
    /// Makes one attempt.
    Never,
    /// Retries every call as if it were idempotent. **It may take effect more than once.**
    Always,
}

impl RetryPolicy {
    /// The maximum number of attempts, including the first.
    pub const MOST_ATTEMPTS: u32 = 3;
}
