//! What a caller says about one call, apart from its arguments.

use std::time::Duration;

use crate::money::credits::Credits;
use crate::request::extras::Extras;

/// The options of one call. [`Call`](crate::Call) and [`MeteredCall`](crate::MeteredCall) set them.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CallOptions {
    /// Credits to reserve instead of the known price.
    pub price: Option<Credits>,
    /// The highest price of the call, instead of what the client assumes.
    pub assumed_price: Option<Credits>,
    /// How to retry, instead of as the client does.
    pub retry: Option<RetryPolicy>,
    /// Whether a call whose future is dropped goes on to its end, instead of as the client says.
    pub detached: Option<bool>,
    /// How long the call may take, instead of as long as the client says.
    pub deadline: Option<Duration>,
    /// What the document does not have.
    pub extras: Extras,
}

/// When a call is attempted again after a failure.
///
/// How each result of an attempt counts for the money, and whether the attempt is made again by default:
///
/// | result | money | attempted again |
/// |---|---|---|
/// | no connection, DNS or TLS failure | [not sent](crate::Outcome::NotSent) | yes |
/// | 429, or 503 with `Retry-After` | [rejected](crate::Outcome::Rejected) | yes |
/// | 401 to a token of a [`TokenProvider`](crate::credentials::TokenProvider) | rejected | once, with another token |
/// | timeout, reset, response broke off | [unknown](crate::Outcome::Unknown) | if idempotent and free |
/// | 408, 500, 502, 503, 504 | unknown | if idempotent and free |
/// | these with a status that [`ClientBuilder::unbilled`](crate::ClientBuilder::unbilled) names, without a report | rejected | if idempotent |
/// | any other status that it names, without a report | rejected | no |
/// | 401, 403 | rejected | no |
/// | any other status | unknown | no |
/// | a body above the bound on its size | unknown | no |
/// | a body that reports credits, also in the part of it that arrived | [charged](crate::Outcome::Charged) | no |
/// | a body that reports something that is no amount, or is no JSON and has the report's name | unknown | no |
/// | 2xx without a report, or with a [stream](crate::stream::ResponseStream) | unknown | – |
///
/// A reported charge counts before the status code; a report of zero credits leaves the last column to the status code. A free call reserves
/// nothing, and its operation has only prices of zero and did not charge lately. GET, HEAD, OPTIONS, TRACE, QUERY, PUT and DELETE are
/// idempotent (RFC 9110, section 9.2.2): a second request has no effect that the first one did not have.
///
/// At most three attempts are made. Backoff: 0.5 s × 2 up to 8 s, plus up to 100 % jitter, and at least `Retry-After`; a pause above 60 s ends
/// the call. All calls of a client share a bucket of 500 tokens: a retry takes 5, after a timeout 10, and a success gives 1 back. While the
/// bucket is empty no call is attempted again.
///
/// ```
/// use metered_client::testing::{Reply, Script};
/// use metered_client::{Call, Client, ClientBuilder, Method, RetryPolicy};
/// # use metered_client::document::{Api, Auth};
/// # static API: Api = Api {
/// #     name: "example",
/// #     version: "1.2.3",
/// #     environment: "EXAMPLE",
/// #     base_url: None,
/// #     auth: Auth::None,
/// #     is_metered: true,
/// #     charge: Some("cost"),
/// # };
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), metered_client::Error> {
/// let script = Script::new([Reply::new(429, ""), Reply::new(200, "{}")]);
/// let client: Client = ClientBuilder::new(&API, "https://api.example.com").transport(script).build()?;
/// let call = client.raw(Method::GET, "/v1/things");
/// let error = call.clone().retry(RetryPolicy::Never).send_bytes().await.unwrap_err();
/// assert!(error.is_retryable()); // a 429 is not billed
/// call.send_bytes().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryPolicy {
    /// As the table says: never when it could be a second charge.
    #[default]
    Unbilled,
    /// One attempt, whatever happens.
    Never,
    /// Every call is attempted again as a free and idempotent one is. **It may be billed more than once, and have its effect more than
    /// once**; each attempt reserves its own price.
    Always,
}
