//! The scopes and the queue of calls that wait for budget, first come first served. It is synchronous and has no lock. Each change
//! returns the decided waiters, and the caller notifies them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use super::error::BudgetError;
use super::id::AtRiskId;
use super::queue::{Queue, Ticket};
use super::risks::{CallLabel, Repriced, Risk, Risks};
use super::scopes::{ScopeId, Scopes};
#[cfg(feature = "journal")]
use super::sums::Usage;
use super::sums::{Settlement, Sums};
use crate::money::credits::Credits;
use crate::money::metered_budget::Everywhere;

/// A request is decided immediately, or waits if it would fit after refunds. While one waits, there is a reservation whose settlement
/// triggers the next decision.
///
/// If a scope has too little for its first waiter, the later waiters wait too. This keeps small requests from starving a large one.
/// Waiters that draw on other scopes only are not held up.
#[derive(Debug)]
pub(super) struct Book<W> {
    pub(super) scopes: Scopes,
    queue: Queue<W>,
    pub(super) risks: Risks,
    next: u64,
}

/// A decision for one waiter. A granted amount is already reserved.
#[derive(Debug)]
#[must_use = "a granted amount stays reserved until it is settled"]
pub(super) struct Decided<W> {
    pub(super) waiter: W,
    pub(super) verdict: Verdict,
}

pub(super) type Verdict = Result<Credits, BudgetError>;

impl<W> Book<W> {
    pub(super) fn new(limit: Option<Credits>) -> Self {
        Self {
            scopes: Scopes::new(limit),
            queue: Queue::default(),
            risks: Risks::default(),
            next: 0,
        }
    }

    /// Starts with what was spent, and with these calls at risk. `None`: any amount.
    #[cfg(feature = "journal")]
    pub(super) fn resume(
        limit: Option<Credits>,
        usage: &Usage,
        calls: impl IntoIterator<Item = (CallLabel, Option<Credits>)>,
    ) -> (Self, Vec<AtRiskId>) {
        let mut book = Self::new(limit);
        let mut ids = Vec::new();
        for (call, amount) in calls {
            let id = AtRiskId::unused();
            ids.push(id);
            // The queue is empty.
            drop(book.risk(id, ScopeId::ROOT, Credits::ZERO, amount, call, None));
        }
        if let Some(root) = book.scopes.get_mut(ScopeId::ROOT) {
            root.resume(usage);
        }
        (book, ids)
    }

    /// Requests a reservation. Returns the decision, or the scope at which the request has to [wait](Self::wait).
    pub(super) fn ask(&mut self, scope: ScopeId, price: Credits) -> Result<Verdict, ScopeId> {
        if let Some(refusal) = self.scopes.refusal(scope, price) {
            return Ok(Err(refusal));
        }
        // A free call needs no budget: it is granted even if others wait or the budget is overdrawn.
        if price > Credits::ZERO {
            if let Some(at) = self.blocked(Ticket(self.next), scope, price) {
                return Err(at);
            }
            self.scopes.reserve(scope, price);
        }
        Ok(Ok(price))
    }

    /// Adds a request to the queue of a scope, behind the others. Its decision follows with a later change.
    pub(super) fn wait(
        &mut self,
        at: ScopeId,
        scope: ScopeId,
        price: Credits,
        waiter: W,
    ) -> Ticket {
        let ticket = Ticket(self.next);
        self.next = self.next.saturating_add(1);
        let chain = self.chain(scope);
        self.queue.add(ticket, (scope, price), at, chain, waiter);
        ticket
    }

    /// Removes an undecided waiter from the queue. The caller drops the returned waiter outside of the lock, because its `drop` may run
    /// foreign code.
    pub(super) fn withdraw(&mut self, ticket: Ticket) -> (Option<W>, Vec<Decided<W>>) {
        match self.queue.remove(ticket) {
            Some((waiting, at)) => (Some(waiting.waiter), self.serve([at])),
            None => (None, Vec::new()),
        }
    }

    pub(super) fn settle(
        &mut self,
        scope: ScopeId,
        reserved: Credits,
        settlement: Settlement,
    ) -> Vec<Decided<W>> {
        self.scopes.settle(scope, reserved, settlement);
        self.decide(scope)
    }

    /// Settles a reservation as at risk with this amount, and lists the call. `None`: no price is known, and nothing counts.
    pub(super) fn risk(
        &mut self,
        id: AtRiskId,
        scope: ScopeId,
        reserved: Credits,
        amount: Option<Credits>,
        call: CallLabel,
        everywhere: Option<Everywhere>,
    ) -> Vec<Decided<W>> {
        let risk = Risk {
            at: SystemTime::now(),
            call,
            chain: self.chain(scope),
            amount,
            everywhere,
        };
        self.risks.add(id, risk);
        let settlement = Settlement::Risk(amount.unwrap_or_default());
        self.settle(scope, reserved, settlement)
    }

