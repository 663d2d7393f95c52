//! The public handle; `Node` does the work.

use std::fmt;
use std::sync::Arc;

use super::book::Book;
use super::error::BudgetError;
use super::id::AtRiskId;
use super::node::{Node, Reservation, Waiter};
#[cfg(feature = "journal")]
use super::record::Recorder;
use super::risks::AtRisk;
#[cfg(feature = "journal")]
use super::risks::CallLabel;
use super::sums::Usage;
use crate::money::credits::Credits;

/// A budget of credits that calls draw on, and the record of what they cost. Clones are the same budget.
///
/// Before a call its price is reserved, here and in every parent, and after it the reservation is settled. A reservation never makes spent +
/// reserved + at risk exceed the limit. Only a charge above its reservation can, and a lost call whose price is seen later and is higher.
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
/// let reservation = budget.reserve(credits(4)).await?;
/// assert_eq!(budget.usage().reserved, credits(4));
/// reservation.charged(credits(3));
/// assert_eq!(budget.usage().spent, credits(3));
///
/// assert!(budget.reserve(credits(8)).await.is_err());
/// # Ok(())
/// # }
/// ```
///
#[cfg_attr(feature = "redis", doc = "Next: [accounts](crate::account).")]
#[derive(Clone)]
pub struct Budget {
    node: Arc<Node>,
}

impl Budget {
    /// Returns a budget without a limit: it keeps the record and grants everything.
    pub fn unlimited() -> Self {
        Self::new(Book::new(None))
    }

    /// Returns a budget with a limit for spent, reserved and at risk together.
    pub fn of(limit: Credits) -> Self {
        Self::new(Book::new(Some(limit)))
    }

    fn new(book: Book<Waiter>) -> Self {
        Self {
            node: Arc::new(Node::root(book)),
        }
    }

