//! Requests to the store of an account, and its replies. They are public for tests of the store alone.

use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "test-util")]
use tokio::sync::broadcast;

pub use super::scope::Scope;
#[cfg(feature = "test-util")]
use crate::future::BoxFuture;
use crate::money::budget::{AtRiskId, CallLabel, Usage};
use crate::money::credits::Credits;
pub use crate::money::metered_budget::Settlement;

/// The largest amount that a store counts exactly: 2^53 - 1 millionths of a credit.
pub(super) const LARGEST: Credits = Credits::from_micros((1 << 53) - 1);

/// Result of opening a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    /// The limit of the scope. `None`: there is no such scope, and no limit was given.
    pub limit: Option<Credits>,
    /// Milliseconds since 1970, by the clock of the store.
    pub now: u64,
}

/// A request for a reservation.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The name of the account.
    pub account: Arc<str>,
    /// The id of the request, the same for each repetition.
    pub id: AtRiskId,
    /// The amount to set aside. Zero is granted at once.
    pub amount: Credits,
    /// The scopes, from the requested one up to the account.
    pub scopes: Arc<[Scope]>,
    /// How long the reservation lasts without a settlement.
    pub lease: Duration,
    /// How long a place in the queue lasts without another request.
    pub patience: Duration,
    /// The call it is for.
    pub call: CallLabel,
    /// The line of the price list that applies, as one string.
    pub line: Option<String>,
    /// The amount at risk if the call is lost, in place of all that is reserved: its price is unknown. Once the account knows the price of
    /// the line, that is at risk.
    pub at_risk: Option<Credits>,
    /// The maximum number of reservations at once in the account.
    pub max_in_flight: Option<u32>,
}

/// A change of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<'a> {
    /// The limit is raised by this much.
    Raise(Credits),
    /// The limit is lowered by this much, at most to zero.
    Lower(Credits),
    /// Nothing is reserved, for this reason.
    Freeze(&'a str),
    /// It is frozen no more.
    Thaw,
}

/// Response of a store to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It is reserved.
    Granted {
        /// The price that the account knows for the line.
        price: Option<Credits>,
        /// Milliseconds since 1970, by the clock of the store.
        now: u64,
    },
    /// There may be room later. The request has a place in the queue.
    Waiting,
    /// There would be no room even if nothing else were reserved, or a scope is frozen.
    Refused {
        /// Index of the scope that refuses.
        scope: usize,
        /// Its sums.
        usage: Usage,
        /// Why it is frozen.
        frozen: Option<String>,
    },
    /// A period is over, or has not begun. Milliseconds since 1970, by the clock of the store.
    OtherPeriod {
        /// The time now.
        now: u64,
    },
    /// This id was settled, or its lease ended.
    Ended,
}

/// The end of a reservation.
#[derive(Debug, Clone)]
pub struct Ending {
    /// The name of the account.
    pub account: Arc<str>,
    /// The reservation.
    pub id: AtRiskId,
    /// How it ends.
    pub settlement: Settlement,
    /// The scopes of the reservation, from the requested one up to the account.
    pub scopes: Arc<[Scope]>,
    /// The amount that was reserved, or would have been while the store was away; zero if that is unknown.
    pub amount: Credits,
    /// The call.
    pub call: CallLabel,
    /// The price of a line that this call showed.
    pub price: Option<(String, Credits)>,
}

/// Result of a settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// A step on its way to a simulated store.
#[cfg(feature = "test-util")]
#[derive(Debug, Clone)]
pub struct SimulatedStep {
    /// The file of its script, such as `reserve.lua`.
    pub file: &'static str,
    /// The script.
    pub code: &'static str,
    /// The prefix of all keys of the account, for the script's `KEYS`.
    pub prefix: String,
    /// The script's `ARGV`.
    pub arguments: Vec<String>,
}

/// Runs the steps of a [`RedisStore`](super::RedisStore) in place of a server, and decides what the network does to them.
#[cfg(feature = "test-util")]
pub trait Simulation: Send + Sync {
    /// Runs a step, and returns its reply. After an error, it is unknown whether the step was done.
    fn run(&self, step: SimulatedStep) -> BoxFuture<'static, Result<Vec<String>, String>>;

    /// Returns the turns of this process, as far as it receives the messages.
    fn turns(&self) -> broadcast::Receiver<AtRiskId>;
}
