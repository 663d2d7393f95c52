//! What a meter and the budgets of its calls say to each other: a budget grants what an attempt needs, and the attempt settles it.
#![cfg_attr(
    not(feature = "redis"),
    expect(dead_code, unreachable_pub, reason = "only an account needs all of it")
)]

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::future::BoxFuture;
use crate::interceptor::Denial;

use crate::money::budget::{AtRiskId, BudgetError, CallLabel, RefusedBy, Unrecorded};
use crate::money::credits::Credits;
use crate::money::need::Need;

/// What calls count in: a budget of this process, or an account of many.
pub(crate) trait MeteredBudget: Send + Sync {
    /// Returns why no attempt can be recorded: nothing may be sent then.
    fn check(&self) -> Result<(), Unrecorded> {
        Ok(())
    }

    /// Returns the error of a call of which no price is known; `None` without a limit.
    fn refuse_unknown(&self) -> Option<BudgetError>;

    /// Waits until the amount fits, and reserves it. `left`: time until the deadline of the call.
    fn reserve_for<'a>(
        &'a self,
        amount: Credits,
        wanted: &'a Wanted,
        left: Duration,
    ) -> BoxFuture<'a, Result<Box<dyn Reserved>, Refusal>>;

    /// Settles attempts of one call: they were charged this much together. `None`: a later attempt accounts for them. Returns whether one of
    /// them was at risk. `is_settled`: one was, in another budget. An account waits for that: it learns later whether it has them at risk.
    fn settle_lost(&self, ids: &[AtRiskId], charged: Option<Credits>, is_settled: bool) -> bool;

    /// Returns whether it has an attempt at risk. An account does not know at once.
    fn has_at_risk(&self, _id: AtRiskId) -> bool {
        false
    }

    /// Returns what settles one attempt here. It keeps no budget of this process, which would keep it.
    fn settler(&self) -> Settler;

    /// Sets what lost calls of this operation have at risk, if their price was unknown.
    fn reprice(&self, _operation: &str, _price: &dyn Fn(&str) -> Option<Credits>) {}
}

/// An amount that an attempt has reserved in one budget. If it is dropped, the amount is refunded; after `hand_over`, it is at risk.
pub(crate) trait Reserved: Send {
    fn amount(&self) -> Credits;

    /// Returns the price of the call that other processes saw.
    fn shared_price(&self) -> Option<Credits> {
        None
    }

    /// Records the attempt before it is sent, once. Returns `false` if it cannot be recorded.
    fn note(&self, _is_free: bool) -> bool {
        true
    }

    /// Returns the id that it has if it ends at risk.
    fn id(&self) -> AtRiskId;

    /// Marks the request as handed to the transport. Whoever settles it by its id, if it ends at risk, settles it `everywhere`.
    fn hand_over(&mut self, everywhere: Option<Everywhere>);

    /// Settles it. The returned future waits briefly until others know.
    fn settle(
        self: Box<Self>,
        settlement: Settlement,
        aftermath: &Aftermath,
    ) -> Option<BoxFuture<'static, ()>>;
}

/// Settles an attempt in one budget, if that has it at risk: it was charged this much.
pub(crate) type Settler = Box<dyn Fn(AtRiskId, Credits) + Send + Sync>;

/// All budgets in which one attempt has reserved, and its id in each of them.
#[derive(Clone)]
pub(crate) struct Everywhere(pub(crate) Arc<[(Settler, AtRiskId)]>);

impl Everywhere {
    pub(crate) fn settle(&self, charged: Credits) {
        for (settle, id) in self.0.iter() {
            settle(*id, charged);
        }
    }
}

impl fmt::Debug for Everywhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Everywhere").field(&self.0.len()).finish()
    }
}

/// Returns what a lost call with these arguments has at risk by now.
pub(crate) type PriceNow = Arc<dyn Fn(&str) -> Option<Credits> + Send + Sync>;

/// What an attempt needs, and which one it is.
#[derive(Clone)]
pub(crate) struct Wanted {
    pub(crate) need: Need,
    /// The line of the price list that applies.
    pub(crate) line: Option<String>,
    pub(crate) call: CallLabel,
    /// Corrects what is at risk, if the price is unknown.
    pub(crate) price_now: Option<PriceNow>,
}

/// Why nothing is reserved.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The budget is too small, and waiting does not help.
    Budget(BudgetError),
    Other(Denial),
}

impl Refusal {
    /// Returns it as a refusal of the budget of an operation.
    pub(crate) fn of_operation(self) -> Self {
        match self {
            Self::Budget(error) => Self::Budget(BudgetError {
                refused_by: RefusedBy::OperationBudget,
                ..error
            }),
            Self::Other(denial) => Self::Other(denial),
        }
    }
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

/// Information from an attempt for the other processes.
#[derive(Debug, Default)]
pub(crate) struct Aftermath {
    /// The price of a line.
    pub(crate) price: Option<(String, Credits)>,
    /// The id in the headers of the response.
    pub(crate) request_id: Option<String>,
}
