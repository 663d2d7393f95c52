//! The reservation of one call in an account.

use std::sync::Arc;
use std::time::Duration;

use super::account::Account;
use super::asking::{Asked, Asking, Denial};
use super::background::{REPEATED, Repeats, UnderWay};
use super::error::Unsettled;
use super::id::ReservationId;
use super::place::Place;
use super::scope::Scope;
use super::settings::Outage;
use super::store::{Ending, Settlement};
use super::usage::Label;
use crate::money::credits::Credits;
use crate::money::need::Need;

/// How long a store may not know of a call at risk: its settlement may be under way.
const UNKNOWN: Duration = Duration::from_secs(10);

/// Reservation of one attempt in an account. If dropped, the amount is given back; after `hand_over`, it is at risk.
pub(crate) struct AccountReservation {
    account: Account,
    id: ReservationId,
    scopes: Arc<[Scope]>,
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
                // The cost is settled under a new id: the unanswered request is abandoned.
                let id = ReservationId::unused();
                Ok(self.reserved(id, scopes, price, wanted))
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
        let lease = left.saturating_add(self.shared().settings.lease);
        let mut place = Place::new(&self.levels, label.clone());
        let mut asking = Asking::new(&self.levels, price, wanted, lease);
        loop {
            match asking.ask(&place.id).await {
                Ok(Asked::Granted(scopes)) => {
                    return Ok(self.reserved(place.pass_on(), scopes, price, wanted));
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
        scopes: Arc<[Scope]>,
        amount: Credits,
        wanted: &Wanted,
    ) -> AccountReservation {
        let unsettled = Unsettled::new(&id, &wanted.label);
        AccountReservation {
            account: self.clone(),
            _under_way: self.shared().background.enter(unsettled),
            id,
            scopes,
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
        shared.background.settle(&shared.store, ending)
    }

    /// Ends the hold, and returns the update to send to the store.
    fn end(&mut self, settlement: Settlement, aftermath: Aftermath) -> Ending {
        let mut label = std::mem::take(&mut self.wanted.label);
        label.request_id = aftermath.request_id;
        // Only new prices are shared.
        let price = aftermath.price.filter(|(line, price)| {
            let shared = self.account.shared();
            let is_new = shared.price_of(line) != Some(*price);
            shared.learn(line, *price);
            is_new
        });
        Ending {
            account: Arc::clone(&self.account.shared().name),
            id: self.id.clone(),
            settlement,
            scopes: Arc::clone(&self.scopes),
            amount: self.amount,
            label,
            went_through: aftermath.went_through,
            cool_down: aftermath.cool_down,
            price,
        }
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
        let ending = self.end(settlement, Aftermath::default());
        let shared = self.account.shared();
        drop(shared.background.settle(&shared.store, ending));
    }
}
