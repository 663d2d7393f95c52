//! The reservation of one call in an account.

use std::sync::Arc;
use std::time::Duration;

use crate::future::BoxFuture;
use crate::interceptor::Denial as Refused;

use super::account::Account;
use super::asking::{Asked, Asking, Denial};
use super::background::{REPEATED, Repeats, UnderWay};
use super::scope::Scope;
use super::settings::Outage;
use super::store::Ending;
use crate::money::budget::{Asked as Needed, AtRiskId, BudgetError, CallLabel, RefusedBy, Usage};
use crate::money::credits::Credits;
use crate::money::metered_budget::{
    Aftermath, Everywhere, MeteredBudget, Refusal, Reserved, Settlement, Settler, Wanted,
};

/// How long a store may not know of a call at risk: its settlement may be under way.
const UNKNOWN: Duration = Duration::from_secs(10);

/// Reservation of one attempt in an account, or the request for it, which may have a place in the queue, or a lost reply. One that is dropped
/// is given up.
struct AccountReservation {
    account: Account,
    id: AtRiskId,
    scopes: Arc<[Scope]>,
    amount: Credits,
    /// The price that the other processes know.
    price: Option<Credits>,
    call: CallLabel,
    is_handed_over: bool,
    is_settled: bool,
    /// `flush` waits for what is reserved.
    under_way: Option<UnderWay>,
}

impl MeteredBudget for Account {
    fn refuse_unknown(&self) -> Option<BudgetError> {
        Some(BudgetError {
            refused_by: RefusedBy::Account(self.shown(self.path())),
            ..BudgetError::new(Needed::Unknown, Usage::default())
        })
    }

    fn reserve_for<'a>(
        &'a self,
        amount: Credits,
        wanted: &'a Wanted,
        left: Duration,
    ) -> BoxFuture<'a, Result<Box<dyn Reserved>, Refusal>> {
        Box::pin(async move {
            match self.reserve(amount, wanted, left).await {
                Ok(reservation) => Ok(Box::new(reservation) as _),
                Err(Denial::Budget(error)) => Err(Refusal::Budget(error)),
                Err(Denial::Store(error)) => Err(Refusal::Other(Refused::Refused {
                    cause: Box::new(error),
                    kind: "account",
                    is_retryable: true,
                })),
            }
        })
    }

    fn settle_lost(&self, ids: &[AtRiskId], charged: Option<Credits>, is_settled: bool) -> bool {
        if is_settled {
            // The charged attempt is unknown; any of them gives the same sums.
            let charges = [charged.unwrap_or_default()]
                .into_iter()
                .chain(std::iter::repeat(Credits::ZERO));
            for (id, charged) in ids.iter().zip(charges) {
                self.settle_soon(*id, charged);
            }
        }
        false
    }

    fn settler(&self) -> Settler {
        let account = self.clone();
        Box::new(move |id, charged| account.settle_soon(id, charged))
    }
}

impl Account {
    /// Settles what a call has at risk, and returns at once.
    fn settle_soon(&self, id: AtRiskId, charged: Credits) {
        let (account, under_way) = (self.clone(), self.shared.background.enter());
        self.shared.background.runtime().spawn(async move {
            let mut repeats = Repeats::new(REPEATED);
            loop {
                match account.settle(id, charged).await {
                    Ok(true) => break,
                    // The store may not know yet that the call is at risk.
                    Ok(false) => repeats.at_most(UNKNOWN),
                    Err(_) => {}
                }
                if !repeats.again().await {
                    tracing::error!(
                        account = &*account.shared.name,
                        reservation = %id,
                        %charged,
                        "a call at risk could not be settled in the account"
                    );
                    return under_way.end(true);
                }
            }
            drop(under_way);
        });
    }

