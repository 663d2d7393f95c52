//! Money: quotes and prices before a call, reservations and charges of a [`Budget`](crate::Budget) after it.
//!
//! [`Credits`](crate::Credits), [`Budget`](crate::Budget) and [`Outcome`](crate::Outcome) are at the root of the crate.
//!
//! ```
//! use generated_client::money::{
//!     AtRisk, AtRiskId, CallLabel, PriceSource, Quote, SeenPrice,
//! };
//! use generated_client::request::Request;
//! use generated_client::testing::{Reply, Script};
//! use generated_client::{Client, ClientBuilder, Credits};
//! # use generated_client::document::Operation;
//! # use generated_client::document::Api;
//! # static API: Api = Api {
//! #     interceptor: Some(|| generated_client::meter(Some("cost"), Some(Credits::new(2)))),
//! #     ..Api::new("example", "1.2.3", "EXAMPLE")
//! # };
//! # static GET_THING: Operation = Operation::get("getThing", "/v1/thing");
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let script = Script::new([Reply::new(200, r#"{"cost": 1.5}"#), Reply::new(500, "")]);
//! let client: Client = ClientBuilder::new(&API, "https://api.example.com")
//!     .budget(Credits::new(10))
//!     .transport(script)
//!     .build()?;
//!
//! let quote: Quote = client.quote(&Request::new(&GET_THING));
//! assert_eq!(quote.source, PriceSource::Learned);
//!
//! client.send::<serde_json::Value>(Request::new(&GET_THING)).await?;
//! let seen: Vec<SeenPrice> = client.prices();
//! assert_eq!(seen[0].credits, "1.5".parse()?);
//! assert_eq!(client.quote(&Request::new(&GET_THING)).at_most, Some("1.5".parse()?));
//!
//! // A failure that may have been billed: its price is at risk until it is settled.
//! client.send::<serde_json::Value>(Request::new(&GET_THING)).await.unwrap_err();
//! let lost: Vec<AtRisk> = client.budget().at_risk();
//! let (id, label): (AtRiskId, &CallLabel) = (lost[0].id, &lost[0].call);
//! assert_eq!(label.operation, "getThing");
//! client.budget().settle(id, Credits::ZERO);
//! assert_eq!(client.budget().usage().spent, "1.5".parse()?);
//!
//! // A budget can be used without a client too.
//! client.budget().reserve(Credits::new(8)).await?.refund();
//! # Ok(())
//! # }
//! ```
//!
//! # What `tracing` records
//!
//! | span or event | level | fields |
//! |---|---|---|
//! | `attempt`, also | INFO | `credits.reserved`, `credits.consumed`, `credits.at_risk` |
//! | the price is unknown | INFO | `operation`, `reserved` |
//! | a call cost more than its known price | WARN | `operation`, `credits` |
//!
//! Amounts of spans are inexact: the budget has the exact ones. `error.type` may be `budget` or `account`.
//! An account adds events at WARN and ERROR with the field `account`, when its store and this process disagree, or the store is unavailable.
//!
//! Next: [budgets](crate::Budget).

pub(crate) mod budget;
pub(crate) mod credits;

pub(crate) mod metered_budget;
pub(crate) mod need;
pub(crate) mod outcome;
#[cfg(any(feature = "journal", feature = "redis"))]
pub(crate) mod period;
pub(crate) mod quote;
pub(crate) mod report;
pub(crate) mod unknown_prices;

pub use budget::{
    Asked, AtRisk, AtRiskId, CallLabel, ParseAtRiskIdError, RefusedBy, Reservation, Usage,
};

#[doc(hidden)]
pub use budget::error::in_credits;
#[cfg(any(feature = "journal", feature = "redis"))]
pub use period::{Period, Window};
pub use quote::{BatchQuote, PriceSource, Quote, SeenPrice};
