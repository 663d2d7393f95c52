//! The journal of a batch: a file that says what earlier runs have done and paid, so that a later run pays for nothing twice.
//!
//! Each fact is a line of JSON, appended before the next step: each attempt before it is sent and when it ends, and each result that is kept. What
//! runs have spent and at risk, and which inputs may have been billed for nothing, is derived from the attempts alone. A process that is killed at any instant leaves a journal from which the next
//! run goes on: what it paid counts against the budget, what it received is not called again, and a call that was in flight is at risk and is
//! made again only on [demand](Journal::again). The journal survives a crash of the process, but not one of the machine: nothing is synced to disk.
//!
//! ```
//! use generated_client::document::{Api, Documented, Operation};
//! use generated_client::journal::{Called, Journal, JournalError};
//! use generated_client::testing::{Reply, Script};
//! use generated_client::{Client, ClientBuilder, Credits, Method, RawCall, Response};
//! # static API: Api = Api {
//! #     interceptor: Some(|| generated_client::meter(Some("cost"), Some(Credits::new(2)))),
//! #     ..Api::new("example", "1.2.3", "EXAMPLE")
//! # };
//! # static GET_THING: Operation = Operation::get("getThing", "/v1/thing");
//! # struct Thing { name: String }
//! # generated_client::wire::object!(Thing { name: required "name", });
//! # impl Documented for Thing {
//! #     fn operation() -> &'static Operation { &GET_THING }
//! # }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let script = Script::new(["one", "two"].map(|name| Reply::json(&serde_json::json!({ "name": name, "cost": 2 }))));
//! // A program opens a file: `Journal::open("things.journal", "things")?`.
//! let journal = Journal::in_memory("things");
//! let client: Client = ClientBuilder::new(&API, "https://api.example.com")
//!     .budget(journal.budget(Credits::new(50)))
//!     .transport(script)
//!     .build()?;
//! for domain in ["one.example", "two.example", "one.example"] {
//!     let keep = |response: Response<Thing>| -> std::io::Result<()> {
//!         println!("{}", response.body.name); // or into a file
//!         Ok(())
//!     };
//!     let call = client.raw(Method::GET, "/v1/thing");
//!     let called: Result<Called<Thing>, JournalError> = journal.call(domain, call, RawCall::send::<Thing>, keep).await;
//!     match called? {
//!         Called::Stop(error) => return Err(error.into()), // no budget, no key, no service: the next call would fail as well
//!         called => println!("{domain}: {called}"),
//!     }
//! }
//! // The third call was made already.
//! assert_eq!(client.budget().usage().spent, Credits::new(4));
//! # Ok(()) }
//! ```
#![cfg_attr(feature = "test-util", doc = "\nNext: [tests](super::testing).")]

mod begun;
mod call;
mod earlier;
mod error;
mod failure;
mod input;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its type"
)]
mod journal;
mod line;
mod lost;
mod notes;
mod reader;
mod storage;

#[cfg(test)]
mod tests;

#[doc(hidden)]
pub use begun::Begun;
pub use call::Called;
pub use error::JournalError;
#[doc(hidden)]
pub use input::Wanted;
pub use journal::Journal;
pub use line::Run;
