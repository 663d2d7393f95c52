use std::fmt;

use super::id::AtRiskId;
use super::node::Grant;
use super::sums::Settlement;
use crate::money::credits::Credits;

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
pub struct Reservation(pub(super) Grant);

impl Reservation {
    pub(super) fn new(grant: Grant) -> Self {
        Self(grant)
    }

    /// Returns the reserved amount.
    pub fn amount(&self) -> Credits {
        self.0.amount()
    }

    /// Names the call, for [`Budget::at_risk`](crate::Budget::at_risk). Attempts are numbered from 1.
    pub fn label(&mut self, operation: &'static str, attempt: u32) {
        self.0.call.operation = operation.into();
        self.0.call.attempt = attempt;
    }

    /// Sets the idempotency key of the call.
    pub fn idempotency_key(&mut self, key: Option<String>) {
        self.0.call.idempotency_key = key;
    }

    /// Sets the request id from the response.
    pub fn request_id(&mut self, id: Option<String>) {
        self.0.call.request_id = id;
    }

    /// Marks the request as handed to the transport. If the reservation is dropped from now on, it becomes at risk.
    pub fn hand_over(&mut self) {
        self.0.hand_over();
    }

    /// Settles the reservation with the charge, even if it exceeds the reserved amount. Returns `true` in this case (a surprise).
    pub fn charged(self, credits: Credits) -> bool {
        let surprise = credits > self.0.amount();
        self.0.settle(Settlement::Charge(credits));
        surprise
    }

    /// Refunds the reservation: the call was not sent, or was rejected without a charge.
    pub fn refund(self) {
        self.0.settle(Settlement::Refund);
    }

    /// Marks the price as at risk: the charge is unknown. It counts against the limit until it is settled.
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
