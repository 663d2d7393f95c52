//! The reservation of one call in an account.

use std::sync::Arc;
use std::time::Duration;

use super::account::Account;
use super::asking::{Asked, Asking, Denial};
use super::background::{REPEATED, Repeats, UnderWay};
use super::error::Unsettled;
use super::id::ReservationId;
use super::local_slice::LocalSlice;
use super::place::Place;
use super::scope::Scope;
use super::settings::Outage;
use super::store::{Draw, Ending, Settlement, SliceRisk};
use super::usage::Label;
use crate::money::credits::Credits;
use crate::money::need::Need;

/// How long a store may not know of a call at risk: a slice tells of it with its next report.
const UNKNOWN: Duration = Duration::from_secs(10);

/// Reservation of one attempt in an account. If dropped, the amount is given back; after `hand_over`, it is at risk.
pub(crate) struct AccountReservation {
    account: Account,
    id: ReservationId,
    from: Source,
    amount: Credits,
    wanted: Wanted,
    is_handed_over: bool,
    is_settled: bool,
    /// `flush` waits for it.
    _under_way: UnderWay,
}

/// What a call needs, and which call it is.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) need: Need,
    /// The line of the price list that applies.
    pub(crate) line: Option<String>,
    pub(crate) label: Label,
}

enum Source {
    Store {
        scopes: Arc<[Scope]>,
        shares: Vec<Credits>,
    },
    Slice(Arc<LocalSlice>),
}

/// The credits that one attempt has at risk in an account.
#[derive(Debug, Clone)]
pub(crate) struct ReservedRisk {
    account: Account,
    id: ReservationId,
}

impl ReservedRisk {
    /// Settles it, and returns at once.
    pub(crate) fn settle(&self, charged: Credits) {
        self.account.settle_soon(self.id.clone(), charged);
    }
}

/// Information from an attempt for the other processes.
#[derive(Debug, Default)]
pub(crate) struct Aftermath {
    /// True unless the attempt got a 429: failures and lost responses count too.
    pub(crate) went_through: bool,
    /// The service asked for this cool-down.
    pub(crate) cool_down: Option<Duration>,
    /// The price of a line.
    pub(crate) price: Option<(String, Credits)>,
    /// The id in the headers of the response.
    pub(crate) request_id: Option<String>,
    /// What is at risk if the charge is unknown; `None` if that has not changed since the amount was reserved.
    pub(crate) at_risk: Option<Credits>,
}

impl Account {
    /// Settles what a call has at risk, and returns at once.
    fn settle_soon(&self, id: ReservationId, charged: Credits) {
        let unsettled = Unsettled::new(&id, &Label::default());
        let (account, under_way) = (self.clone(), self.shared().background.enter(unsettled));
        self.shared().background.runtime().spawn(async move {
            let mut repeats = Repeats::new(REPEATED);
            loop {
                match account.settle(&id, charged).await {
                    Ok(true) => break,
                    // The store may not know yet that the call is at risk.
                    Ok(false) => repeats.at_most(UNKNOWN),
                    Err(_) => {}
                }
                if !repeats.again().await {
                    tracing::error!(
                        account = &*account.shared().name,
                        reservation = id.as_str(),
                        %charged,
                        "a call at risk could not be settled in the account"
                    );
                    return under_way.give_up();
                }
            }
            drop(under_way);
        });
    }

    /// Waits until the amount fits, and reserves it. `left`: time until the deadline of the call.
    pub(crate) async fn reserve(
        &self,
        wanted: Wanted,
        left: Duration,
    ) -> Result<AccountReservation, Denial> {
        let mut price = wanted.need.reserved;
        loop {
            match self.draw(price, &wanted, left).await {
                Err(Denial::Budget(error)) => {
                    price = wanted.need.less(price, error).map_err(Denial::Budget)?;
                }
                decided => return decided,
            }
        }
    }

    /// Reserves this amount. While the store is unavailable, nothing is reserved if calls go on then.
    async fn draw(
        &self,
        price: Credits,
        wanted: &Wanted,
        left: Duration,
    ) -> Result<AccountReservation, Denial> {
        let drawn = self.ask(price, wanted, left).await;
        let is_open = self.shared().settings.outage == Outage::Allow;
        match drawn {
            Err(Denial::Store(error)) if is_open && error.is_outage() => {
                tracing::warn!(
                    account = &*self.shared().name,
                    operation = wanted.label.operation,
                    %error,
                    "the store is unavailable: a call is made without a reservation in the account"
                );
                let scopes = self.levels.scopes();
                let shares = vec![price; scopes.len()];
                let from = Source::Store { scopes, shares };
                // The cost is settled under a new id: the unanswered request is abandoned.
                let id = ReservationId::unused();
                Ok(self.reserved(id, from, price, wanted))
            }
            drawn => drawn,
        }
    }