    /// Waits until the amount fits, and reserves it. While the store is unavailable, nothing is reserved if calls go on then.
    async fn reserve(
        &self,
        amount: Credits,
        wanted: &Wanted,
        left: Duration,
    ) -> Result<AccountReservation, Denial> {
        let reserved = self.ask(amount, wanted, left).await;
        let is_open = self.shared.settings.outage == Outage::Allow;
        match reserved {
            Err(Denial::Store(error)) if is_open && error.is_outage() => {
                tracing::warn!(
                    account = &*self.shared.name,
                    operation = &*wanted.call.operation,
                    %error,
                    "the store is unavailable: a call is made without a reservation in the account"
                );
                // The cost is settled under a new id: the unanswered request is abandoned.
                let id = AtRiskId::unused();
                let scopes = self.scopes();
                Ok(self.asked(id, wanted).granted(scopes, amount, None))
            }
            reserved => reserved,
        }
    }

    async fn ask(
        &self,
        amount: Credits,
        wanted: &Wanted,
        left: Duration,
    ) -> Result<AccountReservation, Denial> {
        let lease = left.saturating_add(self.shared.settings.lease);
        let mut asked = self.asked(AtRiskId::unused(), wanted);
        let mut asking = Asking::new(self, amount, wanted, lease);
        loop {
            match asking.ask(asked.id).await {
                Ok(Asked::Granted(scopes, price)) => {
                    return Ok(asked.granted(scopes, amount, price));
                }
                Ok(Asked::Waiting) => {}
                Ok(Asked::Ended) => asked = self.asked(AtRiskId::unused(), wanted),
                Err(denial) => {
                    // A store that has decided has no record of the request, unless another one is under way.
                    asked.is_settled = !matches!(denial, Denial::Store(_)) && !asking.is_repeated;
                    return Err(denial);
                }
            }
        }
    }

    fn asked(&self, id: AtRiskId, wanted: &Wanted) -> AccountReservation {
        AccountReservation {
            account: self.clone(),
            id,
            scopes: Arc::default(),
            amount: Credits::ZERO,
            price: None,
            call: wanted.call.clone(),
            is_handed_over: false,
            is_settled: false,
            under_way: None,
        }
    }
}

impl AccountReservation {
    fn granted(mut self, scopes: Arc<[Scope]>, amount: Credits, price: Option<Credits>) -> Self {
        self.under_way = Some(self.account.shared.background.enter());
        (self.scopes, self.amount, self.price) = (scopes, amount, price);
        self
    }

    /// Ends it, and starts to tell the store. The returned future waits briefly until the store knows.
    fn end(
        &mut self,
        settlement: Settlement,
        aftermath: &Aftermath,
    ) -> impl Future<Output = ()> + use<> {
        self.is_settled = true;
        let shared = &self.account.shared;
        let ending = Ending {
            account: Arc::clone(&shared.name),
            id: self.id,
            settlement,
            scopes: Arc::clone(&self.scopes),
            amount: self.amount,
            call: CallLabel {
                request_id: aftermath.request_id.clone(),
                ..std::mem::take(&mut self.call)
            },
            price: aftermath.price.clone(),
        };
        shared.background.settle(&shared.store, ending)
    }
}

impl Reserved for AccountReservation {
    fn amount(&self) -> Credits {
        self.amount
    }

    fn shared_price(&self) -> Option<Credits> {
        self.price
    }

    fn id(&self) -> AtRiskId {
        self.id
    }

    fn hand_over(&mut self, _everywhere: Option<Everywhere>) {
        self.is_handed_over = true;
    }

    fn settle(
        mut self: Box<Self>,
        settlement: Settlement,
        aftermath: &Aftermath,
    ) -> Option<BoxFuture<'static, ()>> {
        Some(Box::pin(self.end(settlement, aftermath)))
    }
}

impl Drop for AccountReservation {
    fn drop(&mut self) {
        if self.is_settled {
            return;
        }
        if self.under_way.is_none() {
            self.scopes = self.account.scopes();
        }
        let settlement = if self.is_handed_over {
            Settlement::Risk
        } else {
            Settlement::Refund
        };
        drop(self.end(settlement, &Aftermath::default()));
    }
}
