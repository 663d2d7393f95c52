//! Stored responses: a call that was made before is answered without a request.
//!
//! A [`Cache`] belongs to a client. A response is reused while it is fresh: for the age that the call or the client states, or the document
//! by `x-fresh-for`. Without one of them a call is made, and its response is not stored.
//!
//! ```
//! use std::time::Duration;
//!
//! use generated_client::cache::{Cache, Stored};
//! use generated_client::document::Api;
//! use generated_client::prelude::Call;
//! use generated_client::testing::{Reply, Script};
//! use generated_client::{Client, ClientBuilder, Error, Method};
//! # static API: Api = Api::new("example", "1.2.3", "EXAMPLE");
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let day = Duration::from_secs(24 * 60 * 60);
//! let script = Script::new([Reply::new(200, "1"), Reply::new(200, "2")]);
//! let client: Client = ClientBuilder::new(&API, "https://api.example.com")
//!     .cache(Cache::in_memory().max_age(day))
//!     .transport(script.clone())
//!     .build()?;
//!
//! let count = || client.raw(Method::GET, "/v1/count");
//! assert_eq!(count().send::<u64>().await?.body, 1);
//! let again = count().send::<u64>().await?;
//! assert_eq!(again.body, 1);
//! assert!(again.meta.stored_at().is_some());
//! assert_eq!(count().refresh().send::<u64>().await?.body, 2);
//! assert_eq!(script.sent().len(), 2);
//! let stored: Option<Stored> = count().stored().await?;
//! assert_eq!(stored.unwrap().body, "2");
//!
//! // Nothing is sent without a stored response.
//! let other = client.raw(Method::GET, "/v1/other").only_if_cached().send::<u64>().await;
//! assert!(matches!(other, Err(Error::Refused(refused)) if refused.kind() == "cache"));
//! # Ok(()) }
//! ```
//!
//! # Rules
//!
//! | question | rule |
//! |---|---|
//! | Which calls? | GET and HEAD, and operations with `x-fresh-for`; not streams, uploads, the polls of a wait, and calls with a secret argument or a header that holds a credential |
//! | Which responses? | Complete ones with a status of 2xx, but 202 and 206, or with one that [`Cache::also`] names. What is no JSON where JSON is expected is stored if the interceptor has a record of it |
//! | When are two calls equal? | Same operation, address, arguments, headers and body. A parameter that names a website is compared by its host |
//! | What of equal calls at the same time? | One is made, and the others get its response. With a shared store this holds across processes |
//! | What if the store fails? | Nothing is sent: [`CacheError`] is the cause of the error. A response that cannot be stored is returned, with an event at WARN |
//! | Where can a key be? | In no stored request or response: what repeats a credential is not stored |
//!
//! Calls of clients with different credentials share stored responses, unless each has a [partition](Cache::partition).

#[expect(
    clippy::module_inception,
    reason = "the module is named after its type"
)]
mod cache;
mod entry;
mod error;
mod fetch;
#[cfg(feature = "cache-file")]
mod file;
mod flight;
mod key;
mod lease;
mod making;
mod memory;
#[cfg(feature = "redis")]
mod redis;
mod store;

pub use cache::Cache;
pub use entry::Stored;
pub use error::CacheError;
pub(crate) use fetch::{Fetch, Fetched};
pub(crate) use flight::{Flight, Landing};
pub(crate) use making::Making;
