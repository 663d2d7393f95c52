//! The core of generated client crates: everything about talking to an HTTP API that does not depend on the API.
//!
//! ```text
//! Api ──▶ ClientBuilder ──▶ Client           the API and the credentials
//!                             │
//! Operation ──▶ Request ──────┤ send         arguments are checked before anything is sent
//!                             ▼
//! Interceptor ── before ── attempt loop ── ended ──▶ Guard       retried only if that has no further effect
//!                             │
//!                         Transport          one request, one response
//!                             │
//!               ┌─────────────┴────────────┐
//!               ▼                          ▼
//!        Response<T>                     Error
//!   body · meta · raw bytes     the failure, with the bytes that arrived
//! ```
//!
//! Bodies decode into the generated types, using [`Records`] (an array in which one bad element does not lose the others).
//! Strings that represent ranges, dates, UUIDs, decimals or bytes have types of [`values`], which keep the string and parse it on demand.
//! [`SecretText`](values::SecretText) is left out of debug output, and [`Loose`](values::Loose) holds a value that may be one, several or
//! something else.
//!
//! ```
//! use generated_client::document::{Api, Auth, Operation};
//! use generated_client::request::Request;
//! use generated_client::{Bytes, Client, ClientBuilder, http};
//!
//! static API: Api = Api {
//!     auth: Auth::Header("x-api-key"),
//!     ..Api::new("example", "1.2.3", "EXAMPLE")
//! };
//! static GET_THING: Operation = Operation::get("getThing", "/v1/things/{id}");
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), generated_client::Error> {
//! // A transport that responds without a network; leave it out to use HTTP.
//! let echo = |request: http::Request<Bytes>| async move {
//!     let body = format!("\"{}\"", request.uri().path());
//!     Ok(http::Response::new(Bytes::from(body)))
//! };
//! let client: Client = ClientBuilder::new(&API, "https://api.example.com")
//!     .api_key("secret")
//!     .transport(echo)
//!     .build()?;
//!
//! let mut request = Request::new(&GET_THING);
//! request.path("id", &"a b");
//! let response = client.send::<serde_json::Value>(request).await?;
//! assert_eq!(response.body, "/v1/things/a%20b");
//! # Ok(())
//! # }
//! ```
//!
//! # Guide
//!
//! Read in this order, these pages are a guide. Each has an example, and leads to the next one:
//!
//! 1. [Calls](request): arguments, bodies and options of a call
//! 2. [Errors](error): what failed, and advice for each kind
//! 3. [Retries](RetryPolicy): which failed calls are attempted again
#![cfg_attr(
    feature = "paging",
    doc = "4. [Paging](paging): lists as streams of pages or records"
)]
#![cfg_attr(
    feature = "streams",
    doc = "5. [Streams](stream): bodies that are read while they arrive"
)]
#![cfg_attr(
    feature = "waiting",
    doc = "6. [Waiting](waiting): polling until an operation is done"
)]
#![cfg_attr(feature = "metered", doc = "7. [Money](money): quotes and charges")]
#![cfg_attr(feature = "metered", doc = "8. [Budgets](Budget): reservations")]
#![cfg_attr(feature = "redis", doc = "9. [Accounts](account): processes")]
#![cfg_attr(feature = "journal", doc = "10. [Journals](journal): batches")]
#![cfg_attr(feature = "test-util", doc = "11. [Tests](testing)")]
//!
//! # Modules
//!
//! Common types are at the crate root. Every other item is in one module, and no type has two paths:
//!
//! | module | contents |
//! |---|---|
#![cfg_attr(
    feature = "redis",
    doc = "| [`account`] | one budget for many processes |"
)]
//! | [`credentials`] | keys, tokens and their providers |
#![cfg_attr(
    feature = "drift",
    doc = "| [`drift`] | differences between a response and the document |"
)]
//! | [`error`] | every error type but [`Error`] itself |
//! | [`interceptor`] | hooks around attempts, to delay, refuse or record them |
#![cfg_attr(
    feature = "journal",
    doc = "| [`journal`] | what a batch has done and paid |"
)]
#![cfg_attr(
    feature = "metered",
    doc = "| [`money`] | quotes, prices and charges |"
)]
#![cfg_attr(
    feature = "paging",
    doc = "| [`paging`] | streams of pages and records |"
)]
//! | [`request`] | bodies, parts, options of a call |
//! | [`response`] | status code, headers and earlier attempts of a call |
#![cfg_attr(feature = "streams", doc = "| [`stream`] | streamed response bodies |")]
//! | `testing` | a scripted service, with the feature `test-util` |
//! | [`transport`] | the trait of custom transports |
//! | [`values`] | dates, ranges, UUIDs, decimals and bytes sent as strings |
#![cfg_attr(
    feature = "waiting",
    doc = "| [`waiting`] | polling until an operation is done |"
)]
#![cfg_attr(
    feature = "webhooks",
    doc = "| [`webhooks`] | signatures of requests that the service makes itself |"
)]
//! | [`document`] | items that generated code declares |
//!
//! A generated crate has the same root and the same modules. Programs that use it do not name this crate.
//!
//! # What `tracing` records
//!
//! Targets begin with `generated_client`; the rest may change with any version. Fields without a value are absent. Names and values follow
//! OpenTelemetry's conventions for HTTP clients where possible. No field contains an argument, an address, a part of a body or a
//! credential. [`ClientBuilder::trace_context`] sends the trace to the service.
//!
//! | span | level | fields |
//! |---|---|---|
//! | `call` | INFO | `operation`, `http.request.method`, `url.template`, `server.address`, `server.port`, `otel.status_code`, `error.type` |
//! | `attempt`, in a `call` | INFO | `otel.name`, `otel.kind`, `otel.status_code`, `operation`, `http.request.method`, `http.request.resend_count`, `http.response.status_code`, `url.template`, `server.address`, `server.port`, `error.type` |
//!
//! | event | level | fields |
//! |---|---|---|
//! | an attempt failed and is retried | INFO | `operation`, `attempts`, `http.response.status_code`, `error.type`, `pause_seconds` |
//! | the service asks for a pause | INFO | `operation`, `seconds` |
//! | a wait has ended | INFO | `operation`, `is_done` |
#![cfg_attr(
    feature = "metered",
    doc = "\nA metered client adds [fields and events](money#what-tracing-records)."
)]
//!
//! `error.type` is a status code, the [kind](error::Refused::kind) of a refusal, or one of `configuration`, `argument`, `credential`,
//! `deadline_exceeded`, `connect`, `timeout`, `body`, `too_large`, `decode` and `other`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(feature = "full"),
    allow(
        dead_code,
        unreachable_patterns,
        unreachable_pub,
        unused_imports,
        unused_variables,
        reason = "a part serves several features"
    )
)]

