//! One budget for many processes: an account in a store that all of them reach.
//!
//! A [`Ledger`](crate::Ledger) bounds what one process spends. An [`Account`] bounds what all processes with the same account spend
//! together: a call then needs room in both. The account is stored by a [`LedgerStore`](store::LedgerStore): [`InProcess`] for one process and for tests, and
//! with the feature `redis` `RedisStore`.
//!
//! ```
//! use metered_client::account::{Account, InProcess};
//! use metered_client::Credits;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let account = Account::named("research")
//!     .limit(Credits::new(1000))
//!     .open(InProcess::new())
//!     .await?;
//! assert_eq!(account.usage().await?.usage.limit, Some(Credits::new(1000)));
//! # Ok(())
//! # }
//! ```
//!
//! Administration of an account:
//!
//! ```
//! use std::time::Duration;
//!
//! use metered_client::account::{
//!     Account, AccountBuilder, AccountRisk, AccountUsage, FlushError, InProcess, Label, OpenError, Outage, ParseReservationIdError,
//!     ReservationId, StoreError, Unsettled,
//! };
//! use metered_client::Credits;
//!
//! async fn tenant(all: &Account, name: &str) -> Result<Account, OpenError> {
//!     all.scoped(name, Credits::new(50), None).await
//! }
//!
//! async fn print_lost_calls(account: &Account) -> Result<(), StoreError> {
//!     let calls: Vec<AccountRisk> = account.at_risk().await?;
//!     for AccountRisk { id, label, .. } in &calls {
//!         let Label { operation, attempt, .. } = label;
//!         println!("{id}: {operation}, attempt {attempt}");
//!     }
//!     Ok(())
//! }
//!
//! /// What the provider says that a call cost.
//! async fn settle(account: &Account, id: &str, charged: Credits) -> Result<bool, Box<dyn std::error::Error>> {
//!     let id = id.parse().map_err(|error: ParseReservationIdError| error)?;
//!     let id: ReservationId = id;
//!     Ok(account.settle(&id, charged).await?)
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let builder: AccountBuilder = Account::named("all").limit(Credits::new(100));
//! let all = builder.outage(Outage::Allow).open(InProcess::new()).await?;
//! let acme = tenant(&all, "acme").await?;
//! print_lost_calls(&acme).await?;
//! assert!(settle(&acme, "7", Credits::ZERO).await.is_err());
//! let AccountUsage { usage, lapsed, .. } = acme.usage().await?;
//! assert_eq!((usage.limit, lapsed), (Some(Credits::new(50)), 0));
//! // Before the process ends, so that the account knows what its calls have cost.
//! if let Err(FlushError { left, .. }) = all.flush(Duration::from_secs(30)).await {
//!     left.iter().for_each(|call: &Unsettled| eprintln!("not settled: {call}"));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`ClientBuilder::account`](crate::MeteredBuilder::account) makes the calls of a client draw on it.
//!
//! # Crashes
//!
//! A reservation is a lease. A worker that dies leaves it behind; when the lease ends, its amount is at risk, never free. A settlement
//! has the id of its reservation, and counts once, however often and however late it arrives. What a person has settled by then
//! ([`Account::settle`]) stays for two hours at least: a settlement that a worker makes in that time is a conflict, which is logged and counted.
//!
//! ```text
//! Account ── hold ──▶ AccountReservation ──▶ charged │ refunded │ at risk     one call
//!    └── LedgerStore: reserve · settle · usage · settle_risk, each atomic
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
mod id;
mod memory;
mod period;
mod place;
#[cfg(feature = "redis")]
mod redis;
mod reservation;
mod scope;
mod settings;
mod shared;
pub mod store;
mod usage;

pub use account::Account;
pub(crate) use asking::Denial;
pub use builder::AccountBuilder;
pub use error::{FlushError, OpenError, StoreError, Unsettled};
pub use id::{ParseReservationIdError, ReservationId};
pub use memory::InProcess;
pub use period::{Period, Window};
#[cfg(feature = "redis")]
pub use redis::RedisStore;
pub(crate) use reservation::{AccountReservation, Aftermath, ReservedRisk, Wanted};
pub use settings::Outage;
pub(crate) use store::Settlement;
pub use usage::{AccountRisk, AccountUsage, Label};
