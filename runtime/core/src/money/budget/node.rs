//! The locked `Book`, waiting for budget, and granted reservations.
//!
//! No foreign code runs under the lock: waiters are notified and dropped after it is released. A recorder has a lock of its own, which is
//! taken before that of the book and released before waiters are notified: entries have the order of the changes.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use tokio::sync::oneshot;

use super::book::{self, Book, Decided};
use super::error::BudgetError;
use super::id::AtRiskId;
use super::queue::Ticket;
use super::record::{Entry, Recorder, Sent, Unrecorded};
use super::risks::CallLabel;
use super::scopes::ScopeId;
use super::sums::{Settlement, Sums};
use crate::lock::lock;
use crate::money::credits::Credits;
use crate::money::metered_budget::{Everywhere, PriceNow, Settler};

/// State that a budget and its reservations share. The scope is removed when the last of them is dropped.
pub(super) struct Node {
    pub(super) tree: Arc<Tree>,
    pub(super) scope: ScopeId,
    /// Keeps the scopes above alive.
    parent: Option<Arc<Node>>,
}

/// One lock for all budgets that were scoped from one another, so that checking all their limits is one step.
pub(super) struct Tree {
    book: Mutex<Book<Waiter>>,
    recorder: OnceLock<Box<dyn Recorder>>,
    /// Held from a change of the book until it is recorded.
    recording: Mutex<()>,
}

/// The recorder of a tree, while no other change is recorded.
struct Recording<'a> {
    recorder: &'a dyn Recorder,
    _others_wait: MutexGuard<'a, ()>,
}

pub(super) struct Waiter {
    node: Arc<Node>,
    verdict: oneshot::Sender<Verdict>,
}

/// If the result is never received, its grant is dropped, and thereby refunded.
type Verdict = Result<Reservation, BudgetError>;

impl Node {
    /// Returns the node of a root budget.
    pub(super) fn root(book: Book<Waiter>) -> Self {
        Self {
            tree: Arc::new(Tree {
                book: Mutex::new(book),
                recorder: OnceLock::new(),
                recording: Mutex::default(),
            }),
            scope: ScopeId::ROOT,
            parent: None,
        }
    }

    pub(super) fn scoped(self: &Arc<Self>, limit: Option<Credits>) -> Self {
        let tree = Arc::clone(&self.tree);
        let scope = tree.lock().scopes.open(self.scope, limit);
        Self {
            tree,
            scope,
            parent: Some(Arc::clone(self)),
        }
    }

    /// Settles a call at risk here, and in the other budgets of its client.
    pub(super) fn settle_everywhere(&self, id: AtRiskId, charged: Credits) -> bool {
        let book = self.tree.lock();
        let risk = book.risks.get(id, self.scope);
        let everywhere = risk.and_then(|risk| risk.everywhere.clone());
        drop(book);
        let is_settled = self.settle_risks(&[id], Some(charged));
        if is_settled && let Some(everywhere) = everywhere {
            everywhere.settle(charged);
        }
        is_settled
    }

    /// Settles calls at risk. `None`: a later attempt with their idempotency key accounts for them.
    pub(super) fn settle_risks(&self, calls: &[AtRiskId], charged: Option<Credits>) -> bool {
        self.tree.settle_risks(self.scope, calls, charged)
    }

    /// Returns what settles a call at risk, as long as a budget of this root is kept.
    pub(super) fn settler(&self) -> Settler {
        let tree = Arc::downgrade(&self.tree);
        Box::new(move |id, charged| {
            if let Some(tree) = tree.upgrade() {
                tree.settle_risks(ScopeId::ROOT, &[id], Some(charged));
            }
        })
    }

    /// Returns why no attempt can be recorded.
    pub(super) fn check(&self) -> Result<(), Unrecorded> {
        let recorder = self.tree.recorder.get();
        recorder.map_or(Ok(()), |recorder| recorder.check())
    }

    /// Reprices calls at risk of all budgets with the same root. `price` runs under the lock, so that the last one to compute a price is the
    /// last one to set it: it must not use a budget.
    pub(super) fn reprice(&self, operation: &str, price: &dyn Fn(&str) -> Option<Credits>) {
        let recording = self.tree.recording();
        let (repriced, decided) = self.tree.lock().reprice(operation, price);
        for call in &repriced {
            record(recording.as_ref(), || Entry::Repriced(call.id, call.after));
        }
        drop(recording);
        tell(decided);
    }

    /// Passes each later entry to this recorder, unless there is one.
    #[cfg(feature = "journal")]
    pub(super) fn record_to(&self, recorder: Box<dyn Recorder>) {
        _ = self.tree.recorder.set(recorder);
    }

    /// Changes the limit, or whether the budget is frozen.
    pub(super) fn change(&self, change: impl FnOnce(&mut Sums)) {
        let decided = self.tree.lock().change(self.scope, change);
        tell(decided);
    }