#[cfg(feature = "redis")]
pub mod account;
#[cfg(feature = "cache")]
pub mod cache;
#[cfg(feature = "calls")]
mod call;
#[cfg(feature = "calls")]
mod client;
#[cfg(feature = "calls")]
pub mod credentials;
mod decode;
pub mod document;
#[cfg(feature = "drift")]
pub mod drift;
#[cfg(feature = "calls")]
pub mod error;
/// Errors of values.
#[cfg(not(feature = "calls"))]
pub mod error {
    #[cfg(feature = "enums")]
    pub use crate::decode::enums::ParseEnumError;
}
#[cfg(feature = "calls")]
mod future;
#[cfg(feature = "calls")]
pub mod interceptor;
#[cfg(feature = "full")]
#[doc(hidden)]
pub mod internal;
#[cfg(feature = "journal")]
pub mod journal;
#[cfg(feature = "calls")]
mod lock;
#[cfg(feature = "metered")]
mod meter;
#[cfg(feature = "metered")]
pub mod money;
#[cfg(feature = "paging")]
pub mod paging;
#[cfg(feature = "calls")]
pub mod request;
#[cfg(feature = "calls")]
pub mod response;
mod secret;
#[cfg(feature = "streams")]
pub mod stream;
#[cfg(feature = "test-util")]
pub mod testing;
#[cfg(feature = "calls")]
pub mod transport;
pub mod values;
#[cfg(feature = "waiting")]
pub mod waiting;
#[cfg(feature = "webhooks")]
pub mod webhooks;

#[cfg(feature = "calls")]
pub use client::api_client::ApiClient;
#[cfg(feature = "calls")]
pub use client::builder::ClientBuilder;
#[cfg(feature = "calls")]
pub use client::call::Call;
#[cfg(feature = "calls")]
pub use client::client::Client;
#[cfg(feature = "calls")]
pub use client::raw::RawCall;
#[cfg(feature = "records")]
pub use decode::records::Records;
#[doc(hidden)]
pub use decode::wire;
#[cfg(feature = "calls")]
pub use error::error::Error;
#[cfg(feature = "metered")]
pub use meter::meter::{Meter, meter};
#[cfg(feature = "metered")]
#[doc(hidden)]
pub use meter::methods::Batch;
#[cfg(feature = "metered")]
pub use money::{budget::Budget, credits::Credits, outcome::Outcome};
#[cfg(feature = "calls")]
pub use request::options::RetryPolicy;
#[cfg(feature = "calls")]
pub use response::response::Response;

/// The traits whose methods callers use.
///
/// ```
/// use generated_client::prelude::{Call, PagedAs};
/// # fn quick(call: generated_client::RawCall) -> generated_client::RawCall { call.deadline(std::time::Duration::from_secs(1)) }
/// ```
#[cfg(feature = "calls")]
pub mod prelude {
    pub use crate::client::call::Call;
    #[cfg(feature = "paging")]
    pub use crate::paging::PagedAs;
}

#[cfg(any(feature = "calls", feature = "text-types"))]
pub use bytes::Bytes;
#[cfg(feature = "calls")]
pub use http::{self, Method, StatusCode};
// The HTTP client that `ClientBuilder::http` configures. Its version may change with any version of this crate, as that method documents.
#[cfg(feature = "unstable-reqwest")]
pub use reqwest;
