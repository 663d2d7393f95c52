//! One budget for many processes: an account in a store that all of them reach.
//!
//! A [`Budget`](crate::Budget) bounds what one process spends. An [`Account`] bounds what all processes with the same account spend
//! together: a call then needs room in both. A [`RedisStore`] keeps it in Redis or Valkey.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use generated_client::Credits;
//! use generated_client::account::{
//!     Account, AccountBuilder, AccountUsage, FlushError, OpenError, Outage, RedisStore, StoreError,
//! };
//! use generated_client::money::{AtRisk, AtRiskId, ParseAtRiskIdError};
//!
//! async fn tenant(all: &Account, name: &str) -> Result<Account, OpenError> {
//!     all.scoped(name, Credits::new(50), None).await
//! }
//!
//! async fn print_lost_calls(account: &Account) -> Result<(), StoreError> {
//!     let calls: Vec<AtRisk> = account.at_risk().await?;
//!     calls.iter().for_each(|lost| println!("{}: {}", lost.id, lost.call));
//!     Ok(())
//! }
//!
//! /// What the provider says that a call cost.
//! async fn settle(account: &Account, id: &str, charged: Credits) -> Result<bool, Box<dyn std::error::Error>> {
//!     let id: AtRiskId = id.parse().map_err(|error: ParseAtRiskIdError| error)?;
//!     Ok(account.settle(id, charged).await?)
//! }
//!
//! # async fn administer() -> Result<(), Box<dyn std::error::Error>> {
//! let builder: AccountBuilder = Account::named("all").limit(Credits::new(100));
//! let store = RedisStore::connect("redis://127.0.0.1/").await?;
//! let all = builder.outage(Outage::Allow).open(store).await?;
//! let acme = tenant(&all, "acme").await?;
//! print_lost_calls(&acme).await?;
//! let AccountUsage { usage, lapsed, .. } = acme.usage().await?;
//! println!("{:?} spent of {:?}, {lapsed} leases ended", usage.spent, usage.limit);
//! // Before the process ends, so that the account knows what its calls have cost.
//! if let Err(FlushError { left, .. }) = all.flush(Duration::from_secs(30)).await {
//!     eprintln!("{left} calls are not settled");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`ClientBuilder::account`](crate::ClientBuilder::account) makes the calls of a client draw on it.
//!
//! # Crashes
//!
//! A reservation is a lease. A worker that dies leaves it behind; when the lease ends, its amount is at risk, never free. A settlement
//! has the id of its reservation, and counts once, however often and however late it arrives. What a person has settled by then
//! ([`Account::settle`]) stays for two hours at least: a settlement that a worker makes in that time is a conflict, which is logged and counted.
//!
//! ```text
//! Account ── hold ──▶ AccountReservation ──▶ charged │ refunded │ at risk     one call
//!    └── RedisStore: reserve · settle · usage · settle_risk, each one script
//! ```
#![cfg_attr(feature = "journal", doc = "\nNext: [journals](super::journal).")]

#[expect(
    clippy::module_inception,
    reason = "the module is named after its type"
)]
mod account;
mod asking;
mod background;
mod builder;
mod error;
mod redis;
mod reservation;
mod scope;
mod settings;
mod shared;
#[doc(hidden)]
pub mod store;
mod usage;

pub use crate::money::period::{Period, Window};
pub use account::Account;
pub use builder::AccountBuilder;
pub use error::{FlushError, OpenError, StoreError};
pub use redis::RedisStore;
pub use settings::Outage;
pub use usage::AccountUsage;
