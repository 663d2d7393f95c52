//! The core that a generated client crate calls: everything about talking to a paid HTTP API that does not depend on which API it is.
//!
//! ```text
//! Api ──▶ ClientBuilder ──▶ Client           who is called, with which key, on which budget
//!                             │
//! Operation ──▶ Request ──────┤ send         arguments are checked before anything leaves
//!                             ▼
//!   Ledger ◀── reserve ── attempt loop ── settle ──▶ Ledger      again only if it cannot be a second charge
//!                             │
//!                         Transport          one request, one answer, no redirect
//!                             │
//!               ┌─────────────┴────────────┐
//!               ▼                          ▼
//!        Response<T>                     Error
//!   body · meta · raw bytes     says what failed and what it cost, keeps the bytes that were paid for
//! ```
//!
//! Bodies decode into the generated types with the help of [`Records`] (an array in which one bad element does not lose the others),
//! [`Credits`] (an exact price) and the functions of [`wire`]. Where a service writes ranges and dates as text, the field's type keeps
//! what was sent and reads it on demand: [`TextDate`], [`TextRange`]; [`Loose`] holds a value that may be one, several or something else.
//!
//! ```
//! use metered_client::{Api, Auth, Bytes, Client, ClientBuilder, Method, Operation, Request, Shape, http};
//!
//! static API: Api = Api {
//!     name: "example",
//!     version: "1.2.3",
//!     environment: "EXAMPLE",
//!     auth: Auth::Header("x-api-key"),
//!     charge: None,
//! };
//! static GET_THING: Operation = Operation {
//!     id: "getThing",
//!     method: Method::GET,
//!     path: "/v1/things/{id}",
//!     prices: &[],
//!     priced_by: &[],
//!     charge: None,
//!     answer: &Shape::Any,
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), metered_client::Error> {
//! // A transport that answers without a network; leave it out to use HTTP.
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

mod allowance;
mod api;
mod api_key;
mod base_url;
mod builder;
mod call;
mod client;
mod conceal;
mod course;
mod credits;
mod decode;
mod drift;
mod drive;
mod encode;
mod error;
mod excerpt;
mod explain;
mod ledger;
mod lenient;
mod outcome;
mod pace;
mod paging;
mod pointer;
mod price;
mod quotation;
mod quote;
mod raw;
mod receive;
mod records;
mod report;
mod request;
mod response;
mod retry;
mod retry_after;
mod shape;
mod span;
mod spelling;
#[cfg(feature = "test-util")]
pub mod test_util;
mod tolerant;
mod transport;
mod validate;
mod values;
mod waiting;
pub mod wire;
mod word;

pub use api::{Api, Auth, Operation};
pub use builder::ClientBuilder;
pub use client::Client;
pub use course::Attempt;
pub use credits::{Credits, ParseCreditsError};
pub use drift::{Drift, DriftKind};
pub use error::{
    ArgumentError, BudgetExceeded, ConfigurationError, DecodeError, Error, Postponed, StatusError,
    TransportError, TransportErrorKind,
};
pub use ledger::{Ask, AtRisk, AtRiskId, BudgetError, CallLabel, Ledger, Reservation, Usage};
pub use outcome::Outcome;
pub use paging::{Items, List, Paged, Pages, PagingCause, PagingError, RecordError};
pub use price::{Presence, Price, SeenPrice};
pub use quote::{Basis, Quote};
pub use raw::RawCall;
pub use records::{Records, Reject};
pub use request::{CallOptions, Request};
pub use response::{Meta, Response};
pub use retry::RetryPolicy;
pub use shape::Shape;
pub use transport::{BoxFuture, Transport};
pub use values::{Loose, TextDate, TextRange};
pub use waiting::{Polls, Wait, Waiter, WaitingCause, WaitingError};
pub use word::UnknownWord;

pub use bytes::Bytes;
pub use http::{self, HeaderMap, Method, StatusCode};
pub use secrecy::SecretString;
