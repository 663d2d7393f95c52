//! The accounts of budgets that were scoped from one another. A reservation counts in an account and in all its ancestors, in one step.

use std::collections::BTreeMap;
use std::iter;

use super::account::{Account, Settlement, Usage};
use super::error::{Asked, BudgetError};
use crate::money::credits::Credits;

/// Ids are unique. A child has a higher id than its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AccountId(u64);

impl AccountId {
    /// The id of the root budget.
    pub(super) const ROOT: Self = Self(0);
}

#[derive(Debug)]
pub(super) struct Accounts {
    entries: BTreeMap<AccountId, Entry>,
    next: u64,
}

#[derive(Debug)]
struct Entry {
    parent: Option<AccountId>,
    account: Account,
}

impl Accounts {
    pub(super) fn new(limit: Option<Credits>) -> Self {
        let root = Entry {
            parent: None,
            account: Account::new(limit),
        };
        Self {
            entries: BTreeMap::from([(AccountId::ROOT, root)]),
            next: 1,
        }
    }

    pub(super) fn open(&mut self, parent: AccountId, limit: Option<Credits>) -> AccountId {
        let id = AccountId(self.next);
        self.next = self.next.saturating_add(1);
        let entry = Entry {
            parent: Some(parent),
            account: Account::new(limit),
        };
        self.entries.insert(id, entry);
        id
    }

    /// Removes an account whose budget was dropped. Its amounts stay in the sums of its ancestors.
    pub(super) fn close(&mut self, id: AccountId) {
        self.entries.remove(&id);
    }

    pub(super) fn get(&self, id: AccountId) -> Option<&Account> {
        self.entries.get(&id).map(|entry| &entry.account)
    }

    pub(super) fn get_mut(&mut self, id: AccountId) -> Option<&mut Account> {
        self.entries.get_mut(&id).map(|entry| &mut entry.account)
    }

    pub(super) fn usage(&self, id: AccountId) -> Usage {
        self.get(id).map(Account::usage).unwrap_or_default()
    }

    /// Returns the account and its ancestors, up to the root.
    pub(super) fn chain(&self, id: AccountId) -> impl Iterator<Item = (AccountId, &Account)> {
        let entry = |id: AccountId| self.entries.get(&id).map(|entry| (id, entry));
        iter::successors(entry(id), move |(_, below)| below.parent.and_then(entry)).map(
            |(id, entry)| {
                #[cfg(test)]
                VISITS.set(VISITS.get() + 1);
                (id, &entry.account)
            },
        )
    }

    fn change_chain(&mut self, id: AccountId, change: impl Fn(AccountId, &mut Account)) {
        let mut next = Some(id);
        while let Some(id) = next {
            let Some(entry) = self.entries.get_mut(&id) else {
                return;
            };
            change(id, &mut entry.account);
            next = entry.parent;
        }
    }

    /// Returns whether an account or one above it has a limit.
    pub(super) fn is_limited(&self, id: AccountId) -> bool {
        self.chain(id).any(|(_, account)| account.room().is_some())
    }

    /// Returns the nearest account whose limit `price` would exceed even if all reservations were refunded.
    pub(super) fn refusal(&self, id: AccountId, price: Credits) -> Option<BudgetError> {
        let (levels_up, (_, account)) = self
            .chain(id)
            .enumerate()
            .find(|(_, (_, account))| !account.fits_at_best(price))?;
        let usage = account.usage();
        Some(BudgetError {
            asked: Asked::Price(price),
            limit: usage.limit.unwrap_or_default(),
            spent: usage.spent,
            reserved: usage.reserved,
            at_risk: usage.at_risk,
            levels_up,
            account: None,
        })
    }

    /// Reserves the price. The caller must have checked that it fits.
    pub(super) fn reserve(&mut self, id: AccountId, price: Credits) {
        self.change_chain(id, |_, account| account.reserve(price));
    }

    pub(super) fn settle(&mut self, id: AccountId, reserved: Credits, settlement: Settlement) {
        self.change_chain(id, |_, account| account.settle(reserved, settlement));
    }
}

#[cfg(test)]
thread_local! {
    /// Number of accounts visited; tests use it to show that a step does not visit every waiter.
    pub(super) static VISITS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(micros: u64) -> Credits {
        Credits::from_micros(micros)
    }

    /// Returns `[spent, reserved, at_risk, surprises]`.
    fn sums(accounts: &Accounts, id: AccountId) -> [u64; 4] {
        let usage = accounts.usage(id);
        [
            usage.spent.micros(),
            usage.reserved.micros(),
            usage.at_risk.micros(),
            usage.surprises,
        ]
    }

    /// Returns a root, a child of the root, a child of that child, and a second child of the root.
    fn family(root: Option<u64>, limits: [u64; 3]) -> (Accounts, [AccountId; 4]) {
        let mut accounts = Accounts::new(root.map(of));
        let [child, grandchild, sibling] = limits.map(|limit| Some(of(limit)));
        let child = accounts.open(AccountId::ROOT, child);
        let grandchild = accounts.open(child, grandchild);
        let sibling = accounts.open(AccountId::ROOT, sibling);
        (accounts, [AccountId::ROOT, child, grandchild, sibling])
    }

    #[test]
    fn a_reservation_counts_in_every_account_above_and_in_no_other() {
        let (mut accounts, ids) = family(None, [10, 10, 10]);
        accounts.reserve(ids[2], of(4));
        assert_eq!(
            ids.map(|id| sums(&accounts, id)[1]),
            [4, 4, 4, 0],
            "reserved"
        );
        accounts.settle(ids[2], of(4), Settlement::Charge(of(5)));
        assert_eq!(
            ids.map(|id| sums(&accounts, id)),
            [[5, 0, 0, 1], [5, 0, 0, 1], [5, 0, 0, 1], [0; 4]]
        );
    }

    #[test]
    fn the_nearest_limit_that_cannot_be_met_refuses() {
        let (mut accounts, [_, _, grandchild, sibling]) = family(Some(10), [8, 9, 10]);
        let refused_at = |accounts: &Accounts, price| {
            accounts
                .refusal(grandchild, of(price))
                .map(|error| (error.levels_up, error.limit.micros()))
        };
        assert_eq!(refused_at(&accounts, 8), None);
        assert_eq!(refused_at(&accounts, 9), Some((1, 8)));
        assert_eq!(refused_at(&accounts, 10), Some((0, 9)));

        accounts.reserve(sibling, of(7));
        assert_eq!(refused_at(&accounts, 8), None);
        accounts.settle(sibling, of(7), Settlement::Risk(of(7)));
        assert_eq!(refused_at(&accounts, 4), Some((2, 10)));
    }

    #[test]
    fn closing_an_account_leaves_its_share_above() {
        let (mut accounts, [_, child, grandchild, _]) = family(None, [10; 3]);
        accounts.reserve(grandchild, of(2));
        accounts.settle(grandchild, of(2), Settlement::Risk(of(2)));
        accounts.close(grandchild);
        assert_eq!(accounts.usage(grandchild), Usage::default());
        assert_eq!(sums(&accounts, child), [0, 0, 2, 0]);
    }
}
