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

    fn change_chain(&mut self, id: ScopeId, change: impl Fn(&mut Sums)) {
        let mut next = Some(id);
        while let Some(id) = next {
            let Some(entry) = self.entries.get_mut(&id) else {
                return;
            };
            change(&mut entry.scope);
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
        self.change_chain(id, |scope| scope.reserve(price));
    }

    pub(super) fn settle(&mut self, id: ScopeId, reserved: Credits, settlement: Settlement) {
        self.change_chain(id, |scope| scope.settle(reserved, settlement));
    }

    /// Counts what a stored response would have cost.
    pub(super) fn save(&mut self, id: ScopeId, saved: Credits) {
        self.change_chain(id, |scope| scope.save(saved));
    }
}

#[cfg(test)]
thread_local! {
    /// Number of scopes visited; tests use it to show that a step does not visit every waiter.
    pub(super) static VISITS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}
