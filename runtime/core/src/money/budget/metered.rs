//! A budget as the meter sees it.

use std::time::Duration;

use crate::future::BoxFuture;

use super::error::{Asked, BudgetError};
use super::handle::Budget;
use super::id::AtRiskId;
use super::node::Reservation;
use super::record::Unrecorded;
use crate::money::credits::Credits;
use crate::money::metered_budget::{
    Aftermath, Everywhere, MeteredBudget, Refusal, Reserved, Settlement, Settler, Wanted,
};

impl MeteredBudget for Budget {
    fn check(&self) -> Result<(), Unrecorded> {
        self.node().check()
    }

    fn refuse_unknown(&self) -> Option<BudgetError> {
        self.is_limited()
            .then(|| BudgetError::new(Asked::Unknown, self.usage()))
    }

    fn reserve_for<'a>(
        &'a self,
        amount: Credits,
        wanted: &'a Wanted,
        _left: Duration,
    ) -> BoxFuture<'a, Result<Box<dyn Reserved>, Refusal>> {
        Box::pin(async move {
            let mut reserved = self.node().reserve(amount).await.map_err(Refusal::Budget)?;
            reserved.at_risk = wanted.need.at_risk;
            reserved.call.clone_from(&wanted.call);
            reserved.price_now.clone_from(&wanted.price_now);
            Ok(Box::new(reserved) as _)
        })
    }

    fn settle_lost(&self, ids: &[AtRiskId], charged: Option<Credits>, _is_settled: bool) -> bool {
        self.node().settle_risks(ids, charged)
    }

    fn has_at_risk(&self, id: AtRiskId) -> bool {
        let node = self.node();
        node.tree.lock().risks.get(id, node.scope).is_some()
    }

    fn settler(&self) -> Settler {
        self.node().settler()
    }

    fn reprice(&self, operation: &str, price: &dyn Fn(&str) -> Option<Credits>) {
        self.node().reprice(operation, price);
    }
}

impl Reserved for Reservation {
    fn amount(&self) -> Credits {
        self.amount
    }

    fn note(&self, is_free: bool) -> bool {
        Self::note(self, is_free)
    }

    fn id(&self) -> AtRiskId {
        self.id
    }

    fn hand_over(&mut self, everywhere: Option<Everywhere>) {
        Self::hand_over(self);
        self.everywhere = everywhere;
    }

    fn settle(
        mut self: Box<Self>,
        settlement: Settlement,
        aftermath: &Aftermath,
    ) -> Option<BoxFuture<'static, ()>> {
        self.call.request_id.clone_from(&aftermath.request_id);
        match settlement {
            Settlement::Refund => self.refund(),
            Settlement::Charge(credits) => _ = self.charged(credits),
            Settlement::Risk => _ = self.at_risk(),
        }
        None
    }
}
