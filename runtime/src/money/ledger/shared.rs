//! The book behind its lock, and the waiting.
//!
//! Nothing that could run foreign code happens under the lock: waiters are told, woken and dropped after it is released.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::account::{Ask, Settlement, Usage};
use super::accounts::{AccountId, Agreed};
use super::book::{Book, Decided};
use super::error::BudgetError;
use super::queue::Ticket;
use super::reservation::Reservation;
use super::risks::{AtRisk, AtRiskId, CallLabel};
use crate::money::credits::Credits;

/// A budget of credits that calls draw on, and the record of what they cost. Clones are the same ledger.
///
/// Before a call its price is reserved, and after it the reservation is settled. What is spent, reserved and at risk never exceeds the
/// limit by a reservation; only a service that charges more than was reserved can bring a ledger above it. A call of unknown price
/// reserves all that is left, here and in every ledger that this one was scoped from, and is alone in them until it is settled.
///
/// ```
/// use metered_client::{Ask, BudgetError, Credits, Ledger};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), BudgetError> {
/// let credits = |whole: u64| Credits::from_micros(whole * 1_000_000);
/// let ledger = Ledger::with_budget(credits(10));
///
/// let reservation = ledger.reserve(Ask::Exactly(credits(4))).await?;
/// assert_eq!(ledger.usage().reserved, credits(4));
/// reservation.charged(credits(3));
/// assert_eq!(ledger.usage().spent, credits(3));
///
/// assert!(ledger.reserve(Ask::Exactly(credits(8))).await.is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Ledger {
    node: Arc<Node>,
}

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
    answer: oneshot::Sender<Answer>,
}

/// An answer that nobody receives takes its reservation along, which refunds it.
type Answer = Result<Reservation, BudgetError>;

impl Ledger {
    /// A ledger without a limit: it keeps the record and grants everything.
    pub fn unlimited() -> Self {
        Self::new(None)
    }

    /// A ledger of which at most this much can be reserved and spent.
    pub fn with_budget(limit: Credits) -> Self {
        Self::new(Some(limit))
    }

    fn new(limit: Option<Credits>) -> Self {
        let book = Mutex::new(Book::new(limit));
        let node = Node {
            tree: Arc::new(Tree { book }),
            account: AccountId::ROOT,
            parent: None,
        };
        Self {
            node: Arc::new(node),
        }
    }

