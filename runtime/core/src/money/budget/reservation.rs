//! What the holder of a reservation does with it.

use std::fmt;

use super::id::AtRiskId;
use super::node::{Reservation, Stage};
use super::sums::Settlement;
use crate::money::credits::Credits;

impl Reservation {
    /// Returns the reserved amount.
    pub fn amount(&self) -> Credits {
        self.amount
    }

    /// Marks the request as handed to the transport. If the reservation is dropped from now on, it becomes at risk.
    pub fn hand_over(&mut self) {
        self.note(false);
        self.stage = Stage::HandedOver;
    }

    /// Settles the reservation with the charge, even if it exceeds the reserved amount. Returns `true` in this case (a surprise).
    pub fn charged(self, credits: Credits) -> bool {
        let surprise = credits > self.amount;
        self.settle(Settlement::Charge(credits));
        surprise
    }

    /// Refunds the reservation: the call was not sent, or was rejected without a charge.
    pub fn refund(self) {
        self.settle(Settlement::Refund);
    }

    /// Marks the price as at risk: the charge is unknown. It counts against the limit until it is settled.
    pub fn at_risk(mut self) -> AtRiskId {
        self.stage = Stage::Settled;
        self.risk(true)
    }

    fn settle(mut self, settlement: Settlement) {
        self.stage = Stage::Settled;
        self.node.settle(&self, settlement);
    }
}

impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reservation")
            .field("amount", &self.amount)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}
