//! The sums of one budget. It does not check limits: callers check `fits` before they reserve.

use crate::money::credits::Credits;

/// Where the credits of a [`Budget`](crate::Budget) are, at one moment.
///
/// ```
/// use generated_client::{Budget, Credits};
///
/// let usage = Budget::of(Credits::from_micros(5_000_000)).usage();
/// assert_eq!(usage.limit, Some(Credits::from_micros(5_000_000)));
/// assert_eq!(usage.spent, Credits::ZERO);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Usage {
    /// The most that may be spent; `None` when the budget itself sets no bound.
    pub limit: Option<Credits>,
    /// The amount that was charged.
    pub spent: Credits,
    /// The amount reserved for calls in flight.
    pub reserved: Credits,
    /// The credits of calls with an unknown outcome. They count against the limit until they are settled.
    pub at_risk: Credits,
    /// Number of attempts that were charged (including zero) or are at risk. Refunded ones are not counted.
    pub calls: u64,
    /// Number of charges that exceeded their reservation. Only these can push a budget above its limit.
    pub surprises: u64,
    /// What stored responses would have cost again. It counts against no limit, and an account does not have it.
    pub saved: Credits,
}

/// How a reservation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settlement {
    Refund,
    Charge(Credits),
    /// This much may have been charged.
    Risk(Credits),
}

/// Sums are in millionths of a credit, as `u128`: 64-bit amounts cannot add up to its limit. A sum that had saturated could not be reduced
/// correctly later.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    limit: Option<Credits>,
    spent: u128,
    reserved: u128,
    at_risk: u128,
    calls: u64,
    surprises: u64,
    saved: u128,
    /// Why nothing may be reserved.
    pub(super) frozen: Option<String>,
}

impl Sums {
    pub(super) fn new(limit: Option<Credits>) -> Self {
        Self {
            limit,
            spent: 0,
            reserved: 0,
            at_risk: 0,
            calls: 0,
            surprises: 0,
            saved: 0,
            frozen: None,
        }
    }

    /// Counts what a stored response would have cost.
    pub(super) fn save(&mut self, saved: Credits) {
        self.saved = self.saved.saturating_add(saved.micros().into());
    }

    /// Starts with what was spent and counted before.
    #[cfg(feature = "journal")]
    pub(super) fn resume(&mut self, usage: &Usage) {
        self.spent = usage.spent.micros().into();
        self.calls = usage.calls;
        self.surprises = usage.surprises;
        self.saved = usage.saved.micros().into();
    }

    /// Returns the amount that can be reserved now; `None`: any amount.
    pub(super) fn room(&self) -> Option<Credits> {
        self.room_beside(
            self.spent
                .saturating_add(self.at_risk)
                .saturating_add(self.reserved),
        )
    }

    /// Returns the amount that could be reserved if all reservations were refunded. `None`: any amount.
    pub(super) fn room_at_best(&self) -> Option<Credits> {
        self.room_beside(self.spent.saturating_add(self.at_risk))
    }

    fn room_beside(&self, taken: u128) -> Option<Credits> {
        let limit = u128::from(self.limit?.micros());
        Some(credits(limit.saturating_sub(taken)))
    }

    /// Returns whether there is room now.
    pub(super) fn fits(&self, price: Credits) -> bool {
        self.frozen.is_none() && self.room().is_none_or(|room| price <= room)
    }

    /// Returns whether there would be room if all reservations were refunded.
    pub(super) fn fits_at_best(&self, price: Credits) -> bool {
        self.frozen.is_none() && self.room_at_best().is_none_or(|room| price <= room)
    }

    /// Lowers the limit, at most to zero. Without a limit it stays without one.
    pub(super) fn lower(&mut self, by: Credits) {
        self.limit = self
            .limit
            .map(|limit| Credits::from_micros(limit.micros().saturating_sub(by.micros())));
    }

