//! Generated clients of HTTP APIs that charge for calls: a hard budget, exact prices, and one account for many processes.
//!
//! It is built on [`generated_client`], which makes the calls, and re-exports it: a program depends on one of the two. It adds an
//! [interceptor] around each attempt, and traits that the [prelude] brings into scope.
//!
//! ```text
//! Api::interceptor = meter ─▶ Client ── attempt ──▶ reserve on Budget and Account ─▶ the request ─▶ settle: charge, refund or at risk
//! ```
//!
//! [`Outcome`] has the table of how each result of an attempt counts for the money, and whether the attempt is made again.
//!
//! ```
//! use metered_client::document::{Api, Auth, Operation, Shape, Tariff};
//! use metered_client::prelude::*;
//! use metered_client::request::Request;
//! use metered_client::{Bytes, Client, ClientBuilder, Credits, Method, Outcome, http, meter};
//!
//! static API: Api = Api {
//!     name: "example",
//!     version: "1.2.3",
//!     environment: "EXAMPLE",
//!     base_url: None,
//!     auth: Auth::Header("x-api-key"),
//!     interceptor: Some(|| meter(Some("cost"), Some(Credits::new(2)))),
//!     operations: &[],
//! };
//! static GET_THING: Operation = Operation {
//!     id: "getThing",
//!     method: Method::GET,
//!     path: "/v1/things/{id}",
//!     extension: Some(&Tariff { prices: &[], priced_by: &[], charge: None }),
//!     response: &Shape::Any,
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), metered_client::Error> {
//! // A transport that responds without a network; leave it out to use HTTP.
//! let service = |_: http::Request<Bytes>| async move {
//!     Ok(http::Response::new(Bytes::from_static(br#"{"cost": 2}"#)))
//! };
//! let client: Client = ClientBuilder::new(&API, "https://api.example.com")
//!     .api_key("secret")
//!     .budget(Credits::new(10))
//!     .transport(service)
//!     .build()?;
//!
//! let mut request = Request::new(&GET_THING);
//! request.path("id", &"a b");
//! let response = client.send::<serde_json::Value>(request).await?;
//! assert_eq!(response.outcome(), Outcome::Charged(Credits::new(2)));
//! assert_eq!(client.budget().usage().spent, Credits::new(2));
//! # Ok(())
//! # }
//! ```
//!
//! The traits also add, beside `budget` and `outcome`:
//!
//! ```
//! use metered_client::paging::{Items, Paged};
//! use metered_client::{
//!     Client, Credits, Error, Meter, MeteredBuilder, MeteredClient, MeteredError, MeteredPages, Quoted, RawCall,
//! };
//!
//! fn look<P: Paged>(client: &Client, call: &RawCall, items: Items<P>, error: &Error) -> Items<P> {
//!     println!("{:?} of {:?}", MeteredClient::budget(client).usage().spent, client.interceptor::<Meter>().is_some());
//!     println!("{:?}, {:?}", Quoted::quote(call).at_most, MeteredPages::quote(&items).calls);
//!     println!("{:?}", MeteredError::budget(error));
//!     items.at_most(Credits::new(5))
//! }
//! ```
//!
//! # Guide
//!
//! Read in this order, these pages are a guide. Each has an example, and leads to the next one:
//!
//! 1. [Calls](request): arguments, bodies and options of a call
//! 2. [Errors](error): what failed, and advice for each kind
//! 3. [Retries](RetryPolicy): which failed calls are attempted again
//! 4. [Paging](paging): lists as streams of pages or records
//! 5. [Streams](stream): bodies that are read while they arrive
//! 6. [Waiting](waiting): polling until an operation is done
//! 7. [Money](money): quotes and prices before a call, charges after it
//! 8. [Budgets](Budget): reservations, and what is at risk
#![cfg_attr(feature = "redis", doc = "9. [Accounts](account): processes")]
#![cfg_attr(feature = "journal", doc = "10. [Journals](journal): batches")]
#![cfg_attr(feature = "test-util", doc = "11. [Tests](testing)")]
//!
//! # What `tracing` records
//!
//! Beside the spans and events of [`generated_client`], with more fields of an attempt. `error.type` of a call may be `budget` or `account`.
//!
//! | span | level | fields |
//! |---|---|---|
//! | `attempt`, in a `call` | INFO | `otel.name`, `otel.kind`, `otel.status_code`, `operation`, `http.request.method`, `http.request.resend_count`, `http.response.status_code`, `url.template`, `server.address`, `server.port`, `error.type`, `credits.reserved`, `credits.consumed`, `credits.at_risk` |
//!
//! | event | level | fields |
//! |---|---|---|
//! | the price is unknown | INFO | `operation`, `reserved` |
//! | a call cost more than its known price | WARN | `operation`, `credits` |
//!
//! An account adds events at WARN and ERROR with the field `account`, when its store and this process disagree, or the store is unavailable.
//! Amounts of spans are inexact: the budget has the exact ones.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "redis")]
pub mod account;
mod ext;
#[cfg(feature = "journal")]
pub mod journal;
mod lock;
mod meter;
pub mod money;
#[cfg(feature = "test-util")]
pub mod testing;

pub use ext::{
    Charged, MeteredBuilder, MeteredCall, MeteredClient, MeteredError, MeteredPages, Quoted,
};
pub use meter::meter::{Meter, meter};
pub use money::budget::Budget;
pub use money::credits::Credits;
pub use money::outcome::Outcome;

#[cfg(feature = "unstable-reqwest")]
pub use generated_client::reqwest;
pub use generated_client::{
    ApiClient, Bytes, Call, Client, ClientBuilder, Error, Method, RawCall, Records, Response,
    RetryPolicy, StatusCode, Unsent, credentials, drift, http, interceptor, paging, request,
    response, stream, transport, values, waiting,
};

/// The traits whose methods a caller wants to have in scope.
///
/// ```
/// # use metered_client::Client;
/// use metered_client::prelude::{Charged, MeteredBuilder, MeteredCall, MeteredClient, MeteredError, MeteredPages, Quoted};
/// # fn spent(client: &Client) -> metered_client::Credits { client.budget().usage().spent }
/// ```
pub mod prelude {
    pub use crate::ext::{
        Charged, MeteredBuilder, MeteredCall, MeteredClient, MeteredError, MeteredPages, Quoted,
    };
    pub use generated_client::prelude::*;
}

/// Types with which generated code describes an API: its operations, their prices, and the shapes of their responses.
pub mod document {
    pub use crate::meter::tariff::{Presence, Price, Tariff};
    pub use generated_client::document::*;
}

/// Every error type but [`Error`] itself.
///
/// ```
/// use metered_client::Error;
/// use metered_client::error::BudgetError;
/// use metered_client::prelude::*;
///
/// fn advice(error: &Error) -> Option<String> {
///     let refused: &BudgetError = error.budget()?;
///     Some(format!("{} of {} credits are left", refused.left(), refused.limit))
/// }
/// ```
///
/// Next: [retries](crate::RetryPolicy).
pub mod error {
    pub use crate::money::budget::BudgetError;
    pub use crate::money::credits::ParseCreditsError;
    pub use generated_client::error::*;
}
