//! What one call holds of an account.

use std::sync::Arc;
use std::time::Duration;

use super::account::Account;
use super::asking::{Asked, Asking, Denial};
use super::background::UnderWay;
use super::error::Unsettled;
use super::id::ReservationId;
use super::place::Place;
use super::purse::Purse;
use super::scope::Scope;
use super::settings::Outage;
use super::store::{Draw, Ending, Settlement};
use super::usage::Label;
use crate::money::credits::Credits;
use crate::money::ledger::Amount;

/// What one attempt of a call has set aside in an account. If it is dropped, the amount is given back, or at risk after `hand_over`.
pub(crate) struct Hold {
    account: Account,
    id: ReservationId,
    from: Source,
    amount: Credits,
    label: Label,
    is_handed_over: bool,
    is_settled: bool,
    /// `flush` waits for it.
    _under_way: UnderWay,
}

enum Source {
    Store {
        scopes: Arc<[Scope]>,
        shares: Vec<Credits>,
    },
    Slice(Arc<Purse>),
}

/// What one attempt has at risk in an account.
#[derive(Debug, Clone)]
pub(crate) struct HeldRisk {
    account: Account,
    id: ReservationId,
}

impl HeldRisk {
    /// Settles it, and returns at once.
    pub(crate) fn settle(&self, charged: Credits) {
        self.account.settle_soon(self.id.clone(), charged);
    }
}

/// What an attempt tells the other processes.
#[derive(Debug, Default)]
pub(crate) struct Aftermath {
    /// Whether the service took the call.
    pub(crate) went_through: bool,
    /// The service asked for this cool-down.
    pub(crate) cool_down: Option<Duration>,
    /// The price of a line.
    pub(crate) price: Option<(String, Credits)>,
    /// The id in the headers of the response.
    pub(crate) request_id: Option<String>,
}

impl Account {
    /// Waits until the amount fits, and sets it aside. `left`: until the deadline of the call.
    pub(crate) async fn hold(
        &self,
        amount: Amount,
        line: Option<String>,
        label: Label,
        left: Duration,
    ) -> Result<Hold, Denial> {
        let draw = match amount {
            Amount::Exactly(price) => Draw::Exactly(price),
            Amount::AllThatIsLeft => Draw::AllThatIsLeft,
            Amount::UpTo(bound) => {
                let whole = Draw::Exactly(bound);
                match self.draw(whole, amount, line.clone(), &label, left).await {
                    // No store knows an estimate: what is left takes a request of its own, and is that of all scopes.
                    Err(Denial::Budget(_)) => Draw::AllThatIsLeft,
                    decided => return decided,
                }
            }
        };
        self.draw(draw, amount, line, &label, left).await
    }

    /// Sets aside what is drawn for this amount. While the store is away nothing is, if calls go on then.
    async fn draw(
        &self,
        draw: Draw,
        amount: Amount,
        line: Option<String>,
        label: &Label,
        left: Duration,
    ) -> Result<Hold, Denial> {
        let drawn = self.ask(draw, amount, line, label.clone(), left).await;
        let is_open = self.shared().settings.outage == Outage::Allow;
        match drawn {
            Err(Denial::Store(error)) if is_open && error.is_outage() => {
                tracing::warn!(
                    account = &*self.shared().name,
                    operation = label.operation,
                    %error,
                    "the store is away: a call is made without a reservation in the account"
                );
                let bound = match draw {
                    Draw::Exactly(price) => price,
                    _ => Credits::ZERO,
                };
                let scopes = self.levels.scopes();
                let shares = vec![bound; scopes.len()];
                let from = Source::Store { scopes, shares };
                // What it costs counts by itself: the request that had no reply is given up.
                let id = ReservationId::unused();
                Ok(self.held(id, from, bound, label.clone()))
            }
            drawn => drawn,
        }
    }

