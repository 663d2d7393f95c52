//! The sums of one ledger. It does not check limits: callers check `fits` before they reserve.

use serde::{Deserialize, Serialize};

use crate::money::credits::Credits;

/// The amount to reserve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Amount {
    /// This much, for a call with a known price. A price of zero is granted immediately, even if the budget is overdrawn.
    Exactly(Credits),
    /// This much, for a call whose price is an estimate. A ledger with less left reserves all of that, as for an unknown price: it waits until
    /// nothing else is reserved there. At most one such call at a time can therefore exceed a limit within its estimate. If it is lost, the
    /// whole estimate is at risk.
    UpTo(Credits),
    /// The whole remaining budget, for a call of unknown price. The ledger and each of its parents reserve their own remainder. It waits
    /// until none of them has a reservation. Until it is settled, other paid calls wait. A ledger without a limit reserves nothing for it.
    AllThatIsLeft,
}

impl Amount {
    /// Returns the minimum that must be left. It is one millionth for an uncertain price.
    pub(super) fn least(self) -> Credits {
        match self {
            Self::Exactly(price) => price,
            Self::UpTo(bound) => bound.min(Credits::from_micros(1)),
            Self::AllThatIsLeft => Credits::from_micros(1),
        }
    }

    /// Returns whether this share is all that a ledger with a limit has left.
    pub(super) fn takes_rest(self, share: Share) -> bool {
        match self {
            Self::Exactly(_) => false,
            Self::UpTo(bound) => share < Some(bound),
            Self::AllThatIsLeft => true,
        }
    }
}

/// Where the credits of a [`Ledger`](crate::Ledger) are, at one moment.
///
/// ```
/// use metered_client::{Credits, Ledger};
///
/// let usage = Ledger::with_budget(Credits::from_micros(5_000_000)).usage();
/// assert_eq!(usage.limit, Some(Credits::from_micros(5_000_000)));
/// assert_eq!(usage.spent, Credits::ZERO);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Usage {
    /// The most that may be spent; `None` when the ledger itself sets no bound.
    pub limit: Option<Credits>,
    /// The amount that was charged.
    pub spent: Credits,
    /// The amount reserved for calls in flight.
    pub reserved: Credits,
    /// The credits of calls with an unknown outcome. They count against the limit until they are settled or reconciled.
    pub at_risk: Credits,
    /// Number of attempts that were charged (including zero) or are at risk. Refunded ones are not counted.
    pub calls: u64,
    /// Number of charges that exceeded their reservation. Only these can push a ledger above its limit.
    pub surprises: u64,
    /// Number of attempts that reserved all that was left of a limit, because their price was unknown or its estimate exceeded what was
    /// left. While one runs, all other paid calls wait.
    /// [`ClientBuilder::unknown_prices`](crate::MeteredBuilder::unknown_prices) says what to reserve instead.
    pub unknown_prices: u64,
}

/// How a reservation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settlement {
    Refund,
    Charge(Credits),
    Risk,
}

/// The amount that one ledger reserved for a call. `None`: unknown price and no limit, and therefore nothing reserved.
pub(super) type Share = Option<Credits>;

/// Sums are in millionths of a credit, as `u128`: 64-bit amounts cannot add up to its limit. A sum that had saturated could not be reduced
/// correctly later.
#[derive(Debug, Clone)]
pub(super) struct Account {
    limit: Option<Credits>,
    spent: u128,
    reserved: u128,
    at_risk: u128,
    calls: u64,
    surprises: u64,
    unknown_prices: u64,
}

impl Account {
    pub(super) fn new(limit: Option<Credits>) -> Self {
        Self {
            limit,
            spent: 0,
            reserved: 0,
            at_risk: 0,
            calls: 0,
            surprises: 0,
            unknown_prices: 0,
        }
    }

