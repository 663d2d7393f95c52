//! The scopes of budgets that were scoped from one another. A reservation counts in a scope and in all its ancestors, in one step.

use std::collections::BTreeMap;
use std::iter;

use super::error::{Asked, BudgetError};
use super::sums::{Settlement, Sums, Usage};
use crate::money::credits::Credits;

/// Ids are unique. A child has a higher id than its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ScopeId(u64);

impl ScopeId {
    /// The id of the root budget.
    pub(super) const ROOT: Self = Self(0);
}

#[derive(Debug)]
pub(super) struct Scopes {
    entries: BTreeMap<ScopeId, Entry>,
    next: u64,
}

#[derive(Debug)]
struct Entry {
    parent: Option<ScopeId>,
    scope: Sums,
}

impl Scopes {
    pub(super) fn new(limit: Option<Credits>) -> Self {
        let root = Entry {
            parent: None,
            scope: Sums::new(limit),
        };
        Self {
            entries: BTreeMap::from([(ScopeId::ROOT, root)]),
            next: 1,
        }
    }

    pub(super) fn open(&mut self, parent: ScopeId, limit: Option<Credits>) -> ScopeId {
        let id = ScopeId(self.next);
        self.next = self.next.saturating_add(1);
        let entry = Entry {
            parent: Some(parent),
            scope: Sums::new(limit),
        };
        self.entries.insert(id, entry);
        id
    }

    /// Removes a scope whose budget was dropped. Its amounts stay in the sums of its ancestors.
    pub(super) fn close(&mut self, id: ScopeId) {
        self.entries.remove(&id);
    }

    pub(super) fn get(&self, id: ScopeId) -> Option<&Sums> {
        self.entries.get(&id).map(|entry| &entry.scope)
    }

    pub(super) fn get_mut(&mut self, id: ScopeId) -> Option<&mut Sums> {
        self.entries.get_mut(&id).map(|entry| &mut entry.scope)
    }

    pub(super) fn usage(&self, id: ScopeId) -> Usage {
        self.get(id).map(Sums::usage).unwrap_or_default()
    }

    /// Returns the scope and its ancestors, up to the root.
    pub(super) fn chain(&self, id: ScopeId) -> impl Iterator<Item = (ScopeId, &Sums)> {
        iter::successors(self.entry(id), |(_, below)| self.entry(below.parent?)).map(
            |(id, entry)| {
                #[cfg(test)]
                VISITS.set(VISITS.get() + 1);
                (id, &entry.scope)
            },
        )
    }

    fn entry(&self, id: ScopeId) -> Option<(ScopeId, &Entry)> {
        self.entries.get(&id).map(|entry| (id, entry))
    }

    fn change_chain(&mut self, id: ScopeId, change: impl Fn(ScopeId, &mut Sums)) {
        let mut next = Some(id);
        while let Some(id) = next {
            let Some(entry) = self.entries.get_mut(&id) else {
                return;
            };
            change(id, &mut entry.scope);
            next = entry.parent;
        }
    }

    /// Returns the amount that a scope and those above it leave; `None`: any amount.
    pub(super) fn left(&self, id: ScopeId) -> Option<Credits> {
        self.chain(id).filter_map(|(_, sums)| sums.room()).min()
    }

    /// Returns the nearest scope that is frozen, or whose limit `price` would exceed even if all reservations were refunded.
    pub(super) fn refusal(&self, id: ScopeId, price: Credits) -> Option<BudgetError> {
        let (levels_up, (_, scope)) = self
            .chain(id)
            .enumerate()
            .find(|(_, (_, scope))| !scope.fits_at_best(price))?;
        Some(BudgetError {
            levels_up,
            frozen: scope.frozen.clone(),
            ..BudgetError::new(Asked::Price(price), scope.usage())
        })
    }

    /// Reserves the price. The caller must have checked that it fits.
    pub(super) fn reserve(&mut self, id: ScopeId, price: Credits) {
        self.change_chain(id, |_, scope| scope.reserve(price));
    }

    pub(super) fn settle(&mut self, id: ScopeId, reserved: Credits, settlement: Settlement) {
        self.change_chain(id, |_, scope| scope.settle(reserved, settlement));
    }
}

#[cfg(test)]
thread_local! {
    /// Number of scopes visited; tests use it to show that a step does not visit every waiter.
    pub(super) static VISITS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(micros: u64) -> Credits {
        Credits::from_micros(micros)
    }

    /// Returns `[spent, reserved, at_risk, surprises]`.
    fn sums(scopes: &Scopes, id: ScopeId) -> [u64; 4] {
        let usage = scopes.usage(id);
        [
            usage.spent.micros(),
            usage.reserved.micros(),
            usage.at_risk.micros(),
            usage.surprises,
        ]
    }

    /// Returns a root, a child of the root, a child of that child, and a second child of the root.
    fn family(root: Option<u64>, limits: [u64; 3]) -> (Scopes, [ScopeId; 4]) {
        let mut scopes = Scopes::new(root.map(of));
        let [child, grandchild, sibling] = limits.map(|limit| Some(of(limit)));
        let child = scopes.open(ScopeId::ROOT, child);
        let grandchild = scopes.open(child, grandchild);
        let sibling = scopes.open(ScopeId::ROOT, sibling);
        (scopes, [ScopeId::ROOT, child, grandchild, sibling])
    }

    #[test]
    fn a_reservation_counts_in_every_account_above_and_in_no_other() {
        let (mut scopes, ids) = family(None, [10, 10, 10]);
        scopes.reserve(ids[2], of(4));
        assert_eq!(ids.map(|id| sums(&scopes, id)[1]), [4, 4, 4, 0], "reserved");
        scopes.settle(ids[2], of(4), Settlement::Charge(of(5)));
        assert_eq!(
            ids.map(|id| sums(&scopes, id)),
            [[5, 0, 0, 1], [5, 0, 0, 1], [5, 0, 0, 1], [0; 4]]
        );
    }

    #[test]
    fn the_nearest_limit_that_cannot_be_met_refuses() {
        let (mut scopes, [_, _, grandchild, sibling]) = family(Some(10), [8, 9, 10]);
        let refused_at = |scopes: &Scopes, price| {
            scopes
                .refusal(grandchild, of(price))
                .map(|error| (error.levels_up, error.limit.micros()))
        };
        assert_eq!(refused_at(&scopes, 8), None);
        assert_eq!(refused_at(&scopes, 9), Some((1, 8)));
        assert_eq!(refused_at(&scopes, 10), Some((0, 9)));

        scopes.reserve(sibling, of(7));
        assert_eq!(refused_at(&scopes, 8), None);
        scopes.settle(sibling, of(7), Settlement::Risk(of(7)));
        assert_eq!(refused_at(&scopes, 4), Some((2, 10)));
    }

    #[test]
    fn closing_an_account_leaves_its_share_above() {
        let (mut scopes, [_, child, grandchild, _]) = family(None, [10; 3]);
        scopes.reserve(grandchild, of(2));
        scopes.settle(grandchild, of(2), Settlement::Risk(of(2)));
        scopes.close(grandchild);
        assert_eq!(scopes.usage(grandchild), Usage::default());
        assert_eq!(sums(&scopes, child), [0, 0, 2, 0]);
    }
}