    /// Waits until the amount fits, and reserves it.
    pub(super) async fn reserve(self: &Arc<Self>, price: Credits) -> Verdict {
        loop {
            let (_place, verdict) = match self.ask(price) {
                Ok(verdict) => {
                    return verdict.map(|amount| Reservation::new(Arc::clone(self), amount));
                }
                Err(waiting) => waiting,
            };
            if let Ok(verdict) = verdict.await {
                return verdict;
            }
            // Another waiter's waker panicked before this one was notified. Nothing is reserved: request again.
        }
    }

    /// Requests an amount. Returns the decision, or a place in the queue, and what receives the decision there.
    fn ask(
        self: &Arc<Self>,
        price: Credits,
    ) -> Result<book::Verdict, (Place<'_>, oneshot::Receiver<Verdict>)> {
        let mut book = self.tree.lock();
        let at = match book.ask(self.scope, price) {
            Ok(verdict) => return Ok(verdict),
            Err(at) => at,
        };
        let (sender, verdict) = oneshot::channel();
        let waiter = Waiter {
            node: Arc::clone(self),
            verdict: sender,
        };
        let ticket = book.wait(at, self.scope, price, waiter);
        Err((Place { node: self, ticket }, verdict))
    }

    pub(super) fn settle(&self, grant: &Reservation, settlement: Settlement) {
        let charged = match settlement {
            Settlement::Charge(charged) => Some(charged),
            Settlement::Refund | Settlement::Risk(_) => None,
        };
        let recording = self.tree.recording();
        let mut book = self.tree.lock();
        let (replaced, mut decided) = if charged > Some(Credits::ZERO) {
            book.replace(&grant.call, None)
        } else {
            (Vec::new(), Vec::new())
        };
        decided.append(&mut book.settle(self.scope, grant.amount, settlement));
        drop(book);
        record_replaced(recording.as_ref(), &replaced);
        match (charged, grant.noted()) {
            (Some(Credits::ZERO), Noted::Free) | (None, Noted::Free | Noted::Not) => {}
            (Some(charged), _) => {
                record(recording.as_ref(), || Entry::Charged(grant.sent(), charged));
            }
            (None, Noted::Number(number)) => {
                record(recording.as_ref(), || Entry::Refunded(number));
            }
        }
        drop(recording);
        tell(decided);
    }

    fn risk(&self, grant: &Reservation, is_recorded: bool) {
        let (id, call) = (grant.id, grant.call.clone());
        let recording = self.tree.recording();
        let mut book = self.tree.lock();
        // Under the lock, as in `reprice`.
        let at_risk = grant.price_now().or(grant.at_risk);
        let (replaced, mut decided) = book.replace(&call, Some(at_risk.unwrap_or_default()));
        let everywhere = grant.everywhere.clone();
        decided.append(&mut book.risk(id, self.scope, grant.amount, at_risk, call, everywhere));
        drop(book);
        record_replaced(recording.as_ref(), &replaced);
        if is_recorded {
            let sent = Sent {
                at_risk,
                ..grant.sent()
            };
            record(recording.as_ref(), || Entry::AtRisk(sent, id));
        }
        drop(recording);
        tell(decided);
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.tree.lock().scopes.close(self.scope);
        // In a loop: a long chain of scopes would overflow the stack.
        let mut parent = self.parent.take();
        while let Some(mut node) = parent.and_then(Arc::into_inner) {
            parent = node.parent.take();
        }
    }
}

impl Tree {
    pub(super) fn lock(&self) -> MutexGuard<'_, Book<Waiter>> {
        #[cfg(test)]
        super::tests::model::switch_point();
        lock(&self.book)
    }

    fn settle_risks(&self, scope: ScopeId, calls: &[AtRiskId], charged: Option<Credits>) -> bool {
        let amount = charged.unwrap_or_default();
        let recording = self.recording();
        let settled = self.lock().settle_risks(scope, calls, amount);
        let Some(decided) = settled else {
            return false;
        };
        record(recording.as_ref(), || match charged {
            Some(charged) => Entry::Settled(calls, charged),
            None => Entry::Replaced(calls),
        });
        drop(recording);
        tell(decided);
        true
    }

    /// Waits until the changes before are recorded; `None` without a recorder.
    fn recording(&self) -> Option<Recording<'_>> {
        let recorder = self.recorder.get()?.as_ref();
        #[cfg(test)]
        super::tests::model::wait_for(&self.recording);
        Some(Recording {
            recorder,
            _others_wait: lock(&self.recording),
        })
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

/// How an attempt was recorded before it was sent.
#[derive(Debug, Clone, Copy)]
enum Noted {
    /// Not at all.
    Not,
    /// It is free, and needs no record unless it is charged.
    Free,
    /// With this number.
    Number(u64),
}

