//! What a caller says about one call, apart from its arguments.

use std::time::Duration;

use http::Extensions;

use crate::request::extras::Extras;

/// The options of one call. [`Call`](crate::Call) sets them.
#[non_exhaustive]
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// How to retry, instead of as the client does.
    pub retry: Option<RetryPolicy>,
    /// Whether a call whose future is dropped goes on to its end, instead of as the client says.
    pub detached: Option<bool>,
    /// How long the call may take, instead of as long as the client says.
    pub deadline: Option<Duration>,
    /// What the document does not have.
    pub extras: Extras,
    /// What the [interceptor](crate::interceptor) is told of the call.
    pub extensions: Extensions,
}

/// When a call is attempted again after a failure.
///
/// | result | attempted again |
/// |---|---|
/// | no connection, DNS or TLS failure | yes |
/// | 429, or 503 with `Retry-After` | yes |
/// | 401 to a token of a [`TokenProvider`](crate::credentials::TokenProvider) | once, with another token |
/// | timeout, reset, response broke off | if idempotent |
/// | 408, 500, 502, 503, 504 | if idempotent |
/// | any other 4xx or 5xx but 401 and 403, with `x-should-retry: true` | if idempotent |
/// | any other status | no |
/// | a body above the bound on its size | no |
/// | 2xx, also with a [stream](crate::stream::ResponseStream) | no |
/// | any of these, with `Retry-After` above 60 s | no |
/// | any of these, with `x-should-retry: false` | no |
/// | any of these, while the bucket of retries is empty | no |
/// | any of these, after a body that cannot be read again | no |
///
/// GET, HEAD, OPTIONS, TRACE, QUERY, PUT and DELETE are idempotent (RFC 9110, section 9.2.2): a second request has no effect that the first
/// one did not have. An [interceptor](crate::interceptor) may forbid more.
///
/// At most three attempts are made. Backoff: 0.5 s × 2 up to 8 s, plus up to 100 % jitter, and at least `Retry-After`, or `retry-after-ms`
/// in its place; after a 429 without them, at least what `RateLimit` with `RateLimit-Policy`, or `RateLimit-Reset`, says. A pause above 60 s
/// ends the call. All calls of a client share a bucket of 500 tokens: a retry takes 5, after a timeout 10, and a success gives 1 back. While the
/// bucket is empty no call is attempted again.
///
/// ```
/// use generated_client::prelude::*;
/// use generated_client::testing::{Reply, Script};
/// use generated_client::{Client, ClientBuilder, Method, RetryPolicy};
/// # use generated_client::document::{Api, Auth};
/// # static API: Api = Api {
/// #     name: "example",
/// #     version: "1.2.3",
/// #     environment: "EXAMPLE",
/// #     base_url: None,
/// #     auth: Auth::None,
/// #     interceptor: None,
/// # };
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryPolicy {
    /// As the table says.
    #[default]
    Standard,
    /// One attempt, whatever happens.
    Never,
    /// Every call is attempted again as an idempotent one is. **It may have its effect more than once.**
    Always,
}

impl RetryPolicy {
    /// How often a call is attempted at most, the first time included.
    pub const MOST_ATTEMPTS: u32 = 3;
}
