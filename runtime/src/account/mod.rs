//! One budget for many processes: an account in a store that all of them reach.
//!
//! A [`Ledger`](crate::Ledger) bounds what one process spends. An [`Account`] bounds what all processes with the same account spend
//! together: a call then needs room in both. The account is kept by a [`LedgerStore`]: [`InProcess`] for one process and for tests, and
//! with the feature `redis` `RedisStore`.
//!
//! ```
//! use metered_client::account::{Account, InProcess};
//! use metered_client::Credits;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let account = Account::named("enrichment")
//!     .limit(Credits::new(1000))
//!     .open(InProcess::new())
//!     .await?;
//! assert_eq!(account.usage().await?.usage.limit, Some(Credits::new(1000)));
//! # Ok(())
//! # }
//! ```
//!
//! [`ClientBuilder::account`](crate::ClientBuilder::account) makes the calls of a client draw on it.
//!
//! # Crashes
//!
//! A reservation is a lease. A worker that dies leaves it behind; when the lease ends, its amount is at risk, never free. A settlement
//! has the id of its reservation, and counts once, however often and however late it arrives. What a person has settled in the meantime
//! ([`Account::settle`], [`Account::reconcile`]) stays: the worker's settlement is a conflict, which is logged and counted.
//!
//! ```text
//! Account ── hold ──▶ Hold ──▶ charged │ refunded │ at risk     one call
//!    │                  └── Purse: a slice of the account that one process spends from
//!    └── LedgerStore: reserve · settle · report · usage · reconcile, each atomic
//! ```

#[expect(clippy::module_inception, reason = "the room has the name of its type")]
mod account;
mod asking;
mod background;
mod builder;
mod error;
mod hold;
mod id;
mod memory;
mod period;
mod purse;
#[cfg(feature = "redis")]
mod redis;
mod scope;
mod settings;
mod shared;
mod store;

pub use account::Account;
pub(crate) use asking::Denial;
pub use builder::AccountBuilder;
pub use error::{OpenError, StoreError};
pub(crate) use hold::{Aftermath, Hold};
pub use id::{ParseReservationIdError, ReservationId};
pub use memory::InProcess;
pub use period::Period;
#[cfg(feature = "redis")]
pub use redis::RedisStore;
pub use scope::{Scope, Window};
pub use settings::Outage;
pub use store::{
    AccountRisk, AccountUsage, Answer, Ask, Draw, Ending, Granted, Label, LedgerStore, News,
    Report, Reported, Settled, Settlement, SliceRisk, Step,
};
