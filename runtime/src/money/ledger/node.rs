//! The book behind its lock, the waiting, and what is granted.
//!
//! Nothing that could run foreign code happens under the lock: waiters are told, woken and dropped after it is released.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::oneshot;

use super::account::{Amount, Settlement, Usage};
use super::accounts::{AccountId, Agreed};
use super::book::{Book, Decided};
use super::error::BudgetError;
use super::queue::Ticket;
use super::risks::{AtRisk, AtRiskId, CallLabel};
use crate::money::credits::Credits;

/// What a ledger and its reservations share. When the last of them goes, so does the account.
pub(super) struct Node {
    tree: Arc<Tree>,
    account: AccountId,
    /// Keeps the accounts above alive.
    parent: Option<Arc<Node>>,
}

/// One lock for all ledgers that were scoped from one another, so that checking all their limits is one step.
struct Tree {
    book: Mutex<Book<Waiter>>,
}

struct Waiter {
    node: Arc<Node>,
    verdict: oneshot::Sender<Verdict>,
}

/// A verdict that is not received takes its grant along, which refunds it.
type Verdict = Result<Grant, BudgetError>;

impl Node {
    /// The node of a ledger that is scoped from none.
    pub(super) fn root(limit: Option<Credits>) -> Self {
        let book = Mutex::new(Book::new(limit));
        Self {
            tree: Arc::new(Tree { book }),
            account: AccountId::ROOT,
            parent: None,
        }
    }

    pub(super) fn scoped(self: &Arc<Self>, limit: Credits) -> Self {
        let tree = Arc::clone(&self.tree);
        let account = tree.lock().open(self.account, limit);
        Self {
            tree,
            account,
            parent: Some(Arc::clone(self)),
        }
    }

    #[cfg(test)]
    pub(super) fn account(&self) -> AccountId {
        self.account
    }

    pub(super) fn usage(&self) -> Usage {
        self.tree.lock().usage(self.account)
    }

    pub(super) fn at_risk(&self) -> Vec<AtRisk> {
        self.tree.lock().at_risk(self.account)
    }

    pub(super) fn settle_risks(&self, calls: &[AtRiskId], charged: Credits) -> bool {
        let settled = self.tree.lock().settle_risks(self.account, calls, charged);
        settled.map(tell).is_some()
    }

    pub(super) fn raise(&self, by: Credits) {
        let decided = self.tree.lock().raise(self.account, by);
        tell(decided);
    }

    pub(super) fn reconcile(&self, charged: Credits) {
        let decided = self.tree.lock().reconcile(self.account, charged);
        tell(decided);
    }

    /// Waits for room.
    pub(super) async fn reserve(self: &Arc<Self>, ask: Amount) -> Verdict {
        loop {
            let (sender, verdict) = oneshot::channel();
            let _place = self.ask(ask, sender);
            if let Ok(verdict) = verdict.await {
                return verdict;
            }
            // The panic of another waiter's waker came before this one was told. Nothing is reserved: ask again.
        }
    }

    fn ask<'a>(self: &'a Arc<Self>, ask: Amount, verdict: oneshot::Sender<Verdict>) -> Place<'a> {
        let waiter = Waiter {
            node: Arc::clone(self),
            verdict,
        };
        let (ticket, decided) = self.tree.lock().ask(self.account, ask, waiter);
        let place = Place { node: self, ticket };
        tell(decided);
        place
    }

    fn settle(&self, agreed: &Agreed, settlement: Settlement) {
        let decided = self.tree.lock().settle(self.account, agreed, settlement);
        tell(decided);
    }

    fn risk(&self, agreed: &Agreed, call: CallLabel) -> AtRiskId {
        let (id, decided) = self.tree.lock().risk(self.account, agreed, call);
        tell(decided);
        id
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.tree.lock().close(self.account);
        // In a loop: a long chain of scopes would overflow the stack.
        let mut parent = self.parent.take();
        while let Some(mut node) = parent.and_then(Arc::into_inner) {
            parent = node.parent.take();
        }
    }
}

impl Tree {
    /// A panic under the lock would leave the sums of some accounts changed and of others not; the code there has none.
    fn lock(&self) -> MutexGuard<'_, Book<Waiter>> {
        #[cfg(test)]
        super::tests::model::switch_point();
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the queue, given up when the waiting future is dropped.
struct Place<'a> {
    node: &'a Node,
    ticket: Ticket,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let (waiter, decided) = self.node.tree.lock().withdraw(self.ticket);
        drop(waiter);
        tell(decided);
    }
}

/// What was granted to one call, in its account and in all above it.
pub(super) struct Grant {
    node: Arc<Node>,
    agreed: Agreed,
    stage: Stage,
    call: CallLabel,
    lost: Option<Lost>,
}

/// What a grant became that was dropped after it was handed over.
pub(crate) type Lost = Arc<OnceLock<AtRiskId>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Held,
    HandedOver,
    Settled,
}

impl Grant {
    fn new(node: Arc<Node>, agreed: Agreed) -> Self {
        Self {
            node,
            agreed,
            stage: Stage::Held,
            call: CallLabel::default(),
            lost: None,
        }
    }

    pub(super) fn agreed(&self) -> &Agreed {
        &self.agreed
    }

    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    pub(super) fn hand_over(&mut self) {
        self.stage = Stage::HandedOver;
    }

    pub(super) fn call(&mut self) -> &mut CallLabel {
        &mut self.call
    }

    pub(super) fn lost(&mut self) -> Lost {
        Arc::clone(self.lost.get_or_insert_default())
    }

    pub(super) fn settle(mut self, settlement: Settlement) {
        self.stage = Stage::Settled;
        self.node.settle(&self.agreed, settlement);
    }

    pub(super) fn at_risk(mut self) -> AtRiskId {
        self.stage = Stage::Settled;
        self.risk()
    }

    fn risk(&mut self) -> AtRiskId {
        self.node.risk(&self.agreed, std::mem::take(&mut self.call))
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        match self.stage {
            Stage::Held => self.node.settle(&self.agreed, Settlement::Refund),
            Stage::HandedOver => {
                let call = self.risk();
                if let Some(lost) = &self.lost {
                    lost.get_or_init(|| call);
                }
            }
            Stage::Settled => {}
        }
    }
}

/// Every verdict becomes a grant before the first waiter is woken: should a waker panic, the others are refunded and not forgotten.
fn tell(decided: impl IntoIterator<Item = Decided<Waiter>>) {
    let verdicts: Vec<_> = decided
        .into_iter()
        .map(|decided| {
            let Waiter { node, verdict } = decided.waiter;
            let grant = decided.verdict.map(|agreed| Grant::new(node, agreed));
            (verdict, grant)
        })
        .collect();
    for (sender, grant) in verdicts {
        // Not received: then it is dropped here, and what it reserved refunded.
        drop(sender.send(grant));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_goes_with_the_last_handle_of_its_ledger() {
        let root = Arc::new(Node::root(None));
        let batch = Arc::new(root.scoped(Credits::from_micros(5)));
        let account = batch.account;
        let usage = || root.tree.lock().usage(account);
        let below = Arc::clone(&batch).scoped(Credits::ZERO);
        drop(batch);
        assert_eq!(usage().limit, Some(Credits::from_micros(5)));
        drop(below);
        assert_eq!(usage(), Usage::default());
    }

    #[test]
    fn a_long_chain_of_scopes_is_dropped_without_recursion() {
        let mut node = Node::root(None);
        for _ in 0..100_000 {
            node = Arc::new(node).scoped(Credits::ZERO);
        }
        drop(node);
    }
}