    /// Starts with what was spent and counted before.
    pub(super) fn resume(&mut self, usage: &Usage) {
        self.spent = usage.spent.micros().into();
        self.calls = usage.calls;
        self.surprises = usage.surprises;
        self.unknown_prices = usage.unknown_prices;
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

    /// Returns the amount that this account reserves for `ask`.
    pub(super) fn share(&self, ask: Amount) -> Share {
        match ask {
            Amount::Exactly(price) => Some(price),
            Amount::UpTo(bound) => Some(self.room().map_or(bound, |room| room.min(bound))),
            Amount::AllThatIsLeft => self.room(),
        }
    }

    /// Returns whether there is room now. A call that takes all that is left fits only if nothing is reserved.
    pub(super) fn fits(&self, ask: Amount) -> bool {
        self.room().is_none_or(|room| {
            let is_shared = !ask.takes_rest(self.share(ask)) || self.reserved == 0;
            is_shared && ask.least() <= room
        })
    }

    /// Returns whether there would be room if all reservations were refunded.
    pub(super) fn fits_at_best(&self, least: Credits) -> bool {
        self.room_at_best().is_none_or(|room| least <= room)
    }

    /// Raises the limit. An account without a limit stays without one.
    pub(super) fn raise(&mut self, by: Credits) {
        self.limit = self
            .limit
            .map(|limit| credits(u128::from(limit.micros()).saturating_add(by.micros().into())));
    }

    pub(super) fn at_risk(&self) -> u128 {
        self.at_risk
    }

    pub(super) fn reserve(&mut self, share: Share) {
        let amount = share.unwrap_or_default();
        self.reserved = self.reserved.saturating_add(amount.micros().into());
    }

    /// Counts a reservation of all that was left.
    pub(super) fn note_unknown_price(&mut self) {
        let is_limited = self.limit.is_some();
        self.unknown_prices = self.unknown_prices.saturating_add(is_limited.into());
    }

    pub(super) fn settle(&mut self, share: Share, settlement: Settlement) {
        let amount = u128::from(share.unwrap_or_default().micros());
        self.reserved = self.reserved.saturating_sub(amount);
        match settlement {
            Settlement::Refund => return,
            Settlement::Charge(charged) => {
                self.spend(charged, is_surprise(share, charged));
            }
            Settlement::Risk => self.at_risk = self.at_risk.saturating_add(amount),
        }
        self.calls = self.calls.saturating_add(1);
    }

    /// Corrects the amount at risk of one call.
    pub(super) fn reprice(&mut self, before: Credits, after: Credits) {
        let others = self.at_risk.saturating_sub(before.micros().into());
        self.at_risk = others.saturating_add(after.micros().into());
    }

    /// Removes `known` from the amount at risk, and adds `charged` to the spent amount.
    pub(super) fn reconcile(&mut self, known: u128, charged: Credits, surprise: bool) {
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
            unknown_prices: self.unknown_prices,
        }
    }
}