    /// A ledger with a limit of its own for some of the calls. What it reserves and spends counts here as well, and needs room in both.
    ///
    /// ```
    /// use metered_client::{Ask, BudgetError, Credits, Ledger};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BudgetError> {
    /// let credits = |whole: u64| Credits::from_micros(whole * 1_000_000);
    /// let all = Ledger::with_budget(credits(10));
    /// let batch = all.scoped(credits(4));
    ///
    /// batch.reserve(Ask::Exactly(credits(3))).await?.charged(credits(3));
    /// assert_eq!(all.usage().spent, credits(3));
    ///
    /// let error = batch.reserve(Ask::Exactly(credits(2))).await.unwrap_err();
    /// assert_eq!(error.limit, credits(4));
    /// assert_eq!(error.levels_up, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn scoped(&self, limit: Credits) -> Self {
        let tree = Arc::clone(&self.node.tree);
        let account = tree.lock().open(self.node.account, limit);
        let node = Node {
            tree,
            account,
            parent: Some(Arc::clone(&self.node)),
        };
        Self {
            node: Arc::new(node),
        }
    }

    #[cfg(test)]
    pub(super) fn account(&self) -> AccountId {
        self.node.account
    }

    /// Where the credits are at this moment.
    pub fn usage(&self) -> Usage {
        self.node.tree.lock().usage(self.node.account)
    }

    /// Sets credits aside for one call.
    ///
    /// When they do not fit, and would if calls in flight turned out to cost nothing, this waits until one of those is settled. Who waits
    /// is served in the order of the first polls, also against asks that come later and are smaller. Dropping the future takes no
    /// credits and lets the next one pass. So do not wait while holding a reservation of the same ledger: that can wait for itself.
    ///
    /// # Errors
    ///
    /// [`BudgetError`] as soon as the credits would not fit even if all calls in flight cost nothing.
    pub async fn reserve(&self, ask: Ask) -> Result<Reservation, BudgetError> {
        loop {
            let (sender, answer) = oneshot::channel();
            let _place = self.node.ask(ask, sender);
            if let Ok(answer) = answer.await {
                return answer;
            }
            // Whoever was to tell was stopped by the panic of another waiter's waker. Nothing is reserved: ask again.
        }
    }

    /// The calls of which it is unknown whether they were charged, oldest first: here and in the ledgers that were scoped from this one.
    ///
    /// Of more than 10,000, the newest; [`usage`](Self::usage) has the sum of all.
    ///
    /// ```
    /// use metered_client::{Ask, BudgetError, Credits, Ledger};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BudgetError> {
    /// let credits = |whole: u64| Credits::from_micros(whole * 1_000_000);
    /// let ledger = Ledger::with_budget(credits(10));
    /// ledger.reserve(Ask::Exactly(credits(4))).await?.at_risk();
    ///
    /// for call in ledger.at_risk() {
    ///     println!("{}: {:?}", call.call, call.amount);
    ///     // The provider's account says that it was not charged.
    ///     ledger.settle(call.id, Credits::ZERO);
    /// }
    /// assert_eq!(ledger.usage().at_risk, Credits::ZERO);
    /// # Ok(())
    /// # }
    /// ```
    pub fn at_risk(&self) -> Vec<AtRisk> {
        self.node.tree.lock().at_risk(self.node.account)
    }

    /// Settles one call that is at risk: it was charged this much, or nothing. Other calls may be in flight.
    ///
    /// It counts here and in every other ledger that has the call at risk. `false` when this ledger has no such call at risk any more.
    pub fn settle(&self, id: AtRiskId, charged: Credits) -> bool {
        self.settle_all(&[id], charged)
    }

    /// Settles several calls in one step: they were charged this much together. `false` when none of them is at risk here any more.
    pub(crate) fn settle_all(&self, calls: &[AtRiskId], charged: Credits) -> bool {
        let settled = self
            .node
            .tree
            .lock()
            .settle_risks(self.node.account, calls, charged);
        settled.map(tell).is_some()
    }

    /// Raises the limit by this much, and lets those go who wait for it. A ledger without a limit stays without one.
    pub fn raise(&self, by: Credits) {
        let decided = self.node.tree.lock().raise(self.node.account, by);
        tell(decided);
    }

    /// Tells the ledger what the provider's account says: of everything that is at risk, this much was charged.
    ///
    /// It is spent, here and in the ledgers that this one was scoped from, and nothing stays at risk. More than was at risk counts as a
    /// surprise. [`settle`](Self::settle) does the same call by call. Let no call be in flight between looking at the account and this: what it puts at risk would be taken for settled.
    ///
    /// In ledgers that were scoped from this one nothing stays at risk either. Whose calls were charged is unknown, so each of them counts
    /// all of it as spent that can have been its own; to have that exact, reconcile those first.
    ///
    /// ```
    /// use metered_client::{Ask, BudgetError, Credits, Ledger};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BudgetError> {
    /// let credits = |whole: u64| Credits::from_micros(whole * 1_000_000);
    /// let ledger = Ledger::with_budget(credits(10));
    /// for _ in 0..2 {
    ///     ledger.reserve(Ask::Exactly(credits(4))).await?.at_risk();
    /// }
    /// ledger.reconcile(credits(4));
    /// assert_eq!(ledger.usage().spent, credits(4));
    /// assert_eq!(ledger.usage().at_risk, Credits::ZERO);
    /// # Ok(())
    /// # }
    /// ```
    pub fn reconcile(&self, charged: Credits) {
        let decided = self.node.tree.lock().reconcile(self.node.account, charged);
        tell(decided);
    }
}

/// Unlimited.
impl Default for Ledger {
    fn default() -> Self {
        Self::unlimited()
    }
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ledger").field(&self.usage()).finish()
    }
}

impl Node {
    fn ask<'a>(self: &'a Arc<Self>, ask: Ask, answer: oneshot::Sender<Answer>) -> Place<'a> {
        let waiter = Waiter {
            node: Arc::clone(self),
            answer,
        };
        let (ticket, decided) = self.tree.lock().ask(self.account, ask, waiter);
        let place = Place { node: self, ticket };
        tell(decided);
        place
    }

    pub(super) fn settle(&self, agreed: &Agreed, settlement: Settlement) {
        let decided = self.tree.lock().settle(self.account, agreed, settlement);
        tell(decided);
    }

    pub(super) fn risk(&self, agreed: &Agreed, call: CallLabel) -> AtRiskId {
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

/// A place in the queue, given up when the one who waits is dropped.
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

/// Every grant becomes a reservation before the first waiter is woken: should a waker panic, the others are refunded and not forgotten.
fn tell(decided: impl IntoIterator<Item = Decided<Waiter>>) {
    let answers: Vec<_> = decided
        .into_iter()
        .map(|Decided { waiter, verdict }| {
            let Waiter { node, answer } = waiter;
            let reservation = verdict.map(|agreed| Reservation::new(node, agreed));
            (answer, reservation)
        })
        .collect();
    for (sender, answer) in answers {
        // Not received: then it is dropped here, and what it reserved refunded.
        drop(sender.send(answer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_goes_with_the_last_handle_of_its_ledger() {
        let root = Ledger::unlimited();
        let batch = root.scoped(Credits::from_micros(5));
        let account = batch.node.account;
        let usage = || root.node.tree.lock().usage(account);
        let below = batch.clone().scoped(Credits::ZERO);
        drop(batch);
        assert_eq!(usage().limit, Some(Credits::from_micros(5)));
        drop(below);
        assert_eq!(usage(), Usage::default());
    }

    #[test]
    fn a_long_chain_of_scopes_is_dropped_without_recursion() {
        let mut ledger = Ledger::unlimited();
        for _ in 0..100_000 {
            ledger = ledger.scoped(Credits::ZERO);
        }
        drop(ledger);
    }
}