/// Credits that a [`Budget`](crate::Budget) has reserved for one call.
///
/// It ends with [`charged`](Self::charged), [`refund`](Self::refund) or [`at_risk`](Self::at_risk). If it is dropped instead (cancelled
/// call, panic), the amount is refunded before [`hand_over`](Self::hand_over), and at risk after it.
///
/// ```
/// use generated_client::error::BudgetError;
/// use generated_client::{Budget, Credits};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), BudgetError> {
/// let credits = |whole: u64| Credits::from_micros(whole * 1_000_000);
/// let budget = Budget::of(credits(10));
///
/// let mut reservation = budget.reserve(credits(3)).await?;
/// reservation.hand_over();
/// // The request goes out here, and the response says what it cost.
/// let surprise = reservation.charged(credits(2));
/// assert!(!surprise);
/// assert_eq!(budget.usage().spent, credits(2));
///
/// let mut reservation = budget.reserve(credits(3)).await?;
/// reservation.hand_over();
/// drop(reservation);
/// assert_eq!(budget.usage().at_risk, credits(3));
/// # Ok(())
/// # }
/// ```
#[must_use = "if it is dropped, the amount is refunded, or at risk after `hand_over`"]
pub struct Reservation {
    pub(super) node: Arc<Node>,
    pub(super) id: AtRiskId,
    pub(super) amount: Credits,
    /// What is at risk if the call is lost.
    pub(super) at_risk: Option<Credits>,
    /// Corrects that, if the price is unknown.
    pub(super) price_now: Option<PriceNow>,
    pub(super) stage: Stage,
    pub(super) call: CallLabel,
    noted: OnceLock<Noted>,
    pub(super) everywhere: Option<Everywhere>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Held,
    HandedOver,
    Settled,
}

impl Reservation {
    fn new(node: Arc<Node>, amount: Credits) -> Self {
        Self {
            node,
            id: AtRiskId::unused(),
            amount,
            at_risk: Some(amount),
            price_now: None,
            stage: Stage::Held,
            call: CallLabel::default(),
            noted: OnceLock::new(),
            everywhere: None,
        }
    }

    /// Records the attempt before it is sent, once. Returns `false` if it cannot be recorded.
    pub(super) fn note(&self, is_free: bool) -> bool {
        let Some(recorder) = self.node.tree.recorder.get() else {
            return true;
        };
        let noted = self.noted.get_or_init(|| {
            if is_free {
                return Noted::Free;
            }
            let number = recorder.sent(self.sent());
            number.map_or(Noted::Not, Noted::Number)
        });
        !matches!(noted, Noted::Not)
    }

    fn noted(&self) -> Noted {
        self.noted.get().copied().unwrap_or(Noted::Not)
    }

    fn sent(&self) -> Sent<'_> {
        let number = match self.noted() {
            Noted::Number(number) => Some(number),
            Noted::Not | Noted::Free => None,
        };
        Sent {
            number,
            call: &self.call,
            reserved: self.amount,
            at_risk: self.at_risk,
        }
    }

    /// Returns the price that was seen since the amount at risk was computed.
    fn price_now(&self) -> Option<Credits> {
        let price = self.price_now.as_ref()?;
        price(self.call.unpriced.as_deref()?)
    }

    pub(super) fn risk(&self, is_recorded: bool) -> AtRiskId {
        self.node.risk(self, is_recorded);
        self.id
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        match self.stage {
            Stage::Held => self.node.settle(self, Settlement::Refund),
            Stage::HandedOver => {
                let is_free = matches!(self.noted(), Noted::Free);
                self.risk(!is_free);
            }
            Stage::Settled => {}
        }
    }
}

/// Passes an entry to the recorder, if there is one. The book is not locked.
fn record<'a>(recording: Option<&Recording<'_>>, entry: impl FnOnce() -> Entry<'a>) {
    if let Some(recording) = recording {
        #[cfg(test)]
        super::tests::model::switch_point();
        recording.recorder.record(entry());
    }
}

fn record_replaced(recording: Option<&Recording<'_>>, replaced: &[AtRiskId]) {
    if !replaced.is_empty() {
        record(recording, || Entry::Replaced(replaced));
    }
}

/// All grants are created before the first waiter is woken. If a waker panics, the remaining grants are dropped and refunded.
fn tell(decided: impl IntoIterator<Item = Decided<Waiter>>) {
    let verdicts: Vec<_> = decided
        .into_iter()
        .map(|decided| {
            let Waiter { node, verdict } = decided.waiter;
            let grant = decided.verdict.map(|amount| Reservation::new(node, amount));
            (verdict, grant)
        })
        .collect();
    for (sender, grant) in verdicts {
        // If the receiver is gone, the grant is dropped here and refunded.
        drop(sender.send(grant));
    }
}

#[cfg(test)]
mod tests {
    use super::super::sums::Usage;
    use super::*;

    #[test]
    fn an_account_goes_with_the_last_handle_of_its_budget() {
        let root = Arc::new(Node::root(Book::new(None)));
        let batch = Arc::new(root.scoped(Some(Credits::from_micros(5))));
        let scope = batch.scope;
        let usage = || root.tree.lock().scopes.usage(scope);
        let below = Arc::clone(&batch).scoped(Some(Credits::ZERO));
        drop(batch);
        assert_eq!(usage().limit, Some(Credits::from_micros(5)));
        drop(below);
        assert_eq!(usage(), Usage::default());
    }

    #[test]
    fn a_long_chain_of_scopes_is_dropped_without_recursion() {
        let mut node = Node::root(Book::new(None));
        for _ in 0..100_000 {
            node = Arc::new(node).scoped(Some(Credits::ZERO));
        }
        drop(node);
    }
}