    async fn ask(
        &self,
        price: Credits,
        wanted: &Wanted,
        left: Duration,
    ) -> Result<AccountReservation, Denial> {
        let label = &wanted.label;
        if let Some(slice) = self.shared().settings.slice
            && price > Credits::ZERO
        {
            let (id, local_slice) = self
                .local_slices
                .take(&self.levels, slice, price, label)
                .await?;
            return Ok(self.reserved(id, Source::Slice(local_slice), price, wanted));
        }
        let lease = left.saturating_add(self.shared().settings.lease);
        let mut place = Place::new(&self.levels, label.clone());
        let draw = Draw::Exactly(price);
        let at_risk = wanted.need.at_risk.filter(|_| wanted.need.is_open);
        let asking = Asking::new(&self.levels, draw, label.clone(), lease);
        let mut asking = asking.of_line(wanted.line.clone(), at_risk);
        loop {
            let asked = asking.ask(price, &place.id, 1).await;
            match asked {
                Ok(Asked::Granted(granted, scopes)) => {
                    let id = place.pass_on();
                    let shares = granted.shares;
                    let from = Source::Store { scopes, shares };
                    return Ok(self.reserved(id, from, price, wanted));
                }
                Ok(Asked::Waiting) => {}
                Ok(Asked::Ended) => place = Place::new(&self.levels, label.clone()),
                Err(denial) => {
                    if !matches!(denial, Denial::Store(_)) {
                        // The store has decided, and has no record of the request.
                        place.pass_on();
                    }
                    return Err(denial);
                }
            }
        }
    }

    fn reserved(
        &self,
        id: ReservationId,
        from: Source,
        amount: Credits,
        wanted: &Wanted,
    ) -> AccountReservation {
        let unsettled = Unsettled::new(&id, &wanted.label);
        AccountReservation {
            account: self.clone(),
            _under_way: self.shared().background.enter(unsettled),
            id,
            from,
            amount,
            wanted: wanted.clone(),
            is_handed_over: false,
            is_settled: false,
        }
    }
}

impl AccountReservation {
    /// Marks the request as handed to the transport. If the hold is dropped from now on, its amount becomes at risk.
    pub(crate) fn hand_over(&mut self) {
        self.is_handed_over = true;
    }

    /// Returns the credits at risk if the attempt never reports its cost.
    pub(crate) fn risk(&self) -> ReservedRisk {
        ReservedRisk {
            account: self.account.clone(),
            id: self.id.clone(),
        }
    }

    /// Settles at once. The returned future waits briefly until the store knows.
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

    /// Ends the hold, and returns the update to send to the store.
    fn end(&mut self, settlement: Settlement, aftermath: Aftermath) -> Option<Ending> {
        let mut label = std::mem::take(&mut self.wanted.label);
        label.request_id = aftermath.request_id;
        // Only new prices are shared.
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
            Source::Slice(local_slice) => {
                let Need {
                    at_risk, is_open, ..
                } = self.wanted.need;
                let risk = SliceRisk {
                    id: self.id.clone(),
                    amount: aftermath.at_risk.or(at_risk).unwrap_or(self.amount),
                    line: self.wanted.line.take().filter(|_| is_open),
                    label: label.clone(),
                };
                local_slice.settle(self.amount, settlement, risk);
                // Everything else is sent with an unused id.
                if aftermath.cool_down.is_none() && price.is_none() {
                    return None;
                }
                (ReservationId::unused(), local_slice.scopes(), Vec::new())
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

impl Drop for AccountReservation {
    fn drop(&mut self) {
        if self.is_settled {
            return;
        }
        let settlement = if self.is_handed_over {
            Settlement::Risk
        } else {
            Settlement::Refund
        };
        if let Some(ending) = self.end(settlement, Aftermath::default()) {
            let shared = self.account.shared();
            drop(shared.background.settle(&shared.store, ending));
        }
    }
}