    /// Settles the calls in `calls` that this scope has at risk; `charged` is their total charge. `None` if it has none of them.
    pub(super) fn settle_risks(
        &mut self,
        scope: ScopeId,
        calls: &[AtRiskId],
        charged: Credits,
    ) -> Option<Vec<Decided<W>>> {
        let calls = calls.iter();
        let risks = calls.filter_map(|id| self.risks.take(*id, scope));
        // Each scope, its amount at risk for these calls, and whether all their amounts are known.
        let mut sums: BTreeMap<ScopeId, (u128, bool)> = BTreeMap::new();
        for risk in risks {
            for id in risk.chain {
                let (known, is_bound) = sums.entry(id).or_insert((0, true));
                *known = known.saturating_add(risk.amount.unwrap_or_default().micros().into());
                *is_bound &= risk.amount.is_some();
            }
        }
        if sums.is_empty() {
            return None;
        }
        for (id, (known, is_bound)) in &sums {
            // A closed scope is skipped; its ancestors still count its amount.
            if let Some(scope) = self.scopes.get_mut(*id) {
                let surprise = *is_bound && u128::from(charged.micros()) > *known;
                scope.settle_risk(*known, charged, surprise);
            }
        }
        Some(self.decide_all(sums.into_keys()))
    }

    /// Settles as free what calls with the input and the idempotency key of this one have at risk: it is the same work, and accounts for it.
    /// `most`: what it has at risk itself; a greater amount stays.
    pub(super) fn replace(
        &mut self,
        call: &CallLabel,
        most: Option<Credits>,
    ) -> (Vec<AtRiskId>, Vec<Decided<W>>) {
        let same = self.risks.same_work(call, most);
        let decided = self.settle_risks(ScopeId::ROOT, &same, Credits::ZERO);
        (same, decided.unwrap_or_default())
    }

    /// Sets what calls of this operation with an unknown price have at risk to what `price` returns, which may exceed a limit. Returns the
    /// calls for which that is another amount.
    pub(super) fn reprice(
        &mut self,
        operation: &str,
        price: &dyn Fn(&str) -> Option<Credits>,
    ) -> (Vec<Repriced>, Vec<Decided<W>>) {
        let repriced = self.risks.reprice(operation, price);
        let mut changed = BTreeSet::new();
        for call in &repriced {
            for id in &call.chain {
                if let Some(scope) = self.scopes.get_mut(*id) {
                    scope.reprice(call.before, call.after);
                }
            }
            changed.extend(&call.chain);
        }
        (repriced, self.decide_all(changed))
    }

    /// Changes a scope: its limit, or whether it is frozen. Waiters that can no longer be served are refused.
    pub(super) fn change(
        &mut self,
        scope: ScopeId,
        change: impl FnOnce(&mut Sums),
    ) -> Vec<Decided<W>> {
        if let Some(sums) = self.scopes.get_mut(scope) {
            change(sums);
        }
        self.decide_all([scope])
    }

    fn chain(&self, scope: ScopeId) -> Vec<ScopeId> {
        self.scopes.chain(scope).map(|(id, _)| id).collect()
    }

    /// Returns the nearest scope that has no room for a request, or that serves an earlier waiter first.
    fn blocked(&self, ticket: Ticket, scope: ScopeId, price: Credits) -> Option<ScopeId> {
        let mut chain = self.scopes.chain(scope);
        chain
            .find(|(id, scope)| self.queue.is_held(*id, ticket) || !scope.fits(price))
            .map(|(id, _)| id)
    }

    fn decide(&mut self, scope: ScopeId) -> Vec<Decided<W>> {
        if self.queue.is_empty() {
            return Vec::new();
        }
        self.decide_all(self.chain(scope))
    }

    /// Decides what a change of these scopes allows, deeper scopes first.
    fn decide_all(&mut self, changed: impl IntoIterator<Item = ScopeId>) -> Vec<Decided<W>> {
        let mut changed: BTreeSet<ScopeId> = changed.into_iter().collect();
        let mut decided = Vec::new();
        for id in changed.clone() {
            self.refuse_hopeless(id, &mut changed, &mut decided);
        }
        decided.append(&mut self.serve(changed));
        decided
    }

    /// Refuses waiters that would not fit even if all reservations were refunded.
    fn refuse_hopeless(
        &mut self,
        id: ScopeId,
        left: &mut BTreeSet<ScopeId>,
        decided: &mut Vec<Decided<W>>,
    ) {
        while let Some((price, ticket)) = self.queue.neediest(id)
            && let Some(scope) = self.scopes.get(id)
            && !scope.fits_at_best(price)
        {
            let Some((waiting, at)) = self.queue.remove(ticket) else {
                return;
            };
            left.insert(at);
            if let Some(refusal) = self.scopes.refusal(waiting.scope, waiting.price) {
                decided.push(Decided {
                    waiter: waiting.waiter,
                    verdict: Err(refusal),
                });
            }
        }
    }

    /// Serves the waiters at these scopes, in order, as far as there is room.
    fn serve(&mut self, scopes: impl IntoIterator<Item = ScopeId>) -> Vec<Decided<W>> {
        let scopes: BTreeSet<ScopeId> = scopes.into_iter().collect();
        let mut granted = Vec::new();
        // Children first: a child has a higher id than its parent.
        for id in scopes.into_iter().rev() {
            while let Some(ticket) = self.queue.first(id)
                && let Some((scope, price)) = self.queue.get(ticket)
            {
                match self.blocked(ticket, scope, price) {
                    Some(at) if at == id => break,
                    Some(at) => self.queue.move_to(ticket, at),
                    None => {
                        let Some((waiting, _)) = self.queue.remove(ticket) else {
                            break;
                        };
                        self.scopes.reserve(scope, price);
                        granted.push(Decided {
                            waiter: waiting.waiter,
                            verdict: Ok(price),
                        });
                    }
                }
            }
        }
        granted
    }
}
