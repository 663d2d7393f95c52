//! The journal of a batch: a file that says what earlier runs have done and paid, so that a later run pays for nothing twice.
//!
//! Each fact is a line of JSON, appended before the next step. A process that is killed at any instant leaves a journal from which the next
//! run goes on: what it paid counts against the budget, what it received is not called again, and a call that was in flight is at risk and is
//! made again only on [demand](Journal::again). The journal survives a crash of the process, but not one of the machine: nothing is synced to disk.
//!
//! ```
//! use metered_client::document::Documented;
//! use metered_client::journal::{Called, Journal, JournalError};
//! use metered_client::prelude::*;
//! use metered_client::{Client, ClientBuilder, Credits, Error, Response};
//! # async fn batch<C, T, F>(builder: ClientBuilder<Client>, domains: Vec<String>, thing: fn(&Client, &str) -> C, send: fn(C) -> F)
//! #     -> Result<(), Box<dyn std::error::Error>>
//! # where C: Unsent, T: Documented + std::fmt::Debug, F: Future<Output = Result<Response<T>, Error>> {
//! let journal = Journal::open("things.journal", "things")?;
//! let client = builder.ledger(journal.ledger(Credits::new(50))).build()?;
//! for domain in &domains {
//!     let keep = |response: Response<T>| -> std::io::Result<()> {
//!         println!("{:?}", response.body); // or into a file
//!         Ok(())
//!     };
//!     match journal.call(domain, thing(&client, domain), send, keep).await? {
//!         Called::Stop(error) => return Err(error.into()), // no budget, no key: the next call would fail as well
//!         called => println!("{domain}: {called}"),
//!     }
//! }
//! # Ok(()) }
//! ```

mod book;
mod call;
mod earlier;
mod error;
mod failure;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its type"
)]
mod journal;
mod line;
mod notes;
mod storage;

pub use book::EntryId;
pub use call::Called;
pub use earlier::{Earlier, Wanted};
pub use error::JournalError;
pub use failure::ends_a_batch;
pub use journal::Journal;
pub use line::Run;
