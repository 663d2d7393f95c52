//! The storage of an account: the steps of a [`LedgerStore`], and their results. Only custom stores need them.
//!
//! This one counts the steps of another:
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! use metered_client::Credits;
//! use metered_client::account::store::{
//!     Ask, Decision, Ending, Forget, Opened, LedgerStore, Notice, Scope, Settled, Settlement, Step,
//! };
//! use metered_client::account::{Account, AccountRisk, AccountUsage, InProcess, ReservationId};
//! use tokio::sync::broadcast::Receiver;
//!
//! #[derive(Clone, Default)]
//! struct Counting {
//!     store: InProcess,
//!     granted: Arc<AtomicU64>,
//! }
//!
//! impl LedgerStore for Counting {
//!     fn reserve<'a>(&'a self, ask: &'a Ask) -> Step<'a, Decision> {
//!         Box::pin(async move {
//!             let reply = self.store.reserve(ask).await?;
//!             if let Decision::Granted(_) = &reply {
//!                 self.granted.fetch_add(1, Ordering::Relaxed);
//!             }
//!             Ok(reply)
//!         })
//!     }
//!
//!     fn settle<'a>(&'a self, ending: &'a Ending) -> Step<'a, Settled> {
//!         if ending.settlement == Settlement::Risk {
//!             println!("{} may have been charged", ending.label.operation);
//!         }
//!         self.store.settle(ending)
//!     }
//!
//!     // The rest passes everything on.
//!     fn open<'a>(&'a self, account: &'a str, path: &'a str, limit: Option<Credits>) -> Step<'a, Opened> {
//!         self.store.open(account, path, limit)
//!     }
//!
//!     fn raise<'a>(&'a self, account: &'a str, scope: &'a Scope, by: Credits) -> Step<'a, ()> {
//!         self.store.raise(account, scope, by)
//!     }
//!
//!     fn forget<'a>(&'a self, account: &'a str, what: Forget) -> Step<'a, ()> {
//!         self.store.forget(account, what)
//!     }
//!
//!     fn usage<'a>(&'a self, account: &'a str, scope: &'a Scope) -> Step<'a, AccountUsage> {
//!         self.store.usage(account, scope)
//!     }
//!
//!     fn at_risk<'a>(&'a self, account: &'a str, path: &'a str) -> Step<'a, Vec<AccountRisk>> {
//!         self.store.at_risk(account, path)
//!     }
//!
//!     fn settle_risk<'a>(&'a self, account: &'a str, id: &'a ReservationId, charged: Credits) -> Step<'a, bool> {
//!         self.store.settle_risk(account, id, charged)
//!     }
//!
//!     fn notices<'a>(&'a self, account: &'a str) -> Step<'a, Receiver<Notice>> {
//!         self.store.notices(account)
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let account = Account::named("counted").limit(Credits::new(10)).open(Counting::default()).await?;
//! # Ok(())
//! # }
//! ```

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;

use super::error::StoreError;
use super::id::ReservationId;
pub use super::scope::Scope;
use super::usage::{AccountRisk, AccountUsage, Label};
use crate::money::credits::Credits;
use crate::money::ledger::Usage;

/// The largest amount that a store counts exactly: 2^53 - 1 millionths of a credit.
pub(super) const LARGEST: Credits = Credits::from_micros((1 << 53) - 1);

/// The result of a step; an error says that it is unknown whether the step was done.
pub type Step<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Keeps the sums of accounts for many processes.
///
/// Each step is atomic, and takes the time of the store, never that of the caller. A step that is repeated with the same id has no further
/// effect and gives the same reply: callers repeat it when its reply was lost. A reservation whose lease ends without a settlement is at
/// risk from then on.
///
/// Replies may get new fields: they have constructors. New fields of requests break all stores on purpose: a store that overlooks one
/// would count wrong.
///
/// The one guarantee: a step never grants an amount with which `spent + reserved + at risk` of a scope would exceed its limit.
pub trait LedgerStore: Send + Sync + 'static {
    /// Sets the limit of a scope that has none yet.
    fn open<'a>(
        &'a self,
        account: &'a str,
        path: &'a str,
        limit: Option<Credits>,
    ) -> Step<'a, Opened>;

    /// Raises the limit of a scope.
    fn raise<'a>(&'a self, account: &'a str, scope: &'a Scope, by: Credits) -> Step<'a, ()>;

    /// Sets an amount aside in all scopes, or in none of them.
    fn reserve<'a>(&'a self, ask: &'a Ask) -> Step<'a, Decision>;

    /// Ends a reservation, or a wait for one.
    fn settle<'a>(&'a self, ending: &'a Ending) -> Step<'a, Settled>;

    /// Forgets what the processes have shared.
    fn forget<'a>(&'a self, account: &'a str, what: Forget) -> Step<'a, ()>;

    /// Returns the sums of a scope.
    fn usage<'a>(&'a self, account: &'a str, scope: &'a Scope) -> Step<'a, AccountUsage>;

    /// Returns the calls at risk of a scope, oldest first, at most 10,000.
    fn at_risk<'a>(&'a self, account: &'a str, path: &'a str) -> Step<'a, Vec<AccountRisk>>;

    /// Settles one call at risk by hand: it was charged this much, or nothing. `false` when it is not at risk.
    fn settle_risk<'a>(
        &'a self,
        account: &'a str,
        id: &'a ReservationId,
        charged: Credits,
    ) -> Step<'a, bool>;

    /// Subscribes to notices of an account. Messages may be lost: callers look again from time to time.
    fn notices<'a>(&'a self, account: &'a str) -> Step<'a, broadcast::Receiver<Notice>>;
}