    async fn ask(
        &self,
        draw: Draw,
        amount: Amount,
        line: Option<String>,
        label: Label,
        left: Duration,
    ) -> Result<Hold, Denial> {
        if let (Some(slice), Draw::Exactly(price)) = (self.shared().settings.slice, draw)
            && price > Credits::ZERO
        {
            let (id, purse) = self.purses.take(&self.levels, slice, price, &label).await?;
            return Ok(self.held(id, Source::Slice(purse), price, label));
        }
        let lease = left.saturating_add(self.shared().settings.lease);
        let mut place = Place::new(&self.levels, label.clone());
        let mut asking = Asking::new(&self.levels, draw, line, label.clone(), lease);
        loop {
            let asked = asking.ask(amount, &place.id, 1).await;
            match asked {
                Ok(Asked::Granted(granted, scopes)) => {
                    let id = place.pass_on();
                    let least = granted.shares.iter().min().copied();
                    let shares = granted.shares;
                    let from = Source::Store { scopes, shares };
                    return Ok(self.held(id, from, least.unwrap_or_default(), label));
                }
                Ok(Asked::Waiting) => {}
                Ok(Asked::Ended) => place = Place::new(&self.levels, label.clone()),
                Err(denial) => {
                    if !matches!(denial, Denial::Store(_)) {
                        // The store has decided, and keeps nothing of it.
                        place.pass_on();
                    }
                    return Err(denial);
                }
            }
        }
    }

    fn held(&self, id: ReservationId, from: Source, amount: Credits, label: Label) -> Hold {
        let unsettled = Unsettled::new(&id, &label);
        Hold {
            account: self.clone(),
            _under_way: self.shared().background.enter(unsettled),
            id,
            from,
            amount,
            label,
            is_handed_over: false,
            is_settled: false,
        }
    }
}

impl Hold {
    /// Marks the request as handed to the transport. If the hold is dropped from now on, its amount becomes at risk.
    pub(crate) fn hand_over(&mut self) {
        self.is_handed_over = true;
    }

    /// What is at risk if the attempt never says what it cost.
    pub(crate) fn risk(&self) -> HeldRisk {
        HeldRisk {
            account: self.account.clone(),
            id: self.id.clone(),
        }
    }

    /// Settles at once. What it returns waits a moment until the store knows.
    pub(crate) fn settle(
        mut self,
        settlement: Settlement,
        aftermath: Aftermath,
    ) -> impl Future<Output = ()> + use<> {
        self.is_settled = true;
        let ending = self.end(settlement, aftermath);
        let shared = self.account.shared();
        let settling = ending.map(|ending| shared.background.settle(&shared.store, ending));
        async {
            if let Some(settling) = settling {
                settling.await;
            }
        }
    }

    /// What the store is to be told now.
    fn end(&mut self, settlement: Settlement, aftermath: Aftermath) -> Option<Ending> {
        let mut label = std::mem::take(&mut self.label);
        label.request_id = aftermath.request_id;
        // What the others know already is not told again.
        let price = aftermath.price.filter(|(line, price)| {
            let shared = self.account.shared();
            let is_new = shared.price_of(line) != Some(*price);
            shared.learn(line, *price);
            is_new
        });
        let (id, scopes, shares) = match &mut self.from {
            Source::Store { scopes, shares } => {
                (self.id.clone(), Arc::clone(scopes), std::mem::take(shares))
            }
            Source::Slice(purse) => {
                purse.settle(&self.id, self.amount, settlement, label.clone());
                // What else it tells is said with a request that never was one.
                if aftermath.cool_down.is_none() && price.is_none() {
                    return None;
                }
                (ReservationId::unused(), purse.scopes(), Vec::new())
            }
        };
        let is_sliced = matches!(self.from, Source::Slice(_));
        Some(Ending {
            account: Arc::clone(&self.account.shared().name),
            id,
            settlement: if is_sliced {
                Settlement::Refund
            } else {
                settlement
            },
            scopes,
            shares,
            label,
            went_through: aftermath.went_through,
            cool_down: aftermath.cool_down,
            price,
        })
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if self.is_settled {
            return;
        }
        let settlement = match self.is_handed_over {
            true => Settlement::Risk,
            false => Settlement::Refund,
        };
        if let Some(ending) = self.end(settlement, Aftermath::default()) {
            let shared = self.account.shared();
            drop(shared.background.settle(&shared.store, ending));
        }
    }
}
