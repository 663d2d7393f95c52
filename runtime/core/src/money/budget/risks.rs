//! The list of calls at risk; each can be settled on its own.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use super::id::AtRiskId;
use super::scopes::ScopeId;
use crate::money::credits::Credits;
use crate::money::metered_budget::Everywhere;

/// How many calls at risk are listed. Older ones are only in the sums of their scopes.
pub(super) const LISTED: usize = 10_000;

/// A call that may have been charged: its outcome is unknown.
///
/// [`Budget::settle`](crate::Budget::settle) ends it, or `Account::settle`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AtRisk {
    /// The id to pass to [`Budget::settle`](crate::Budget::settle).
    pub id: AtRiskId,
    /// What the call may have cost: its price; of a call of unknown price, the price that was expected. `None` if nothing was known.
    pub amount: Option<Credits>,
    /// When the outcome became unknown.
    pub at: SystemTime,
    /// The call.
    pub call: CallLabel,
    /// True in an account if the worker of the call did not settle it in time.
    pub is_lapsed: bool,
}

/// Names a call in [`Budget::at_risk`](crate::Budget::at_risk), for a person who looks it up in the provider's account.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CallLabel {
    /// The operation, by its `operationId`.
    pub operation: Cow<'static, str>,
    /// Number of the attempt, from 1 on.
    pub attempt: u32,
    /// The request id from `X-Request-Id` or a similar response header.
    pub request_id: Option<String>,
    /// The idempotency key of the call, if the operation has one.
    pub idempotency_key: Option<String>,
    /// What the call is for, if it is a call of a journal.
    pub input: Option<Arc<str>>,
    /// The arguments that affect its price, if that was unknown when it was reserved: they decide the amount at risk.
    pub(crate) unpriced: Option<String>,
}

/// `listThings, attempt 1, request 5f3a`
impl fmt::Display for CallLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, attempt {}", self.operation, self.attempt)?;
        match &self.request_id {
            Some(id) => write!(f, ", request {id}"),
            None => Ok(()),
        }
    }
}

/// The list, in the order in which the calls have reserved.
#[derive(Debug, Default)]
pub(super) struct Risks {
    entries: BTreeMap<AtRiskId, Risk>,
}

/// The amount of a call before and after its price was seen.
pub(super) struct Repriced {
    pub(super) id: AtRiskId,
    pub(super) chain: Vec<ScopeId>,
    pub(super) before: Credits,
    pub(super) after: Credits,
}

#[derive(Debug)]
pub(super) struct Risk {
    pub(super) at: SystemTime,
    pub(super) call: CallLabel,
    /// From the scope that was asked up to the root.
    pub(super) chain: Vec<ScopeId>,
    /// The amount in each of them. `None`: no price was known.
    pub(super) amount: Option<Credits>,
    /// The budgets that have it at risk, if there are others.
    pub(super) everywhere: Option<Everywhere>,
}

impl Risk {
    fn is_of(&self, scope: ScopeId) -> bool {
        self.chain.binary_search_by(|id| scope.cmp(id)).is_ok()
    }

    fn is_same_work(&self, call: &CallLabel) -> bool {
        self.call.idempotency_key == call.idempotency_key
            && self.call.operation == call.operation
            && self.call.input == call.input
    }
}

impl Risks {
    /// Adds a call at risk. The oldest goes where there are too many.
    pub(super) fn add(&mut self, id: AtRiskId, risk: Risk) {
        if self.entries.len() >= LISTED {
            self.entries.pop_first();
        }
        self.entries.insert(id, risk);
    }

    /// Returns the listed calls at risk of one scope.
    pub(super) fn of(&self, scope: ScopeId) -> Vec<AtRisk> {
        let own = self.entries.iter().filter(|(_, risk)| risk.is_of(scope));
        own.map(|(id, risk)| AtRisk {
            id: *id,
            amount: risk.amount,
            at: risk.at,
            call: risk.call.clone(),
            is_lapsed: false,
        })
        .collect()
    }

    /// Returns the calls with the operation, the input and the idempotency key of this one, and at most this much at risk.
    pub(super) fn same_work(&self, call: &CallLabel, most: Option<Credits>) -> Vec<AtRiskId> {
        if call.idempotency_key.is_none() {
            return Vec::new();
        }
        let same = self.entries.iter().filter(|(_, risk)| {
            let amount = risk.amount.unwrap_or_default();
            risk.is_same_work(call) && most.is_none_or(|most| amount <= most)
        });
        same.map(|(id, _)| *id).collect()
    }

    /// Sets the amounts of the calls of this operation whose price was unknown. Returns those that have changed.
    pub(super) fn reprice(
        &mut self,
        operation: &str,
        price: &dyn Fn(&str) -> Option<Credits>,
    ) -> Vec<Repriced> {
        let mut repriced = Vec::new();
        for (id, risk) in &mut self.entries {
            let arguments = risk.call.unpriced.as_deref();
            let arguments = arguments.filter(|_| risk.call.operation == operation);
            let Some(after) = arguments.and_then(price) else {
                continue;
            };
            let before = risk.amount.replace(after);
            if before != Some(after) {
                repriced.push(Repriced {
                    id: *id,
                    chain: risk.chain.clone(),
                    before: before.unwrap_or_default(),
                    after,
                });
            }
        }
        repriced
    }

    /// Returns an entry of the list, if this scope has it.
    pub(super) fn get(&self, id: AtRiskId, scope: ScopeId) -> Option<&Risk> {
        self.entries.get(&id).filter(|risk| risk.is_of(scope))
    }

    /// Takes an entry off the list, if this scope has it.
    pub(super) fn take(&mut self, id: AtRiskId, scope: ScopeId) -> Option<Risk> {
        self.get(id, scope)?;
        self.entries.remove(&id)
    }
}
