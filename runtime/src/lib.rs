//! The core that a generated client crate calls: everything about talking to a paid HTTP API that does not depend on which API it is.
//!
//! ```text
//! Api ──▶ ClientBuilder ──▶ Client           who is called, with which key, on which budget
//!                             │
//! Operation ──▶ Request ──────┤ send         arguments are checked before anything leaves
//!                             ▼
//!   Ledger ◀── reserve ── attempt loop ── settle ──▶ Ledger      again only if it cannot be a second charge
//!                             │
//!                         Transport          one request, one response, no redirect
//!                             │
//!               ┌─────────────┴────────────┐
//!               ▼                          ▼
//!        Response<T>                     Error
//!   body · meta · raw bytes     says what failed and what it cost, keeps the bytes that were paid for
//! ```
//!
//! Bodies decode into the generated types with the help of [`Records`] (an array in which one bad element does not lose the others),
//! [`Credits`] (an exact price) and the functions of [`wire`]. Where a service writes ranges, dates, UUIDs, decimals and bytes as text, the
//! field's type keeps what was sent and reads it on demand: [`TextRange`], [`TextDate`], [`TextUuid`], [`TextDecimal`], [`Base64`].
//! [`SecretText`] is kept out of debug output, and [`Loose`] holds a value that may be one, several or something else.
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

#![cfg_attr(docsrs, feature(doc_cfg))]

mod call;
mod client;
mod credentials;
mod decode;
mod document;
mod drift;
mod error;
mod money;
mod paging;
mod request;
mod response;
mod secret;
mod stream;
#[cfg(feature = "test-util")]
pub mod test_util;
mod transport;
mod values;
mod waiting;

pub use call::prices::SeenPrice;
pub use client::builder::ClientBuilder;
pub use client::client::Client;
pub use client::quote::{LargestPage, PriceSource, Quote};
pub use client::raw::RawCall;
pub use credentials::credential::Credential;
pub use credentials::token::{Token, TokenProvider, TokenReason};
pub use decode::enums::ParseEnumError;
pub use decode::records::{Records, RejectedRecord};
pub use decode::wire;
pub use document::api::{Api, Auth, Documented, Operation};
pub use document::price::{Presence, Price};
pub use document::security::{Carrier, OwnServer, Scheme, Security};
pub use document::shape::Shape;
pub use drift::{Drift, DriftKind};
pub use error::{
    ArgumentError, BodyError, BudgetExceeded, ConfigurationError, CredentialError,
    DeadlineExceeded, DecodeError, Error, MissingValue, PagingCause, PagingError, RecordError,
    StatusError, TransportError, WaitingCause, WaitingError,
};
pub use money::credits::{Credits, ParseCreditsError};
pub use money::ledger::{
    Amount, AtRisk, AtRiskId, BudgetError, CallLabel, Ledger, Reservation, Usage,
};
pub use money::outcome::Outcome;
pub use paging::{Items, ItemsAs, List, Paged, Pages, PagesAs};
pub use request::body::Body;
pub use request::extras::Extras;
pub use request::form::Form;
pub use request::multipart::{Multipart, Part};
pub use request::options::{CallOptions, RetryPolicy};
#[cfg(feature = "patterns")]
pub use request::pattern::Pattern;
pub use request::request::Request;
pub use request::style::{ParameterStyle, Place, Style};
pub use response::failure::TransportErrorKind;
pub use response::history::Attempt;
pub use response::response::{Meta, Response};
pub use response::undecoded::{Undecoded, Unreadable};
pub use stream::events::{Event, Events};
pub use stream::json_lines::JsonLines;
pub use stream::response_stream::ResponseStream;
pub use transport::body_stream::BodyStream;
pub use transport::server_url::server_url;
pub use transport::transport::{BoxFuture, Transport};
pub use values::{Base64, Loose, SecretText, TextDate, TextDecimal, TextRange, TextUuid};
pub use waiting::{Polls, Wait, Waiter};

pub use bytes::Bytes;
pub use http::{self, HeaderMap, Method, StatusCode};
pub use reqwest;
pub use secrecy::SecretString;