    /// Returns a budget with a separate limit for some calls. Its reservations and charges also count here, and must fit both limits. Without
    /// a limit it only counts them.
    ///
    /// ```
    /// use generated_client::error::BudgetError;
    /// use generated_client::{Budget, Credits};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BudgetError> {
    /// let credits = |whole: u64| Credits::from_micros(whole * 1_000_000);
    /// let all = Budget::of(credits(10));
    /// let batch = all.scoped(credits(4));
    ///
    /// batch.reserve(credits(3)).await?.charged(credits(3));
    /// assert_eq!(all.usage().spent, credits(3));
    ///
    /// let error = batch.reserve(credits(2)).await.unwrap_err();
    /// assert_eq!(error.limit, credits(4));
    /// assert_eq!(error.levels_up, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn scoped(&self, limit: impl Into<Option<Credits>>) -> Self {
        Self {
            node: Arc::new(self.node.scoped(limit.into())),
        }
    }

    /// Returns the current usage.
    pub fn usage(&self) -> Usage {
        self.node.tree.lock().scopes.usage(self.node.scope)
    }

    /// Returns the credits that are left here and in every parent: the limit less what is spent, reserved and at risk. `None` without a limit.
    ///
    /// ```
    /// use generated_client::{Budget, Credits};
    ///
    /// let budget = Budget::of(Credits::new(2));
    /// assert_eq!(budget.left(), Some(Credits::new(2)));
    /// assert_eq!(budget.scoped(Credits::new(10)).left(), Some(Credits::new(2)));
    /// assert_eq!(Budget::unlimited().left(), None);
    /// ```
    pub fn left(&self) -> Option<Credits> {
        self.node.tree.lock().scopes.left(self.node.scope)
    }

    /// Sets the price of one call aside. A price of zero is granted immediately, even if the budget is overdrawn.
    ///
    /// If the credits fit only after refunds of calls in flight, this waits until one of these calls is settled. Waiting calls are served
    /// in the order of their first poll. A later, smaller request does not overtake. Dropping the future gives up its place. Do not await
    /// this while you hold a reservation of the same budget: it can deadlock.
    ///
    /// # Errors
    ///
    /// [`BudgetError`] as soon as the credits would not fit even if all calls in flight cost nothing.
    pub async fn reserve(&self, price: Credits) -> Result<Reservation, BudgetError> {
        self.node.reserve(price).await
    }

    /// Returns whether this budget or one above it has a limit.
    pub(crate) fn is_limited(&self) -> bool {
        self.left().is_some()
    }

    /// Returns the calls at risk of this budget and its scopes, oldest first.
    ///
    /// Only the newest 10,000 calls are listed, counted over all budgets with the same root. [`usage`](Self::usage) has the sum of all. Older
    /// ones can no longer be settled.
    ///
    /// ```
    /// use generated_client::error::BudgetError;
    /// use generated_client::{Budget, Credits};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BudgetError> {
    /// let credits = |whole: u64| Credits::from_micros(whole * 1_000_000);
    /// let budget = Budget::of(credits(10));
    /// budget.reserve(credits(4)).await?.at_risk();
    ///
    /// for call in budget.at_risk() {
    ///     println!("{}: {:?}", call.call, call.amount);
    ///     // The provider's account says that it was not charged.
    ///     budget.settle(call.id, Credits::ZERO);
    /// }
    /// assert_eq!(budget.usage().at_risk, Credits::ZERO);
    /// # Ok(())
    /// # }
    /// ```
    pub fn at_risk(&self) -> Vec<AtRisk> {
        self.node.tree.lock().risks.of(self.node.scope)
    }

    /// Settles one call that is at risk: it was charged this much, or nothing. Other calls may be in flight.
    ///
    /// The charge counts in every budget that has the call at risk: those above, that of its operation, and the account of its client. Returns
    /// `false` if this budget does not have it at risk.
    pub fn settle(&self, id: AtRiskId, charged: Credits) -> bool {
        self.node.settle_everywhere(id, charged)
    }

    /// Returns whether both budgets have one root.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.node.tree, &other.node.tree)
    }

    /// Records each later attempt of this budget and of those with the same root.
    #[cfg(feature = "journal")]
    pub(crate) fn record_to(&self, recorder: impl Recorder + 'static) {
        self.node.record_to(Box::new(recorder));
    }

    /// Goes on with what was spent, and with these calls at risk, and returns their ids. `None`: any amount.
    #[cfg(feature = "journal")]
    pub(crate) fn resume_calls(
        limit: Option<Credits>,
        usage: &Usage,
        calls: impl IntoIterator<Item = (CallLabel, Option<Credits>)>,
    ) -> (Self, Vec<AtRiskId>) {
        let (book, ids) = Book::resume(limit, usage, calls);
        (Self::new(book), ids)
    }

    pub(super) fn node(&self) -> &Arc<Node> {
        &self.node
    }

    /// Raises the limit by this much, and serves the waiters. A budget without a limit stays without one.
    pub fn raise(&self, by: Credits) {
        self.node.change(|sums| sums.raise(by));
    }

    /// Lowers the limit by this much, at most to zero, also below what is spent. Calls in flight go on, and those that no longer fit are refused. A
    /// budget without a limit stays without one.
    pub fn lower(&self, by: Credits) {
        self.node.change(|sums| sums.lower(by));
    }

    /// Refuses all calls, also waiting and free ones, until it is [thawed](Self::thaw): [`BudgetError::frozen`] has the reason. Calls in flight go on,
    /// and are settled as usual. The budgets that were scoped from this one are frozen with it.
    ///
    /// ```
    /// use generated_client::{Budget, Credits};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let budget = Budget::of(Credits::new(10));
    /// budget.freeze("an invoice is disputed");
    /// let error = budget.scoped(None).reserve(Credits::new(1)).await.unwrap_err();
    /// assert_eq!(error.to_string(), "the budget one level up is frozen: an invoice is disputed");
    ///
    /// budget.thaw();
    /// assert!(budget.reserve(Credits::new(1)).await.is_ok());
    /// # }
    /// ```
    pub fn freeze(&self, reason: impl Into<String>) {
        let reason = reason.into();
        self.node.change(|sums| sums.frozen = Some(reason));
    }

    /// Ends a [freeze](Self::freeze).
    pub fn thaw(&self) {
        self.node.change(|sums| sums.frozen = None);
    }

    /// Counts what a stored response would have cost.
    pub(crate) fn save(&self, saved: Credits) {
        self.node.tree.lock().scopes.save(self.node.scope, saved);
    }
}

/// Makes a budget with this limit.
impl From<Credits> for Budget {
    fn from(limit: Credits) -> Self {
        Self::of(limit)
    }
}

/// Unlimited.
impl Default for Budget {
    fn default() -> Self {
        Self::unlimited()
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Budget").field(&self.usage()).finish()
    }
}