pub(super) fn is_surprise(share: Share, charged: Credits) -> bool {
    share.is_some_and(|amount| charged > amount)
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

    fn account(limit: Option<u64>, [spent, reserved, at_risk]: [u128; 3]) -> Account {
        Account {
            spent,
            reserved,
            at_risk,
            ..Account::new(limit.map(of))
        }
    }

    fn sums(account: &Account) -> [u128; 3] {
        [account.spent, account.reserved, account.at_risk]
    }

    #[test]
    fn room_is_what_the_limit_leaves() {
        let huge = u128::MAX;
        for (limit, sums, room, at_best) in [
            (None, [0, 0, 0], None, None),
            (None, [huge, huge, huge], None, None),
            (Some(0), [0, 0, 0], Some(0), Some(0)),
            (Some(10), [0, 0, 0], Some(10), Some(10)),
            (Some(10), [1, 2, 3], Some(4), Some(6)),
            (Some(10), [0, 10, 0], Some(0), Some(10)),
            (Some(10), [10, 0, 0], Some(0), Some(0)),
            (Some(10), [0, 0, 10], Some(0), Some(0)),
            (Some(10), [11, 0, 0], Some(0), Some(0)),
            (Some(MOST), [0, 0, 0], Some(MOST), Some(MOST)),
            (Some(MOST), [huge, huge, huge], Some(0), Some(0)),
        ] {
            let account = account(limit, sums);
            assert_eq!(account.room(), room.map(of), "{account:?}");
            assert_eq!(account.room_at_best(), at_best.map(of), "{account:?}");
        }
    }

    #[test]
    fn an_ask_fits_into_room_of_its_size_and_one_of_unknown_price_needs_it_alone() {
        for (ask, limit, reserved, fits, share) in [
            (Amount::Exactly(of(5)), None, 3, true, Some(5)),
            (Amount::Exactly(of(5)), Some(8), 3, true, Some(5)),
            (Amount::Exactly(of(5)), Some(7), 3, false, Some(5)),
            (Amount::Exactly(of(0)), Some(0), 0, true, Some(0)),
            (Amount::AllThatIsLeft, None, 3, true, None),
            (Amount::AllThatIsLeft, Some(1), 0, true, Some(1)),
            (Amount::AllThatIsLeft, Some(0), 0, false, Some(0)),
            (Amount::AllThatIsLeft, Some(9), 3, false, Some(6)),
            (Amount::UpTo(of(5)), None, 3, true, Some(5)),
            (Amount::UpTo(of(5)), Some(8), 3, true, Some(5)),
            (Amount::UpTo(of(5)), Some(7), 3, false, Some(4)),
            (Amount::UpTo(of(5)), Some(4), 0, true, Some(4)),
            (Amount::UpTo(of(5)), Some(0), 0, false, Some(0)),
        ] {
            let account = account(limit, [0, reserved, 0]);
            assert_eq!(account.fits(ask), fits, "{ask:?} {account:?}");
            assert_eq!(account.share(ask), share.map(of), "{ask:?} {account:?}");
        }
        let full = account(Some(10), [4, 3, 4]);
        assert!(full.fits_at_best(of(2)) && !full.fits_at_best(of(3)));
    }

    #[test]
    fn a_raised_limit_has_more_room_and_no_limit_stays_none() {
        let mut account = account(Some(10), [4, 0, 0]);
        account.raise(of(5));
        assert_eq!(account.room(), Some(of(11)));
        account.raise(of(MOST));
        assert_eq!(account.usage().limit, Some(of(MOST)));
        let mut unlimited = Account::new(None);
        unlimited.raise(of(5));
        assert_eq!(unlimited.room(), None);
    }

    #[test]
    fn settling_moves_the_reserved_amount_to_where_it_belongs() {
        use Settlement::{Charge, Refund, Risk};
        for (agreed, settlement, expected, calls, surprises) in [
            (Some(5), Refund, [1, 2, 3], 0, 0),
            (Some(5), Risk, [1, 2, 8], 1, 0),
            (Some(5), Charge(of(0)), [1, 2, 3], 1, 0),
            (Some(5), Charge(of(4)), [5, 2, 3], 1, 0),
            (Some(5), Charge(of(5)), [6, 2, 3], 1, 0),
            (Some(5), Charge(of(6)), [7, 2, 3], 1, 1),
            (Some(0), Charge(of(1)), [2, 7, 3], 1, 1),
            (None, Charge(of(9)), [10, 7, 3], 1, 0),
            (None, Risk, [1, 7, 3], 1, 0),
            (None, Refund, [1, 7, 3], 0, 0),
        ] {
            let mut account = account(Some(10), [1, 7, 3]);
            let case = format!("{agreed:?} {settlement:?}");
            account.settle(agreed.map(of), settlement);
            assert_eq!(sums(&account), expected, "{case}");
            assert_eq!(account.calls, calls, "{case}");
            assert_eq!(account.surprises, surprises, "{case}");
        }
    }

    #[test]
    fn the_largest_amounts_are_added_and_taken_apart_exactly() {
        let mut account = account(None, [0, 0, 0]);
        for _ in 0..3 {
            account.reserve(Some(of(MOST)));
        }
        assert_eq!(account.usage().reserved, of(MOST));
        account.settle(Some(of(MOST)), Settlement::Charge(of(MOST)));
        account.settle(Some(of(MOST)), Settlement::Risk);
        assert_eq!(sums(&account), [MOST.into(); 3]);
        account.settle(Some(of(MOST)), Settlement::Refund);
        assert_eq!(sums(&account), [MOST.into(), 0, MOST.into()]);
    }

    #[test]
    fn nothing_wraps() {
        let mut full = account(Some(10), [u128::MAX; 3]);
        full.calls = MOST;
        full.surprises = MOST;
        full.reserve(Some(of(1)));
        assert_eq!(sums(&full), [u128::MAX; 3]);
        full.settle(Some(of(0)), Settlement::Charge(of(1)));
        full.settle(Some(of(1)), Settlement::Risk);
        assert_eq!(sums(&full), [u128::MAX, u128::MAX - 1, u128::MAX]);
        assert_eq!((full.calls, full.surprises), (MOST, MOST));

        let mut empty = account(Some(10), [0, 0, 0]);
        empty.settle(Some(of(1)), Settlement::Refund);
        empty.reconcile(1, of(0), false);
        assert_eq!(sums(&empty), [0, 0, 0]);
    }
}
