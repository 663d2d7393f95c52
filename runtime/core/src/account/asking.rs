//! Asking a store for a reservation until it is decided.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

use super::account::Account;
use super::background::Repeats;
use super::error::StoreError;
use super::scope::Scope;
use super::store::{Ask, Decision};
use crate::money::budget::{Asked as Needed, AtRiskId, BudgetError, RefusedBy};
use crate::money::credits::Credits;
use crate::money::metered_budget::Wanted;

/// How often a waiting request asks again without a notice.
const POLL: Duration = Duration::from_millis(500);
/// How long a place in the queue lasts without another request.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long a store may be away before a call that wants to reserve fails.
const AWAY: Duration = Duration::from_secs(2);

/// Why nothing is reserved.
#[derive(Debug)]
pub(crate) enum Denial {
    /// The budget is too small, and waiting does not help.
    Budget(BudgetError),
    /// The store failed.
    Store(StoreError),
}

/// A request that is repeated until it is decided.
pub(super) struct Asking<'a> {
    account: &'a Account,
    amount: Credits,
    wanted: &'a Wanted,
    lease: Duration,
    turn: Option<(AtRiskId, Arc<Notify>)>,
    /// A reply was lost, so a request may still be under way.
    pub(super) is_repeated: bool,
}

/// Result of asking the store once.
pub(super) enum Asked {
    /// The amount is reserved in these scopes. The other processes know this price of the call.
    Granted(Arc<[Scope]>, Option<Credits>),
    /// Not decided yet; the caller may check whether it still needs a decision.
    Waiting,
    Ended,
}

impl<'a> Asking<'a> {
    pub(super) fn new(
        account: &'a Account,
        amount: Credits,
        wanted: &'a Wanted,
        lease: Duration,
    ) -> Self {
        Self {
            account,
            amount,
            wanted,
            lease,
            turn: None,
            is_repeated: false,
        }
    }

    /// Asks once, and waits for the next notice if there is no room yet.
    pub(super) async fn ask(&mut self, id: AtRiskId) -> Result<Asked, Denial> {
        let shared = &self.account.shared;
        let Wanted {
            need, line, call, ..
        } = self.wanted;
        let ask = Ask {
            account: Arc::clone(&shared.name),
            id,
            amount: self.amount,
            scopes: self.account.scopes(),
            lease: self.lease,
            patience: PATIENCE,
            call: call.clone(),
            line: line.clone(),
            at_risk: need.at_risk.filter(|_| need.is_open),
            max_in_flight: shared.settings.max_in_flight,
        };
        match self.reply(&ask).await.map_err(Denial::Store)? {
            Decision::Granted { price, now } => {
                shared.set_clock(now);
                Ok(Asked::Granted(ask.scopes, price))
            }
            Decision::Waiting => {
                match &self.turn {
                    Some((of, turn)) if *of == id => _ = timeout(POLL, turn.notified()).await,
                    // A notice that arrived before this is seen by the next request.
                    _ => self.turn = Some((id, shared.await_turn(id))),
                }
                Ok(Asked::Waiting)
            }
            Decision::Refused {
                scope,
                usage,
                frozen,
            } => {
                let path = ask.scopes.get(scope).map(|scope| &*scope.path);
                Err(Denial::Budget(BudgetError {
                    levels_up: scope,
                    refused_by: RefusedBy::Account(self.account.shown(path.unwrap_or_default())),
                    frozen,
                    ..BudgetError::new(Needed::Price(self.amount), usage)
                }))
            }
            Decision::OtherPeriod { now } => {
                shared.set_clock(now);
                let scopes = self.account.scopes();
                let windows = scopes.iter().filter_map(|scope| scope.window.as_ref());
                if windows.clone().all(|window| window.has(shared.now())) {
                    Ok(Asked::Waiting)
                } else {
                    Err(Denial::Store(StoreError::refusal(
                        "the period of the account returned a window that does not contain the time",
                    )))
                }
            }
            Decision::Ended => Ok(Asked::Ended),
        }
    }

    /// Asks the store, and again with the same id if the reply is lost.
    async fn reply(&mut self, ask: &Ask) -> Result<Decision, StoreError> {
        let mut repeats = Repeats::new(AWAY);
        loop {
            match self.account.shared.store.reserve(ask).await {
                Ok(reply) => return Ok(reply),
                Err(error) if !repeats.again().await => return Err(error),
                Err(_) => self.is_repeated = true,
            }
        }
    }
}