/// Result of opening a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opened {
    /// The limit of the scope. `None`: there is no such scope, and no limit was given.
    pub limit: Option<Credits>,
    /// Milliseconds since 1970, by the clock of the store.
    pub now: u64,
}

impl Opened {
    /// Returns the reply with this limit at this time of the store, in milliseconds since 1970.
    pub fn new(limit: Option<Credits>, now: u64) -> Self {
        Self { limit, now }
    }
}

/// Data that an account is to forget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Forget {
    /// The prices that were seen.
    Prices,
    /// The cool-down.
    CoolDown,
}

/// A message for waiting processes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// This request may be granted now.
    Turn(ReservationId),
    /// Nothing may be sent for this long.
    CoolDown(Duration),
    /// A person ended the cool-down.
    CoolDownEnded,
}

/// A request for a reservation.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The name of the account.
    pub account: Arc<str>,
    /// The id of the request, the same for each repetition.
    pub id: ReservationId,
    /// The amount to set aside. Zero is granted at once.
    pub amount: Credits,
    /// The scopes, from the requested one up to the account.
    pub scopes: Arc<[Scope]>,
    /// How long the reservation lasts without a settlement.
    pub lease: Duration,
    /// How long a place in the queue lasts without another request.
    pub patience: Duration,
    /// The call it is for.
    pub label: Label,
    /// The line of the price list that applies, as one string.
    pub line: Option<String>,
    /// The amount at risk if the call is lost, in place of all that is reserved: its price is unknown. Once the account knows the price of
    /// the line, that is at risk.
    pub at_risk: Option<Credits>,
    /// The maximum number of reservations at once in the account.
    pub max_in_flight: Option<u32>,
}

/// Response of a store to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// It is reserved.
    Granted(Granted),
    /// There may be room later. The request has a place in the queue.
    Waiting,
    /// There would be no room even if nothing else were reserved.
    Refused {
        /// Index of the scope whose limit refuses.
        scope: usize,
        /// Its sums.
        usage: Usage,
    },
    /// The account is in a cool-down for this long.
    CoolingDown(Duration),
    /// A period is over, or has not begun. Milliseconds since 1970, by the clock of the store.
    OtherPeriod {
        /// The time now.
        now: u64,
    },
    /// This id was settled, or its lease ended.
    Ended,
}

/// An amount that is set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Granted {
    /// The price that the account knows for the line.
    pub price: Option<Credits>,
    /// Milliseconds since 1970, by the clock of the store.
    pub now: u64,
}

impl Granted {
    /// Returns the reply at this time of the store, in milliseconds since 1970. It knows no price.
    pub fn new(now: u64) -> Self {
        Self { price: None, now }
    }
}

/// The end of a reservation.
#[derive(Debug, Clone)]
pub struct Ending {
    /// The name of the account.
    pub account: Arc<str>,
    /// The reservation.
    pub id: ReservationId,
    /// How it ends.
    pub settlement: Settlement,
    /// The scopes of the reservation, from the requested one up to the account.
    pub scopes: Arc<[Scope]>,
    /// The amount that was reserved, or would have been while the store was away; zero if that is unknown.
    pub amount: Credits,
    /// The call.
    pub label: Label,
    /// True unless the attempt got a 429; a cool-down is then over.
    pub went_through: bool,
    /// The service asked for this cool-down.
    pub cool_down: Option<Duration>,
    /// The price of a line that this call showed.
    pub price: Option<(String, Credits)>,
}

/// How a reservation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// It cost nothing, and counts as no call.
    Refund,
    /// It cost this much.
    Charge(Credits),
    /// It may have been charged.
    Risk,
}

/// Result of a settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Settled {
    /// The reservation has ended.
    Now,
    /// It had ended in the same way before.
    Before,
    /// Its lease had ended. It is no longer at risk.
    Late,
    /// The store knew no such reservation. What it cost counts.
    Stray,
    /// It had ended in another way; the earlier end stays.
    Conflict,
}