    /// Raises the limit. Without a limit it stays without one.
    pub(super) fn raise(&mut self, by: Credits) {
        self.limit = self
            .limit
            .map(|limit| credits(u128::from(limit.micros()).saturating_add(by.micros().into())));
    }

    pub(super) fn reserve(&mut self, price: Credits) {
        self.reserved = self.reserved.saturating_add(price.micros().into());
    }

    pub(super) fn settle(&mut self, reserved: Credits, settlement: Settlement) {
        self.reserved = self.reserved.saturating_sub(reserved.micros().into());
        match settlement {
            Settlement::Refund => return,
            Settlement::Charge(charged) => self.spend(charged, charged > reserved),
            Settlement::Risk(amount) => {
                self.at_risk = self.at_risk.saturating_add(amount.micros().into());
            }
        }
        self.calls = self.calls.saturating_add(1);
    }

    /// Corrects the amount at risk of one call.
    pub(super) fn reprice(&mut self, before: Credits, after: Credits) {
        let others = self.at_risk.saturating_sub(before.micros().into());
        self.at_risk = others.saturating_add(after.micros().into());
    }

    /// Removes `known` from the amount at risk, and adds `charged` to the spent amount.
    pub(super) fn settle_risk(&mut self, known: u128, charged: Credits, surprise: bool) {
        self.at_risk = self.at_risk.saturating_sub(known);
        self.spend(charged, surprise);
    }

    fn spend(&mut self, charged: Credits, surprise: bool) {
        self.spent = self.spent.saturating_add(charged.micros().into());
        self.surprises = self.surprises.saturating_add(surprise.into());
    }

    pub(super) fn usage(&self) -> Usage {
        Usage {
            limit: self.limit,
            spent: credits(self.spent),
            reserved: credits(self.reserved),
            at_risk: credits(self.at_risk),
            calls: self.calls,
            surprises: self.surprises,
            saved: credits(self.saved),
        }
    }
}

/// Converts a sum to [`Credits`], capped at their maximum.
pub(super) fn credits(micros: u128) -> Credits {
    Credits::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u64 = u64::MAX;

    fn of(micros: u64) -> Credits {
        Credits::from_micros(micros)
    }

    fn of_limit(limit: Option<u64>, [spent, reserved, at_risk]: [u128; 3]) -> Sums {
        Sums {
            spent,
            reserved,
            at_risk,
            ..Sums::new(limit.map(of))
        }
    }

    fn amounts(sums: &Sums) -> [u128; 3] {
        [sums.spent, sums.reserved, sums.at_risk]
    }

    #[test]
    fn the_largest_amounts_are_added_and_taken_apart_exactly() {
        let mut sums = of_limit(None, [0, 0, 0]);
        for _ in 0..3 {
            sums.reserve(of(MOST));
        }
        assert_eq!(sums.usage().reserved, of(MOST));
        sums.settle(of(MOST), Settlement::Charge(of(MOST)));
        sums.settle(of(MOST), Settlement::Risk(of(MOST)));
        assert_eq!(amounts(&sums), [MOST.into(); 3]);
        sums.settle(of(MOST), Settlement::Refund);
        assert_eq!(amounts(&sums), [MOST.into(), 0, MOST.into()]);
    }

    #[test]
    fn nothing_wraps() {
        let mut full = of_limit(Some(10), [u128::MAX; 3]);
        full.calls = MOST;
        full.surprises = MOST;
        full.reserve(of(1));
        assert_eq!(amounts(&full), [u128::MAX; 3]);
        full.settle(of(0), Settlement::Charge(of(1)));
        full.settle(of(1), Settlement::Risk(of(1)));
        assert_eq!(amounts(&full), [u128::MAX, u128::MAX - 1, u128::MAX]);
        assert_eq!((full.calls, full.surprises), (MOST, MOST));

        let mut empty = of_limit(Some(10), [0, 0, 0]);
        empty.settle(of(1), Settlement::Refund);
        empty.settle_risk(1, of(0), false);
        assert_eq!(amounts(&empty), [0, 0, 0]);
    }
}
