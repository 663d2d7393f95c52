use std::fmt;

use super::account::{Settlement, is_surprise};
use super::node::{Grant, Lost};
use super::risks::AtRiskId;
use crate::money::credits::Credits;

/// Credits that a [`Ledger`](crate::Ledger) has set aside for one call.
///
/// It ends with [`charged`](Self::charged), [`refund`](Self::refund) or [`at_risk`](Self::at_risk). Dropped without any of them, by a
/// cancelled call or a panic, it is a refund before [`hand_over`](Self::hand_over) and a risk after it.
///
/// ```
/// use metered_client::{Amount, BudgetError, Credits, Ledger};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), BudgetError> {
/// let credits = |whole: u64| Credits::from_micros(whole * 1_000_000);
/// let ledger = Ledger::with_budget(credits(10));
///
/// let mut reservation = ledger.reserve(Amount::Exactly(credits(3))).await?;
/// reservation.hand_over();
/// // The request goes out here, and the response says what it cost.
/// let surprise = reservation.charged(credits(2));
/// assert!(!surprise);
/// assert_eq!(ledger.usage().spent, credits(2));
///
/// let mut reservation = ledger.reserve(Amount::Exactly(credits(3))).await?;
/// reservation.hand_over();
/// drop(reservation);
/// assert_eq!(ledger.usage().at_risk, credits(3));
/// # Ok(())
/// # }
/// ```
#[must_use = "dropped, it gives back what it has set aside"]
pub struct Reservation(Grant);

impl Reservation {
    pub(super) fn new(grant: Grant) -> Self {
        Self(grant)
    }

    /// What is set aside; `None` when all that is left was asked for and there is no limit.
    ///
    /// For a call of unknown price it is the smallest remainder of the ledgers that it draws on.
    pub fn amount(&self) -> Option<Credits> {
        self.0.agreed().least()
    }

    /// Names the call, for [`Ledger::at_risk`](crate::Ledger::at_risk). The attempts are counted from 1 on.
    pub fn label(&mut self, operation: &'static str, attempt: u32) {
        let call = self.0.call();
        call.operation = operation;
        call.attempt = attempt;
    }

    /// Adds what the response calls itself.
    pub fn request_id(&mut self, id: Option<String>) {
        self.0.call().request_id = id;
    }

    /// What one ledger has set aside for it.
    #[cfg(test)]
    pub(super) fn share(&self, of: &super::Ledger) -> Option<Credits> {
        self.0.agreed().share(of.account())
    }

    /// From here on the request may reach the service, and only its response can tell what it costs.
    pub fn hand_over(&mut self) {
        self.0.hand_over();
    }

    /// Where it will stand what is at risk, should this be dropped after it was handed over.
    pub(crate) fn lost(&mut self) -> Lost {
        self.0.lost()
    }

    /// The call cost this much, which is counted even when it is more than was set aside. Then it is a surprise, and the result is `true`.
    ///
    /// There is no surprise when all that is left was asked for and there is no limit.
    pub fn charged(self, credits: Credits) -> bool {
        let surprise = is_surprise(self.0.agreed().least(), credits);
        self.0.settle(Settlement::Charge(credits));
        surprise
    }

    /// The call cost nothing: it was not sent, or was turned away.
    pub fn refund(self) {
        self.0.settle(Settlement::Refund);
    }

    /// What the call cost is unknown. The amount counts against the limit until [`Ledger::settle`](crate::Ledger::settle) says what it was.
    pub fn at_risk(self) -> AtRiskId {
        self.0.at_risk()
    }
}

impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reservation")
            .field("amount", &self.amount())
            .field("stage", &self.0.stage())
            .finish_non_exhaustive()
    }
}
