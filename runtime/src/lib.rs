//! The core that a generated client crate calls: everything about talking to a paid HTTP API that does not depend on which API it is.
//!
//! ```text
//! Api ──▶ ClientBuilder ──▶ Client           who is called, with which key, on which budget
//!                             │
//! Operation ──▶ Request ──────┤ send         arguments are checked before anything leaves
//!                             ▼
//!   Ledger ◀── reserve ── attempt loop ── settle ──▶ Ledger      again only if it cannot be a second charge
//!                             │
//!                         Transport          one request, one response
//!                             │
//!               ┌─────────────┴────────────┐
//!               ▼                          ▼
//!        Response<T>                     Error
//!   body · meta · raw bytes     says what failed and what it cost, keeps the bytes that were paid for
//! ```
//!
//! Bodies decode into the generated types with the help of [`Records`] (an array in which one bad element does not lose the others),
//! [`Credits`] (an exact price) and the functions of [`wire`]. Where a service writes ranges, dates, UUIDs, decimals and bytes as text, the
//! field has a type of [`values`], which keeps what was sent and reads it on demand. [`SecretText`](values::SecretText) is kept out of debug
//! output, and [`Loose`](values::Loose) holds a value that may be one, several or something else.
//!
//! ```
//! use metered_client::document::{Api, Auth, Operation, Shape};
//! use metered_client::request::Request;
//! use metered_client::{Bytes, Client, ClientBuilder, Method, http};
//!
//! static API: Api = Api {
//!     name: "example",
//!     version: "1.2.3",
//!     environment: "EXAMPLE",
//!     base_url: None,
//!     auth: Auth::Header("x-api-key"),
//!     is_metered: true,
//!     charge: None,
//! };
//! static GET_THING: Operation = Operation {
//!     id: "getThing",
//!     method: Method::GET,
//!     path: "/v1/things/{id}",
//!     prices: &[],
//!     priced_by: &[],
//!     charge: None,
//!     response: &Shape::Any,
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), metered_client::Error> {
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
//! # Where is what
//!
//! The root has what most programs name. Every other item stands in the one module of its subject, and no type has two paths:
//!
//! | module | contents |
//! |---|---|
//! | [`account`] | one budget for many processes |
//! | `cli` | the command line, with the feature `cli` |
//! | [`credentials`] | keys, tokens and their providers |
//! | [`drift`] | differences between a response and the document |
//! | [`error`] | every error type but [`Error`] itself |
//! | [`money`] | quotes, reservations, usage, calls at risk |
//! | [`paging`] | streams of pages and records |
//! | [`request`] | bodies, parts, options of a call |
//! | [`response`] | status code, headers, cost and earlier attempts of a call |
//! | [`stream`] | bodies that are read while they arrive |
//! | `testing` | a scripted service, with the feature `test-util` |
//! | [`transport`] | the trait of a transport of your own |
//! | [`values`] | dates, ranges, UUIDs, decimals and bytes that services write as text |
//! | [`waiting`] | polling until a result is there |
//! | [`document`], [`wire`] | what generated code declares and calls |
//!
//! A generated crate has the same root and the same modules, except `wire`. A program that uses it does not name this crate.
//!
//! # What `tracing` records
//!
//! Targets begin with `metered_client`; the modules that follow may change with any version. Fields are absent where they have no value.
//! Names and values are those of OpenTelemetry's conventions for HTTP clients where it has some. None has an argument of a call, its
//! address, a part of a body or a credential.
//!
//! | span | level | fields |
//! |---|---|---|
//! | `call` | INFO | `operation`, `http.request.method`, `url.template`, `server.address`, `server.port`, `otel.status_code`, `error.type` |
//! | `attempt`, in a `call` | INFO | `otel.name`, `otel.kind`, `otel.status_code`, `operation`, `http.request.method`, `http.request.resend_count`, `http.response.status_code`, `url.template`, `server.address`, `server.port`, `error.type`, `credits.reserved`, `credits.consumed`, `credits.at_risk` |
//!
//! | event | level | fields |
//! |---|---|---|
//! | the price is unknown | INFO | `operation`, `reserved` |
//! | an attempt failed, and another one follows | INFO | `operation`, `attempts`, `http.response.status_code`, `error.type`, `pause_seconds` |
//! | the service asks for a pause | INFO | `operation`, `seconds` |
//! | a wait has ended | INFO | `operation`, `is_done` |
//! | a call cost more than its known price | WARN | `operation`, `credits` |
//!
//! An account adds events at WARN and ERROR with the field `account`, where its store and this process disagree or the store is away.
//! `error.type` is a status code, or what became of the call: `configuration`, `argument`, `credential`, `budget`, `account`,
//! `deadline_exceeded`, `connect`, `timeout`, `body`, `too_large`, `decode` or `other`. Amounts of spans are inexact: the ledger has the exact
//! ones.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod account;
mod call;
#[cfg(feature = "cli")]
pub mod cli;
mod client;
pub mod credentials;
mod decode;
pub mod document;
pub mod drift;
pub mod error;
pub mod money;
pub mod paging;
pub mod request;
pub mod response;
mod secret;
pub mod stream;
#[cfg(feature = "test-util")]
pub mod testing;
pub mod transport;
pub mod values;
pub mod waiting;

pub use client::builder::ClientBuilder;
pub use client::client::Client;
pub use client::raw::RawCall;
pub use decode::records::Records;
pub use decode::wire;
pub use error::error::Error;
pub use money::credits::Credits;
pub use money::ledger::Ledger;
pub use money::outcome::Outcome;
pub use request::options::RetryPolicy;
pub use response::response::Response;

pub use bytes::Bytes;
pub use http::{self, Method, StatusCode};
// What `ClientBuilder::http` configures. Its version is part of this crate's version, as the documentation of that method says.
pub use reqwest;
